// Tests base URLs without a version: `/v1` is tried once after a 404, then used and reported once. Faults name the address.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTransport } from '../../../../plugins/models/transport.ts';
import { openModels } from './open-models.ts';
import { startLocalServer } from '../../../helpers/local-server.ts';

let origin: string;
let asked: string[];
let there: Record<string, number>;
let reports: string[];
let transport: ReturnType<typeof createTransport>;
beforeEach(async () => {
  [asked, there, reports] = [[], {}, []];
  const server = await startLocalServer((request, reply) => {
    request.resume();
    asked.push(request.url ?? '');
    reply.writeHead(there[request.url ?? ''] ?? 404, { 'content-type': 'application/json' }).end('{"error":{"message":"said no"}}');
  });
  origin = server.url;
  transport = createTransport('test/1', (message) => void reports.push(message));
});
afterEach(() => transport.dispose());

const post = (url: string) => transport.post({ url, headers: {}, body: {}, take: () => true }, new AbortController().signal);

test.each(['/chat/completions', '/messages', '/responses', '/audio/speech'])('%s: the /v1 address is used once it works and reported once', async (path) => {
  there[`/v1${path}`] = 200;
  expect(await post(origin + path)).toBeUndefined();
  expect(await post(origin + path)).toBeUndefined();
  expect(await transport.get({ url: `${origin}/models`, headers: {} }, new AbortController().signal)).toMatchObject({
    ok: false,
    url: `${origin}/v1/models`,
  });
  expect(asked).toEqual([path, `/v1${path}`, `/v1${path}`, '/v1/models']);
  expect(reports).toEqual([`${origin} returned status 404, but ${origin}/v1 works and is used until the server ends. Add /v1 to the base URL.`]);
});

test('any status other than 404 confirms the /v1 address', async () => {
  there['/v1/chat/completions'] = 401;
  expect(await post(`${origin}/chat/completions`)).toMatchObject({ kind: 'auth', url: `${origin}/v1/chat/completions` });
  expect(reports).toHaveLength(1);
});

test.each(['/v1', '/api/v1', '/v1beta/openai', '/openai/v4'])('the base %s includes a version, so no other address is tried', async (base) => {
  expect(await post(`${origin}${base}/chat/completions`)).toMatchObject({ kind: 'refused', status: 404, url: `${origin}${base}/chat/completions` });
  expect(asked).toHaveLength(1);
});

test('if both addresses return 404, the fault names the configured one', async () => {
  expect(await post(`${origin}/llm/chat/completions`)).toMatchObject({ kind: 'refused', status: 404, url: `${origin}/llm/chat/completions` });
  expect(asked).toEqual(['/llm/chat/completions', '/llm/v1/chat/completions']);
  expect(reports).toEqual([]);
});

test('the error of a call contains the address without password and query', async () => {
  const opened = await openModels([], { environment: { AGENT_API_BASE_URL: `${origin.replace('//', '//me:secret@')}/v1?key=x` } });
  await expect(opened.ask()).rejects.toMatchObject({
    code: 'MODELS_ERR_PROVIDER_REFUSED',
    message: `The model provider at ${origin}/v1/chat/completions rejected the request for model 'scripted': said no. Check AGENT_MODEL and AGENT_API_BASE_URL.`,
  });
});
