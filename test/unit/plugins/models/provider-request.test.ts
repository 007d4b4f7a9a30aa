// Tests provider requests outside conversations: forms and bytes, with the key, retries, limits and booking of any model call.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ProviderReply, ProviderRequest } from 'agent-harness/plugins/models';
import { openModels, type OpenedModels } from './open-models.ts';

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

let opened: OpenedModels | undefined;
let server: Server | undefined;
let asked: Asked[] = [];
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
  asked = [];
});

async function open(answer: (response: ServerResponse, at: number) => void, environment: Record<string, string> = {}): Promise<void> {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      asked.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      answer(response, asked.length);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  opened = await openModels([], { environment: { AGENT_API_BASE_URL: url, AGENT_API_KEY: 'sk-secret-key', ...environment } });
}

const json = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
const send = (request: Partial<ProviderRequest> = {}, signal = new AbortController().signal): Promise<ProviderReply> =>
  (opened as OpenedModels).models.request(
    { path: '/audio/speech', body: { json: { input: 'Hello' } }, model: 'voice-1', purpose: 'speak', plugin: 'speech', ...request },
    signal,
  );

test('a form with a file arrives complete with the key, and the cost in the reply is booked', async () => {
  await open((response) => json(response, 200, { text: 'hi', usage: { cost: 0.002, input_tokens: 7, output_tokens: 2 } }));
  const bytes = Buffer.from([0, 1, 255, 13, 10, 45, 45]);
  const form = [
    { name: 'file', value: { bytes, fileName: 'a "b"\r\n.wav', mimeType: 'audio/wav' } },
    { name: 'model', value: 'gpt-transcribe' },
  ];
  const reply = await send({ path: '/audio/transcriptions', body: { form }, model: 'gpt-transcribe', purpose: 'transcribe', chatId: 'chat_1', price: () => 5 });
  expect([reply.mediaType, JSON.parse(reply.bytes.toString())]).toMatchObject(['application/json', { text: 'hi' }]);
  const [{ path, headers, body }] = asked as [Asked];
  expect([path, headers.authorization]).toEqual(['/v1/audio/transcriptions', 'Bearer sk-secret-key']);
  // Parsed with the form reader of Node, which is independent of the writer.
  const read = await new Response(body as unknown as BodyInit, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  const file = read.get('file') as File;
  expect([read.get('model'), file.type, Buffer.from(await file.arrayBuffer())]).toEqual(['gpt-transcribe', 'audio/wav', bytes]);
  expect(await opened?.models.usage()).toMatchObject([
    { purpose: 'transcribe', plugin: 'speech', model: 'gpt-transcribe', chatId: 'chat_1', cost: 0.002, input: 7, output: 2 },
  ]);
  expect(opened?.events.map(({ name }) => name)).toEqual(['usage']);
});

test('files are streamed on every attempt: as raw form data or as base64 in a document', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sent-'));
  try {
    await open((response, at) => json(response, at === 1 ? 503 : 200, { text: 'hi' }));
    const bytes = Buffer.from(Array.from({ length: 500_001 }, (_, at) => (at * 31) % 256));
    const file = { path: join(folder, 'clip'), size: bytes.length };
    await writeFile(file.path, bytes);
    await send({ body: { form: [{ name: 'file', value: { file, fileName: 'clip.wav', mimeType: 'audio/wav' } }] } });
    await send({ body: { json: { model: 'm', input_audio: { data: 'mark-7', format: 'wav' } }, files: { 'mark-7': file } } });
    const [first, second, third] = asked as [Asked, Asked, Asked];
    expect(first.body.length).toBe(second.body.length);
    for (const { headers, body } of asked) expect(headers).toMatchObject({ 'content-length': String(body.length) });
    const form = await new Response(second.body as unknown as BodyInit, { headers: { 'content-type': second.headers['content-type'] ?? '' } }).formData();
    const sent = form.get('file') as File;
    expect([sent.name, sent.type, Buffer.from(await sent.arrayBuffer()).equals(bytes)]).toEqual(['clip.wav', 'audio/wav', true]);
    expect(JSON.parse(third.body.toString())).toEqual({ model: 'm', input_audio: { data: bytes.toString('base64'), format: 'wav' } });
    const gone = send({ body: { form: [{ name: 'file', value: { file: { ...file, size: 7 }, fileName: 'a', mimeType: 'audio/wav' } }] } });
    await expect(gone).rejects.toMatchObject({ code: 'MODELS_ERR_PROVIDER_REFUSED', message: expect.stringContaining('the file changed while it was sent') });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a separate endpoint gets its own key, and no key is sent to a foreign address', async () => {
  await open((response) => json(response, 200, {}));
  const here = opened?.models.route().baseURL ?? '';
  const there = here.replace('127.0.0.1', 'localhost');
  const route = (baseURL?: string, apiKey?: string): Promise<unknown> =>
    (opened as OpenedModels).models.routeNow('m', { ...(baseURL === undefined ? {} : { baseURL }), ...(apiKey === undefined ? {} : { apiKey }) });
  expect(await route(`${here}/audio/`)).toEqual({ wire: 'chat-completions', model: 'm', baseURL: `${here}/audio`, apiKey: 'sk-secret-key' });
  expect(await route(there)).toMatchObject({ baseURL: there, apiKey: 'sk-secret-key' });
  expect(await route('https://api.openai.com/v1')).toEqual({ wire: 'chat-completions', model: 'm', baseURL: 'https://api.openai.com/v1' });
  expect(await route(undefined, 'k')).toMatchObject({ baseURL: here, apiKey: 'k' });
  await send({ endpoint: { baseURL: there, apiKey: 'own-key' } });
  expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer own-key', host: new URL(there).host });
});

test('returned bytes are unchanged, and a cost is booked only if the caller provides a price', async () => {
  const sound = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 256));
  await open((response) => void response.writeHead(200, { 'content-type': 'Audio/WAV' }).end(sound));
  const reply = await send({ price: ({ bytes }) => bytes.length / 1e6 });
  expect([reply.mediaType, reply.bytes.equals(sound)]).toEqual(['audio/wav', true]);
  await send();
  expect(JSON.parse(asked[0]?.body.toString() ?? '')).toEqual({ input: 'Hello' });
  const rows = (await readFile(join(opened?.home ?? '', 'usage.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(rows).toMatchObject([{ cost: 0.1 }, { purpose: 'speak' }]);
  expect(rows[1]).not.toHaveProperty('cost');
});

test('a transient fault is retried and reported, a final one becomes an error without the key', async () => {
  await open((response, at) =>
    at === 1 ? json(response, 429, { error: { message: 'slow down' } }) : json(response, at === 2 ? 200 : 400, { error: { message: 'no sk-secret-key here' } }),
  );
  await send({ chatId: 'chat_1' });
  expect([asked.length, opened?.events.map(({ name }) => name)]).toEqual([2, ['provider_retry', 'usage']]);
  const fault = await send().catch((error: unknown) => error as Error & { code: string });
  expect(fault).toMatchObject({ code: 'MODELS_ERR_PROVIDER_REFUSED', message: expect.not.stringContaining('sk-secret-key') });
  expect(asked).toHaveLength(3);
});

test('an oversized and a stalled reply are faults, and an abort ends the request with its reason', async () => {
  const stop = new AbortController();
  const answer = (response: ServerResponse, at: number): void => {
    if (at === 1) return void response.writeHead(200).end(Buffer.alloc(2_000));
    response.writeHead(200).write('a');
    if (at === 3) stop.abort(new Error('enough'));
  };
  await open(answer, { AGENT_STREAM_IDLE_MS: '300', AGENT_TRANSIENT_5XX_MAX_RETRIES: '0' });
  await expect(send({ maxBytes: 1_000 })).rejects.toMatchObject({ code: 'MODELS_ERR_BAD_REPLY', message: expect.stringContaining('more than 1000 bytes') });
  await expect(send()).rejects.toMatchObject({ code: 'MODELS_ERR_PROVIDER_UNAVAILABLE', message: expect.stringContaining('sent no data for') });
  await expect(send({}, stop.signal)).rejects.toThrow('enough');
  expect(asked).toHaveLength(3);
});

test('requests on a wire without this feature reject with MODELS_ERR_NOT_OFFERED', async () => {
  await open((response) => json(response, 200, {}), { AGENT_MODEL_WIRE: 'messages' });
  await expect(send()).rejects.toMatchObject({ code: 'MODELS_ERR_NOT_OFFERED', status: 501 });
  expect(asked).toEqual([]);
});
