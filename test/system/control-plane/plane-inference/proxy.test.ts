// Tests the inference proxy over HTTP with the OpenAI client.
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { addMember } from '../../../helpers/plane.ts';
import { startRig, type Rig } from './kit.ts';

async function clientOf({ plane, member }: Rig): Promise<OpenAI> {
  const { status, body } = await plane.call('POST', '/api/inference/session', { token: member.token, body: {} });
  expect(status).toBe(200);
  return new OpenAI({ apiKey: body.token, baseURL: body.baseURL, maxRetries: 2 });
}

const question = { model: 'scripted', messages: [{ role: 'user' as const, content: 'Hello!' }] };
const path = '/api/inference/v1/chat/completions';

test('streams an answer, settles it by the reported usage and hides the unrequested usage chunk', async () => {
  const rig = await startRig([{ text: ['Hel', 'lo', '!'], usage: { input: 100, output: 30, cached: 40 } }]);
  const client = await clientOf(rig);
  const chunks = [];
  for await (const chunk of await client.chat.completions.create({ ...question, stream: true })) chunks.push(chunk);
  expect(chunks.map((one) => one.choices[0]?.delta.content ?? '').join('')).toBe('Hello!');
  expect(chunks.every((one) => one.choices.length === 1)).toBe(true);
  expect(rig.model.requests[0]?.headers.authorization).toBe('Bearer sk-upstream-secret');
  expect(rig.model.requests[0]?.body).toEqual({ ...question, stream: true, max_tokens: 8192, stream_options: { include_usage: true } });
  const [receipt] = await rig.settled(1);
  // 60 fresh tokens, 40 cached ones at half the price, 30 output tokens at twice.
  expect(receipt).toMatchObject({ amountMicro: 60 + 20 + 60, inputTokens: 100, cachedTokens: 40, outputTokens: 30, basis: 'usage', outcome: 'complete' });
  expect(await rig.wallet()).toMatchObject({ usedMicro: 140, heldMicro: 0, remainingMicro: 1_000_000 - 140 });
  expect(await rig.query('select * from inference_audit')).toEqual([]);
});

test('passes tools and images through and returns the provider’s bytes unchanged', async () => {
  const reply = { reasoning: 'Hm.', text: ['Look: '], toolCalls: [{ name: 'read_file', args: { path: 'é.txt' }, fragments: 3 }], always: true } as const;
  const rig = await startRig([reply]);
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    },
  ];
  const tools = [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } } }];
  const body = { model: 'scripted', messages, tools, stream: true, stream_options: { include_usage: true }, max_tokens: 50, seed: 1 };
  const send = (url: string, headers: Record<string, string>): Promise<Response> =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
  const direct = await (await send(`${rig.model.url}/chat/completions`, {})).text();
  const through = await send(`${rig.plane.url}${path}`, { authorization: `Bearer ${rig.member.token}` });
  expect(through.headers.get('content-type')).toBe('text/event-stream');
  expect(await through.text()).toBe(direct.replaceAll('gen-0', 'gen-1'));
  expect(direct).toContain('"usage":{');
  expect(rig.model.requests[1]?.body).toEqual(body);
  await rig.settled(1);
});

test('bills the cost reported by the provider instead of the price table, even zero', async () => {
  const rig = await startRig([
    { text: 'Hi.', usage: { input: 7, output: 3, cost: 0.0000234 } },
    { text: 'Hi.', usage: { input: 7, output: 3, cost: 0 } },
  ]);
  const client = await clientOf(rig);
  const first = await client.chat.completions.create(question);
  expect(first.choices[0]?.message.content).toBe('Hi.');
  await rig.settled(1);
  await client.chat.completions.create(question);
  const receipts = await rig.settled(2);
  expect(receipts.map(({ amountMicro, basis }) => [amountMicro, basis])).toEqual([
    [0, 'cost'],
    [24, 'cost'],
  ]);
});

test('bills an aborted stream by the final usage that the provider reports', async () => {
  let goOn = (): void => undefined;
  const until = new Promise<void>((resolve) => (goOn = resolve));
  const rig = await startRig([{ text: ['a', 'b', 'c'], stallAfter: 1, until, usage: { input: 50, output: 25 } }]);
  const client = await clientOf(rig);
  const stream = await client.chat.completions.create({ ...question, stream: true });
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
  stream.controller.abort();
  await expect.poll(async () => (await rig.plane.call('GET', '/metrics')).body).toContain('plane_inference_read_on 1');
  goOn();
  const [receipt] = await rig.settled(1);
  expect(receipt).toMatchObject({ amountMicro: 50 + 50, basis: 'usage', outcome: 'left' });
  expect(await rig.model.requests[0]?.ended).toBe('complete');
});

test('cuts an aborted stream off after the drain limit and estimates the cost by the delivered tokens', async () => {
  const rig = await startRig([{ text: ['aaaa', 'bbbb', 'cccc', 'dddd'], stallAfter: 3 }], { environment: { HUB_DRAIN_MS: '30' } });
  const client = await clientOf(rig);
  const stream = await client.chat.completions.create({ ...question, stream: true });
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'cccc') break;
  stream.controller.abort();
  const [receipt] = await rig.settled(1);
  expect(receipt).toMatchObject({ basis: 'estimate', outcome: 'left', outputTokens: 3 });
  expect(await rig.model.requests[0]?.ended).toBe('gone');
});

test('breaks the client’s stream when the provider cuts it off and bills it once', async () => {
  const rig = await startRig([{ text: ['one ', 'two ', 'three'], cutAfter: 2 }]);
  const client = await clientOf(rig);
  const read = async (): Promise<void> => {
    for await (const _ of await client.chat.completions.create({ ...question, stream: true })) void _;
  };
  await expect(read()).rejects.toThrow();
  const [receipt] = await rig.settled(1);
  expect(receipt).toMatchObject({ basis: 'estimate', outcome: 'cut', outputTokens: 2 });
});

test('shortens the answer when credit is low and returns 402 with the balance below 256 tokens', async () => {
  const rig = await startRig([{ text: 'ok', usage: { input: 40, output: 300 }, always: true }], { credits: 0.001 });
  const client = await clientOf(rig);
  const { response } = await client.chat.completions.create({ ...question, max_tokens: 4000 }).withResponse();
  const shrunk = Number(response.headers.get('x-hub-max-tokens'));
  expect(shrunk).toBeGreaterThan(256);
  expect(shrunk).toBeLessThan(500);
  expect(rig.model.requests[0]?.body.max_tokens).toBe(shrunk);
  await rig.settled(1);
  const refused = await client.chat.completions.create({ ...question, max_tokens: 4000 }).catch((fault: unknown) => fault);
  expect(refused).toMatchObject({ status: 402, code: 'budget_exceeded', error: { details: { remainingMicro: 360, capMicro: 1000, usedMicro: 640 } } });
  expect((refused as Error).message).toMatch(/0\.00036 credits are left.*Ask an owner.*A new period begins on/s);
  await client.chat.completions.create({ ...question, max_tokens: 20 });
  expect(rig.model.requests).toHaveLength(2);
});

test('lets the client retry a busy provider and bills only the answer', async () => {
  const rig = await startRig([
    { status: 429, headers: { 'retry-after': '0' } },
    { text: 'ok', usage: { input: 1, output: 1 } },
  ]);
  const client = await clientOf(rig);
  expect((await client.chat.completions.create(question)).choices[0]?.message.content).toBe('ok');
  expect(await rig.settled(1)).toHaveLength(1);
  expect(await rig.query('select state, count(*) from inference_hold group by 1 order by 1')).toEqual([
    { state: 'settled', count: 1 },
    { state: 'voided', count: 1 },
  ]);
});

test('removes the provider key from errors and logs, and returns 502 when the provider rejects it', async () => {
  const rig = await startRig([
    { status: 401, body: { error: { message: 'Incorrect API key sk-upstream-secret' } } },
    { status: 400, body: { error: { message: 'bad request of sk-upstream-secret' } } },
  ]);
  const { token } = rig.member;
  expect(await rig.plane.call('POST', path, { token, body: question })).toMatchObject({ status: 502, body: { error: { code: 'upstream_refused' } } });
  const refused = await rig.plane.call('POST', path, { token, body: question });
  expect(refused).toMatchObject({ status: 400, body: { error: { message: 'bad request of [key]' } } });
  expect(rig.plane.logs.join('\n')).not.toContain('sk-upstream-secret');
  await rig.model.close();
  expect(await rig.plane.call('POST', path, { token, body: question })).toMatchObject({ status: 502, body: { error: { code: 'upstream_unreachable' } } });
  await expect.poll(() => rig.wallet()).toMatchObject({ usedMicro: 0, heldMicro: 0 });
});

test('rejects unpriced models and fields with other pricing before a hold is made', async () => {
  const rig = await startRig([]);
  const { token } = rig.member;
  const ask = (body: object): ReturnType<Rig['plane']['call']> => rig.plane.call('POST', path, { token, body });
  expect(await ask({ ...question, model: 'other' })).toMatchObject({ status: 422, body: { error: { code: 'model_unpriced' } } });
  const odds: readonly object[] = [
    ...[
      { models: ['a', 'b'] },
      { service_tier: 'priority' },
      { n: 0 },
      { n: 2 },
      { n: '1' },
      { max_tokens: -1 },
      { max_completion_tokens: 1.5 },
      { messages: [] },
    ],
    ...[{ model: 3 }, { best_of: 20 }, { max_output_tokens: 9 }, { max_new_tokens: 9 }, { plugins: [] }, { web_search_options: {} }, { modalities: ['audio'] }],
    ...[{ prediction: { type: 'content', content: 'x' } }, { tools: [{ type: 'web_search' }] }, { tools: ['x'] }, { provider: {} }, { extra_body: { n: 9 } }],
    ...[{ N: 2 }, { ' n': 2 }, { route: 'fallback' }],
  ];
  for (const odd of odds) expect(await ask({ ...question, ...odd })).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  expect(await rig.query('select 1 from inference_hold')).toEqual([]);
  expect((await rig.plane.call('GET', '/api/inference/v1/models', { token })).body.data).toMatchObject([
    { id: 'scripted', pricing: { prompt: '0.000001', completion: '0.000002', input_cache_read: '5e-7' } },
  ]);
});

test('returns 503 not_configured without a provider', async () => {
  const rig = await startRig([], { environment: { HUB_UPSTREAM_BASE_URL: '' } });
  expect(await rig.plane.call('POST', path, { token: rig.member.token, body: question })).toMatchObject({
    status: 503,
    body: { error: { code: 'not_configured' } },
  });
});

test('ends a session at its expiry and with its license, and requires the member role and the entitlement', async () => {
  const rig = await startRig([{ text: 'ok', always: true }], { environment: { HUB_INFERENCE_SESSION_MS: '1000' } });
  const { plane, member } = rig;
  const begin = async (token: string): Promise<string> => (await plane.call('POST', '/api/inference/session', { token, body: {} })).body.token;
  const short = await begin(member.token);
  expect((await plane.call('POST', path, { token: short, body: question })).status).toBe(200);
  await rig.query(`update inference_session set expires_at = now() - interval '1 second'`);
  await expect
    .poll(() => plane.call('POST', path, { token: short, body: question }))
    .toMatchObject({ status: 401, body: { error: { code: 'token_expired' } } });
  const other = await addMember(plane, { email: 'bob@example.org', role: 'member' });
  const revoked = await begin(other.token);
  expect(await plane.call('POST', '/api/license/revoke', { token: other.token, body: {} })).toMatchObject({ status: 200 });
  await expect
    .poll(() => plane.call('POST', path, { token: revoked, body: question }))
    .toMatchObject({ status: 401, body: { error: { code: 'token_revoked' } } });
  expect((await plane.call('POST', path, { token: `hubs_${'a'.repeat(43)}`, body: question })).status).toBe(401);
  const viewer = await addMember(plane, { email: 'eve@example.org', role: 'viewer' });
  expect(await plane.call('POST', path, { token: viewer.token, body: question })).toMatchObject({ status: 403 });
  const unpaid = await addMember(plane, { email: 'tom@example.org', role: 'owner', org: 'Free', tier: 'community' });
  expect(await plane.call('POST', path, { token: unpaid.token, body: question })).toMatchObject({
    status: 403,
    body: { error: { code: 'entitlement_required' } },
  });
});
