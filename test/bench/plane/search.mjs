// `node test/bench/plane/search.mjs`: how long a search over the lines of kept sessions takes, with excerpts, over HTTP, and what a pull of notes costs where nothing
// has changed. `--lines 1000000`, `--searches 200`. Targets: p95 80 ms, 400 bytes.
import pg from 'pg';
import { call, numberOf, percentiles, startNodes } from './nodes.mjs';

const lines = numberOf('lines', 1_000_000);
const searches = numberOf('searches', 200);
const sessionLines = 2_000;
const atOnce = 20_000;
const world = await startNodes(1);
const [{ url, environment }] = world.nodes;
const database = new pg.Client({ connectionString: environment.DATABASE_URL });
try {
  const token = await world.license('ann@example.org', 'member');
  await database.connect();
  const { createHash } = await import('node:crypto');
  const first = ['a first line'];
  const sha256 = createHash('sha256').update(first.join('\n')).digest('hex');
  const begun = await call(url, 'POST', '/api/pro/session_history', token, { sessionId: 'session-0', seq: 0, lines: first, sha256 });
  if (begun.status !== 200) throw new Error(`the first lines were refused: ${JSON.stringify(begun.body)}`);
  const [{ owner, org_id: orgId, user_id: userId }] = (
    await database.query('select l.owner, s.org_id, s.user_id from history_line l join history_session s on s.id = l.session')
  ).rows;
  await database.query(
    `insert into history_session (org_id, user_id, session_id, total, next_seq) select $1, $2, 'session-' || n, $3, 1 from generate_series(1, $4) n`,
    [orgId, userId, sessionLines, Math.ceil(lines / sessionLines)],
  );
  // Words are as frequent as in texts: the second half as often as the first, and so on.
  for (let from = 0; from < lines; from += atOnce) {
    await database.query(
      `insert into history_line (session, line, owner, text)
       select s.id, n % $4, $1, '{"kind":"text","text":"' || (select string_agg('word' || floor(exp(random() * ln(50000)))::int, ' ') from generate_series(1, 20 + n * 0)) || ' mark' || n || '"}'
       from generate_series($2::int, $3::int - 1) n join history_session s on s.org_id = $5 and s.session_id = 'session-' || (1 + n / $4)`,
      [owner, from, Math.min(lines, from + atOnce), sessionLines, orgId],
    );
    if ((from / atOnce) % 10 === 9) process.stderr.write(`${from + atOnce} lines\n`);
  }
  await database.query('vacuum analyze history_line');
  const [{ size }] = (await database.query(`select pg_size_pretty(pg_total_relation_size('history_line')) as size`)).rows;

  const random = (below) => Math.floor(Math.random() * below);
  const kinds = {
    'one word of one line': () => `mark${random(lines)}`,
    'a rare word': () => `word${10_000 + random(40_000)}`,
    'a common word': () => `word${1 + random(20)}`,
    'two common words': () => `word${1 + random(20)} word${1 + random(20)}`,
    'a phrase': () => `"word${1 + random(5)} word${1 + random(5)}"`,
    'words that are nowhere': () => 'nobodysaidthis',
  };
  process.stdout.write(`${lines} lines, ${size}\n`);
  const all = [];
  for (const [what, query] of Object.entries(kinds)) {
    const took = [];
    let hits = 0;
    for (let n = 0; n < searches; n++) {
      const at = performance.now();
      const { status, body } = await call(url, 'GET', `/api/pro/session_history?${new URLSearchParams({ q: query() })}`, token);
      took.push(performance.now() - at);
      if (status !== 200) throw new Error(`a search answered ${status}: ${JSON.stringify(body)}`);
      hits += body.hits.length;
    }
    all.push(...took);
    const sorted = [...took].sort((left, right) => left - right);
    const { p50, max } = percentiles(took);
    process.stdout.write(
      `${what}: p50 ${p50} ms, p95 ${sorted[Math.floor(took.length * 0.95)].toFixed(1)} ms, longest ${max} ms, ${(hits / searches).toFixed(1)} hits\n`,
    );
  }
  const sorted = all.sort((left, right) => left - right);
  process.stdout.write(`all: p95 ${sorted[Math.floor(all.length * 0.95)].toFixed(1)} ms\n`);

  const upserts = Array.from({ length: 500 }, (_, n) => ({ key: `fact:${n}`, value: 'x'.repeat(200), updatedAt: '2026-01-01T00:00:00.000Z' }));
  const put = await call(url, 'PUT', '/api/pro/cloud_sync/notes?workspace=global', token, { clientId: 'c', mutationId: 1, base: 0, upserts, tombstones: [] });
  const reply = await fetch(`${url}/api/pro/cloud_sync/notes?workspace=global&since=${put.body.revision}&mark=${put.body.mark ?? ''}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const head = [...reply.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  process.stdout.write(`a pull where nothing has changed: ${(await reply.arrayBuffer()).byteLength} bytes, and ${head} of its head\n`);
} finally {
  await database.end();
  await world.stop();
}
process.exit();
