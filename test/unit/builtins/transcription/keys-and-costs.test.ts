// Tests the endpoint and API key used for transcription, and the reported cost.
import { expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { startScriptedAudio, type AudioAnswer, type AudioAsked, type ScriptedAudio } from '../../../helpers/scripted-audio.ts';
import { babbleOf, dataUrlOf } from '../../../helpers/spoken.ts';

let harness: Harness;

const builtins = ['audio-engines', 'audio-hosted', 'transcription', 'model-demo', 'model-chat-completions'];

const serve = (script: (asked: AudioAsked) => AudioAnswer = () => ({ body: { text: 'heard' } })): Promise<ScriptedAudio> => startScriptedAudio(script);
const open = async (environment: Record<string, string>): Promise<Harness> =>
  (harness = await startHarness({ builtins, environment: { AGENT_RETRY_MAX_DELAY_MS: '1', ...environment } }));

async function transcribe(seconds = 1): Promise<any> {
  const { call } = harness;
  const { body } = await call('POST', '/api/audio/upload', { dataUrl: dataUrlOf(babbleOf(seconds)) });
  return (await call('POST', '/api/transcribe', { attachmentId: body.attachmentId })).body;
}

test('prefers the transcription key over the main key and sends each only to its own endpoint', async () => {
  const [main, other] = [await serve(), await serve()];
  await open({ AGENT_API_BASE_URL: main.url, AGENT_API_KEY: 'main-key', AGENT_TRANSCRIBE_API_KEY: 'ear-key' });
  expect((await transcribe()).text).toBe('heard');
  expect(main.asked.at(-1)?.headers.authorization).toBe('Bearer ear-key');
  await open({ AGENT_API_BASE_URL: main.url, AGENT_API_KEY: 'main-key', AGENT_AUDIO_BASE_URL: other.url });
  expect((await transcribe()).text).toBe('heard');
  expect([main.asked.length, other.asked.at(-1)?.headers.authorization]).toEqual([1, 'Bearer main-key']);
  await open({ OPENROUTER_API_KEY: 'sk-or-1', AGENT_AUDIO_BASE_URL: other.url });
  expect((await transcribe()).text).toBe('heard');
  expect(other.asked.at(-1)?.headers).not.toHaveProperty('authorization');
  const { call } = await open({ AGENT_AUDIO_BASE_URL: other.url, AGENT_TRANSCRIBE_MODEL: 'local' });
  expect((await call('GET', '/api/audio/engines')).body.transcription).toMatchObject({ inUse: 'provider', engines: [{ goesTo: new URL(other.url).host }] });
  expect((await transcribe()).text).toBe('heard');
  expect(other.asked.at(-1)?.fields['model']).toBe('local');
});

test('returns 503 with the missing setting when no key and no endpoint is set', async () => {
  const { call } = await open({});
  const { body } = await call('POST', '/api/audio/upload', { dataUrl: dataUrlOf(babbleOf(1)) });
  const refused = await call('POST', '/api/transcribe', { attachmentId: body.attachmentId });
  expect([refused.status, refused.body.error.code]).toEqual([503, 'no_engine']);
  expect(refused.body.error.message).toContain('AGENT_TRANSCRIBE_API_KEY');
  expect((await call('GET', '/api/audio/engines')).body.transcription).toMatchObject({ inUse: null, engines: [{ name: 'provider', code: 'no_key' }] });
});

test('stops calling an endpoint without audio routes and reports that', async () => {
  const main = await serve(() => ({ status: 404, body: '404 page not found' }));
  const { call } = await open({ AGENT_API_BASE_URL: main.url });
  expect((await transcribe()).error).toMatchObject({ code: 'no_routes', message: expect.stringContaining('AGENT_AUDIO_BASE_URL') });
  expect((await transcribe()).error.code).toBe('no_engine');
  expect((await call('GET', '/api/audio/engines')).body.transcription.engines).toMatchObject([{ name: 'provider', code: 'not_offered' }]);
  expect(main.asked).toHaveLength(1);
});

test('takes the cost from the reply, else from the price table, else reports it as unknown', async () => {
  const replies: object[] = [
    { text: 'a', usage: { cost: 0.0421 } },
    { text: 'b', usage: { cost: 0 } },
    { text: 'c', duration: 60 },
    { text: 'd' },
    { text: 'e', usage: { type: 'tokens', input_tokens: 1_000, output_tokens: 100 } },
    { text: 'f' },
    { text: 'g', usage: { seconds: 30 } },
  ];
  const main = await serve(({ at }) => ({ body: replies[at - 1] ?? {} }));
  const environment = { AGENT_API_BASE_URL: main.url, AGENT_API_KEY: 'k' };
  await open(environment);
  const costs: unknown[] = [];
  for (let at = 0; at < 4; at++) costs.push((await transcribe(2)).cost);
  await open({ ...environment, AGENT_TRANSCRIBE_MODEL: 'gpt-4o-transcribe' });
  costs.push((await transcribe()).cost);
  const { call } = await open({ ...environment, AGENT_TRANSCRIBE_MODEL: 'somebody/else' });
  costs.push((await transcribe()).cost, (await transcribe()).cost);
  expect(costs).toEqual([0.0421, 0, 0.0015, 0.00005, 0.0035, null, null]);
  const rows = JSON.stringify((await call('GET', '/api/usage')).body);
  expect(rows).toContain('"somebody/else"');
});

test('counts the cost toward the daily budget and sends nothing beyond it', async () => {
  const main = await serve(() => ({ body: { text: 'heard', usage: { cost: 0.02 } } }));
  await open({ AGENT_API_BASE_URL: main.url, AGENT_API_KEY: 'k', AGENT_BUDGET_USD_PER_DAY: '0.015' });
  expect((await transcribe()).text).toBe('heard');
  expect((await transcribe()).error.code).toBe('day_budget');
  expect(main.asked.filter(({ path }) => path !== '/v1/models')).toHaveLength(1);
});

test('reports rate limits and unusable replies with a readable error', async () => {
  let answer: AudioAnswer = { status: 429, body: { error: { message: 'slow down' } } };
  const main = await serve(({ at }) => (at === 1 ? { status: 503 } : answer));
  await open({ AGENT_API_BASE_URL: main.url, AGENT_API_KEY: 'k', AGENT_RATE_LIMIT_MAX_RETRIES: '1', AGENT_TRANSIENT_5XX_MAX_RETRIES: '1' });
  expect((await transcribe()).error).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('slow down') });
  expect(main.asked).toHaveLength(3);
  answer = { body: '<html>', headers: { 'content-type': 'text/html' } };
  expect((await transcribe()).error).toMatchObject({ code: 'bad_reply', message: expect.stringContaining('it is a page') });
  answer = { body: { segments: [] } };
  expect((await transcribe()).error).toMatchObject({ code: 'bad_reply', message: expect.stringContaining('it has no text') });
});

test('reports a provider that sends nothing within the idle limit', async () => {
  const main = await serve(() => ({ until: new Promise(() => undefined) }));
  await open({ AGENT_API_BASE_URL: main.url, AGENT_API_KEY: 'k', AGENT_TRANSIENT_5XX_MAX_RETRIES: '0', AGENT_STREAM_IDLE_MS: '200' });
  expect((await transcribe()).error).toMatchObject({
    code: 'provider_unavailable',
    message: expect.stringContaining('the provider sent no data for 0.2 s (limit: AGENT_STREAM_IDLE_MS)'),
  });
});
