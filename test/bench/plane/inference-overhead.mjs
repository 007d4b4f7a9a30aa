// What the proxy adds, with the wallet on, beside a gateway in the same language, in one run: to the first byte, to a whole reply, to later chunks.
// `PORTKEY_DIR=folder node test/bench/plane/inference-overhead.mjs [rounds]`; in the folder `npm install @portkey-ai/gateway@1.15.2` was run.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { call, expectThat, finish, freePort, median, percentile, setUp, startNode, startPostgres, startProvider, until } from './inference-kit.mjs';

const rounds = Number(process.argv[2] ?? 12);
const database = await startPostgres();
const provider = await startProvider();
const { token, setWallet } = setUp(database.url);
const node = await startNode(database.url, 'one', { HUB_UPSTREAM_BASE_URL: provider.url });
const [{ id: org }] = await database.query('select id from organisation limit 1');
setWallet(org, 1_000);
const session = await (
  await fetch(`${node.url}/api/inference/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
).json();

const ways = [
  { name: 'direct', url: `${provider.url}/chat/completions`, token: 'none', headers: {} },
  { name: 'ours', url: `${session.baseURL}/chat/completions`, token: session.token, headers: {} },
];
/** On this line of Node its streams fail, as it writes to the headers of a reply that takes none; a copy of the reply takes them. */
const mutableReplies = `data:text/javascript,const fetched = globalThis.fetch; globalThis.fetch = async (...given) => { const reply = await fetched(...given); return new Response(reply.body, reply); };`;
if (process.env.PORTKEY_DIR) {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    ['--import', mutableReplies, join(process.env.PORTKEY_DIR, 'node_modules/@portkey-ai/gateway/build/start-server.js'), `--port=${port}`, '--headless'],
    {
      stdio: 'ignore',
      env: { PATH: process.env.PATH, NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: 'localhost,127.0.0.1' },
    },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await until(() => fetch(url).then(Boolean, () => false));
  ways.push({
    name: 'portkey',
    url: `${url}/v1/chat/completions`,
    token: 'none',
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': provider.url },
  });
}

const body = (stream, chunks, gapMs) => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Hello '.repeat(200) }],
  max_tokens: 1_000,
  ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  user: JSON.stringify({ chunks, gapMs, input: 250 }),
});

async function measure(way, streams) {
  const ask = (given) => call(way.url, way.token, given, { headers: way.headers });
  const all = async (given) => {
    const answers = await Promise.all(Array.from({ length: streams }, () => ask(given)));
    const bad = answers.find(({ status }) => status !== 200);
    if (bad) throw new Error(`${way.name} answered ${bad.status}: ${bad.text?.slice(0, 300)}`);
    return answers;
  };
  const repeats = streams === 1 ? 10 : streams === 16 ? 3 : 1;
  const found = { first: [], whole: [], late: [] };
  for (let repeat = 0; repeat < repeats; repeat++) {
    const streamed = await all(body(true, 30, 4));
    const whole = await all(body(false, 30, 0));
    found.first.push(...streamed.map(({ firstMs }) => firstMs));
    found.late.push(...streamed.flatMap(({ late }) => late));
    found.whole.push(...whole.map(({ wholeMs }) => wholeMs));
  }
  return found;
}

for (const way of ways) for (let warm = 0; warm < 3; warm++) await measure(way, 16);
const rows = [];
for (const streams of [1, 16, 64]) {
  const found = Object.fromEntries(ways.map(({ name }) => [name, { first: [], whole: [], late: [] }]));
  for (let round = 0; round < rounds; round++)
    for (const way of ways) {
      const one = await measure(way, streams);
      for (const kind of Object.keys(one)) found[way.name][kind].push(...one[kind]);
    }
  const added = (name, kind, of = median) => of(found[name][kind]) - of(found.direct[kind]);
  const p99 = (values) => percentile(values, 0.99);
  for (const { name } of ways.slice(1))
    for (const kind of ['first', 'whole', 'late'])
      rows.push({
        streams,
        way: name,
        what: { first: 'first byte', whole: 'whole reply', late: 'later chunk' }[kind],
        'added p50 ms': Number(added(name, kind).toFixed(2)),
        'added p99 ms': Number(added(name, kind, p99).toFixed(2)),
      });
  if (found.portkey) {
    const [ours, theirs] = [added('ours', 'first'), added('portkey', 'whole')];
    expectThat(`${streams} streams: our first byte is not later than its whole reply`, ours <= theirs, `${ours.toFixed(2)} and ${theirs.toFixed(2)} ms added`);
    const [mine, its] = [added('ours', 'late'), added('portkey', 'late')];
    expectThat(`${streams} streams: later chunks are not later than its`, mine <= its, `${mine.toFixed(2)} and ${its.toFixed(2)} ms added`);
  }
}
console.table(rows);
await node.stop();
finish();
