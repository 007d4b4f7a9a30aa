// Tests speech through a provider against a scripted server with the route /audio/speech.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { startLocalServer } from '../../../helpers/local-server.ts';

interface Asked {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: { readonly model: string; readonly input: string; readonly voice: string; readonly response_format: string };
}

let harness: Harness;
let asked: Asked[];

async function start(answer: (response: ServerResponse, request: Asked) => void, environment: Record<string, string> = {}): Promise<void> {
  asked = [];
  const server = await startLocalServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const one = { path: request.url ?? '', key: request.headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString() || '{}') as Asked['body'] };
      asked.push(one);
      answer(response, one);
    });
  });
  harness = await startHarness({
    builtins: ['audio-engines', 'audio-hosted', 'speech', 'model-chat-completions'],
    environment: {
      AGENT_TTS_ENABLED: '1',
      AGENT_API_BASE_URL: `${server.url}/v1`,
      AGENT_API_KEY: 'sk-secret-key',
      AGENT_RETRY_MAX_DELAY_MS: '1',
      ...environment,
    },
  });
}
const sound = (response: ServerResponse, bytes: Buffer, type: string): void => void response.writeHead(200, { 'content-type': type }).end(bytes);
const refuse = (response: ServerResponse, status: number, message: string): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
const tts = (text = 'Hello there.', more: object = {}): ReturnType<Harness['call']> => harness.call('POST', '/api/tts', { text, ...more });
const clipOf = (url: string): Promise<Response> => fetch(harness.url + url, { headers: { authorization: `Bearer ${harness.token}` } });
const second = Buffer.alloc(48_000);

test('sends one request per part with the key, model and voice, and records its cost', async () => {
  await start((response) => sound(response, second, 'audio/pcm'), { AGENT_TTS_FORMAT: 'pcm' });
  const { status, body } = await tts();
  expect(status).toBe(200);
  expect(asked).toEqual([
    {
      path: '/v1/audio/speech',
      key: 'Bearer sk-secret-key',
      body: { model: 'hexgrad/kokoro-82m', input: 'Hello there.', voice: 'af_sky', response_format: 'pcm' },
    },
  ]);
  expect(body.clips[0].durationSec).toBe(1);
  const bytes = Buffer.from(await (await clipOf(body.clips[0].url)).arrayBuffer());
  expect([bytes.toString('latin1', 0, 4), bytes.readUInt32LE(40)]).toEqual(['RIFF', 48_000]);
  expect(body.cost).toBeCloseTo((12 * 3.5) / 1_000_000);
  expect(await harness.kernel.resolve('models').usage()).toMatchObject([{ purpose: 'voice', plugin: 'speech', model: 'hexgrad/kokoro-82m', cost: body.cost }]);
  expect(JSON.stringify(harness.logs)).not.toContain('sk-secret-key');
});

test('without a key, the error names the setting of the speech key', async () => {
  await start(() => undefined, { AGENT_API_BASE_URL: '', AGENT_API_KEY: '' });
  const { message } = (await tts()).body.error;
  expect(message).toContain('AGENT_API_KEY');
  expect(message).not.toContain('AGENT_TRANSCRIBE_API_KEY');
});

test('reports no cost for a model without a price', async () => {
  await start((response) => sound(response, second, 'audio/pcm'), { AGENT_TTS_MODEL: 'other/voice', AGENT_TTS_FORMAT: 'pcm' });
  expect((await tts()).body.cost).toBeNull();
});

test('streams audio while the provider is still sending', async () => {
  let rest = (): void => undefined;
  await start(
    (response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' }).write(second);
      rest = () => void response.end(second);
    },
    { AGENT_TTS_FORMAT: 'pcm' },
  );
  const { clips } = (await tts('Hello there.', { wait: false })).body;
  const reply = await clipOf(clips[0].url);
  const reader = reply.body?.getReader();
  let length = 0;
  while (length < 44 + second.length) length += (await reader?.read())?.value?.byteLength ?? Infinity;
  rest();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) length += piece.value.byteLength;
  expect(length).toBe(44 + 2 * second.length);
});

test('retries once with a supported voice when the provider does not support the default voice', async () => {
  await start(
    (response, { body }) =>
      body.voice === 'af_sky' ? refuse(response, 400, "Invalid value: 'af_sky'. Supported voices are: alloy") : sound(response, second, 'audio/wav'),
    { AGENT_TTS_FORMAT: 'pcm' },
  );
  expect((await tts('One.')).status).toBe(200);
  expect((await tts('Two.')).status).toBe(200);
  expect(asked.map(({ body }) => body.voice)).toEqual(['af_sky', 'alloy', 'alloy']);
  const chosen = await tts('Three.', { voice: 'nova' });
  expect([chosen.status, asked.at(-1)?.body.voice]).toEqual([200, 'nova']);
});

test.each([
  [404, "The model 'hexgrad/kokoro-82m' has been deprecated", 'model_gone', 'AGENT_TTS_MODEL'],
  [404, 'Not Found', 'no_routes', 'AGENT_AUDIO_BASE_URL'],
  [401, 'Incorrect API key: sk-secret-key', 'key_refused', 'AGENT_API_KEY'],
  [400, 'input is not valid', 'text_refused', 'AGENT_TTS_FORMAT'],
])('maps %d %j to %s and names the setting to change', async (status, message, code, advice) => {
  await start((response) => refuse(response, status, message));
  const { body } = await tts();
  expect(body.error).toMatchObject({ code, message: expect.stringContaining(advice) });
  expect(JSON.stringify([body, harness.logs])).not.toContain('sk-secret-key');
  expect(asked).toHaveLength(1);
});

test('rejects a reply that is not audio and a truncated one, without a retry', async () => {
  let turn = 0;
  await start((response) => {
    if (turn++ === 0) response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>');
    else response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': '9999' }).write(second.subarray(0, 100), () => response.destroy());
  });
  const first = await tts();
  expect([first.status, first.body.error.code]).toEqual([502, 'no_speech']);
  expect((await tts()).status).toBeGreaterThanOrEqual(500);
  expect(asked).toHaveLength(2);
});

test('retries a busy provider', async () => {
  let turn = 0;
  await start((response) => (turn++ === 0 ? refuse(response, 429, 'slow down') : sound(response, second, 'audio/pcm')), { AGENT_TTS_FORMAT: 'pcm' });
  expect((await tts()).status).toBe(200);
  expect(asked).toHaveLength(2);
});
