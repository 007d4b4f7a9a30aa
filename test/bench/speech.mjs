// Measures the latency of spoken replies: the built program, a scripted provider and local speech programs. `npm run build` first, then
// `node test/bench/speech.mjs [rounds]`.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runnerImport } from 'vite';

const root = join(import.meta.dirname, '../..');
const { startServerProcess } = (await runnerImport(join(root, 'test/helpers/server-process.ts'))).module;

const rounds = Number(process.argv[2] ?? 40);
const wordMs = 20;
const sample = Buffer.alloc(24_000);

/** The model's words, the time at which its first sentence was complete, and how long the engine took for the first part. */
const script = { words: [], completeAt: 0, engineDelayMs: 0, engineTookMs: 0 };

const provider = createServer(async (request, response) => {
  const arrived = performance.now();
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.url.endsWith('/audio/speech')) {
    await sleep(script.engineDelayMs);
    response.writeHead(200, { 'content-type': 'audio/pcm' }).end(sample);
    script.engineTookMs ||= performance.now() - arrived;
    return;
  }
  if (!request.url.endsWith('/chat/completions')) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (delta, finish = null) => response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  for (const word of script.words) {
    // The client disconnected, so the remaining words must not count for the next round.
    if (response.destroyed) return;
    say({ content: `${word} ` });
    if (word.endsWith('.') && script.completeAt === 0) script.completeAt = performance.now();
    await sleep(wordMs);
  }
  say({}, 'stop');
  response.end('data: [DONE]\n\n');
}).listen(0, '127.0.0.1');
await once(provider, 'listening');
const baseURL = `http://127.0.0.1:${provider.address().port}/v1`;

/** Two sentences of ten words for every twenty words. No text repeats. */
let seed = 0;
function replyOf(count) {
  const round = seed++;
  return Array.from({ length: count }, (_, index) => (index % 10 === 9 ? `end${round}x${index}.` : `word${round}x${index}`));
}

async function withServer(environment, work) {
  const home = await mkdtemp(join(tmpdir(), 'bench-home-'));
  const server = await startServerProcess({
    home,
    workspace: home,
    environment: { AGENT_API_BASE_URL: baseURL, AGENT_API_KEY: 'bench', AGENT_TTS_ENABLED: '1', AGENT_TTS_FORMAT: 'pcm', AGENT_TITLES: '0', ...environment },
  });
  try {
    await work(server);
  } finally {
    await server.stop();
    await rm(home, { recursive: true, force: true });
  }
}

/** Milliseconds from the message, and from the end of its first sentence, to the first byte of audio. */
async function hear(server, count) {
  Object.assign(script, { words: replyOf(count), completeAt: 0, engineTookMs: 0 });
  const headers = { authorization: `Bearer ${server.token}` };
  const { body: chat } = await server.call('POST', '/api/chats', {});
  const { chatId } = chat;
  const events = (await fetch(`${server.url}/api/stream?chatId=${chatId}`, { headers })).body.getReader();
  await server.call('PUT', '/api/tts/speaker', { chatId, speakerId: 'bench', on: true });
  const sentAt = performance.now();
  await server.call('POST', '/api/message', { chatId, text: 'go' });
  let text = '';
  const decoder = new TextDecoder();
  for (;;) {
    const { value, done } = await events.read();
    if (done) throw new Error('the stream ended');
    text += decoder.decode(value, { stream: true });
    const url = /"kind":"speak",[^\n]*?"url":"([^"]+)"/.exec(text)?.[1];
    if (url === undefined) continue;
    const clip = await fetch(server.url + url, { headers });
    const sound = clip.body.getReader();
    await sound.read();
    const heardAt = performance.now();
    await Promise.all([sound.cancel(), events.cancel()]);
    await server.call('POST', '/api/session/abort', { chatId });
    await server.call('DELETE', `/api/chats/${chatId}`);
    return { fromMessage: heardAt - sentAt, afterSentence: heardAt - script.completeAt, added: heardAt - script.completeAt - script.engineTookMs };
  }
}

const at = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const row = (name, values, goal) =>
  process.stdout.write(`${name.padEnd(58)} p50 ${at(values, 0.5).toFixed(1).padStart(7)}  p95 ${at(values, 0.95).toFixed(1).padStart(7)} ms  ${goal}\n`);

async function many(server, count, times = rounds) {
  await hear(server, 20);
  const heard = [];
  for (let round = 0; round < times; round++) heard.push(await hear(server, count));
  return heard;
}

await withServer({}, async (server) => {
  for (const delay of [0, 200, 600]) {
    script.engineDelayMs = delay;
    const heard = await many(server, 20);
    row(
      `first sound beyond an engine of ${delay} ms`,
      heard.map((one) => one.added),
      '<= 40 ms p95',
    );
  }
  script.engineDelayMs = 200;
  const short = (await many(server, 20)).map((one) => one.fromMessage);
  const long = (await many(server, 80)).map((one) => one.fromMessage);
  row('first sound of a reply of 20 words', short, '');
  row('first sound of a reply of 80 words', long, `${(at(long, 0.5) / at(short, 0.5)).toFixed(2)} x, <= 1.1 x`);
});
await withServer({ AGENT_TTS_ENGINE: 'espeak-ng' }, async (server) => {
  const own = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    execFileSync('espeak-ng', ['--stdin', '--stdout', '-b', '1'], { input: replyOf(10).join(' ') });
    own.push(performance.now() - started);
  }
  row('espeak-ng by itself, ten words', own, '');
  row(
    'first sound by espeak-ng, after the first sentence',
    (await many(server, 20)).map((one) => one.afterSentence),
    '<= 120 ms',
  );
});
provider.closeAllConnections();
provider.close();
