// `node test/bench/persona.mjs`: how long a character takes on the built server. Without a model: from the request to the event that it is in force,
// on the disk. With one: from its first token to the first preview that a client has. `--json` prints JSON.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, freePort, now, percentile, readEvents, startServer } from './client.mjs';

const rounds = 50;
const place = mkdtempSync(join(tmpdir(), 'persona-bench-'));
const answers = [
  { label: 'Dry', summary: 'Dry and short.' },
  { rails: 'You never joke in warnings.', identity: 'You are Kea.', voice: 'Two sentences.', stance: 'You say what is wrong.' },
];

/** Says a token, waits, and says the rest; keeps when it said the first. */
function startModel(said) {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const text = JSON.stringify(answers[said.length % 2]);
    const chunk = (content, finish = null) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk(text.slice(0, 1)));
    said.push(now());
    setTimeout(() => response.end(`${chunk(text.slice(1), 'stop')}data: [DONE]\n\n`), 200);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function play(name, environment, onProgress) {
  const [home, workspace] = [join(place, name), join(place, `${name}-work`)];
  for (const folder of [home, workspace]) mkdirSync(folder);
  const server = await startServer({ home, workspace, environment: { PORT: String(await freePort()), ...environment } });
  const { url, token } = server;
  let over = () => undefined;
  let opened = () => undefined;
  const isOpen = new Promise((resolve) => (opened = resolve));
  void readEvents(`${url}/api/stream?chatId=all`, {
    token,
    onOpen: () => opened(),
    onEvent(event) {
      if (event.kind !== 'persona_progress') return;
      onProgress(event);
      if (event.stage === 'done' || event.stage === 'failed') over();
    },
  }).catch(() => undefined);
  await isOpen;
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const done = new Promise((resolve) => (over = resolve));
    const begun = now();
    const { status } = await call(`${url}/api/persona/bootstrap`, { method: 'POST', token, body: { input: `Dry and brief, ${round}.` } });
    if (status !== 202) throw new Error(`the server answered ${status}`);
    await done;
    times.push(now() - begun);
  }
  await server.stop();
  return times;
}

const said = [];
const previews = [];
const model = await startModel(said);
try {
  const scaffold = await play('offline', {}, () => undefined);
  const environment = { AGENT_API_BASE_URL: `http://127.0.0.1:${model.address().port}/v1`, AGENT_API_KEY: 'key' };
  await play('online', environment, (event) => {
    // The first of each call counts.
    if (event.preview !== undefined && previews.length < said.length) previews.push(now() - said.at(-1));
  });
  const rows = { 'character without a model': scaffold, 'first preview after the first token': previews };
  const result = Object.fromEntries(
    Object.entries(rows).map(([name, times]) => [name, { p50: percentile(times, 0.5), p95: percentile(times, 0.95), n: times.length }]),
  );
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(result)}\n`);
  else for (const [name, { p50, p95, n }] of Object.entries(result)) process.stdout.write(`${name}: ${p50.toFixed(1)} ms, 95 %: ${p95.toFixed(1)} ms (${n})\n`);
} finally {
  model.close();
  model.closeAllConnections();
  rmSync(place, { recursive: true, force: true });
}
