// Tests that a turn ends for the right reason, whatever the provider does, and that the next turn works. One server, a chat per case.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import {
  callOf,
  deltaOf,
  endOf,
  refuses,
  repeats,
  resets,
  sends,
  stalls,
  startHostileProvider,
  sufferTurn,
  type Answer,
  type HostileProvider,
} from './hostile-bench.ts';

const environment = {
  AGENT_API_KEY: 'test-key',
  AGENT_MODEL: 'hostile',
  AGENT_RETRY_MAX_DELAY_MS: '5',
  AGENT_RATE_LIMIT_MAX_RETRIES: '2',
  AGENT_TRANSIENT_5XX_MAX_RETRIES: '2',
};
let provider: HostileProvider;
let harness: Harness;
beforeAll(async () => {
  provider = await startHostileProvider();
  harness = await start();
});
beforeEach(async () => void (await harness.call('POST', '/api/chats', {})));
afterEach(async () => {
  provider.answers.length = 0;
  provider.asked.length = 0;
  await setIdleLimit(null);
});
afterAll(async () => {
  expect(await harness.close()).toEqual([]);
  await provider.close();
});

function start(more: Record<string, string> = {}): Promise<Harness> {
  return startHarness({ builtins: ['model-chat-completions', 'files'], environment: { ...environment, AGENT_API_BASE_URL: provider.url, ...more } });
}

async function setIdleLimit(ms: string | null): Promise<void> {
  const { status } = await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_STREAM_IDLE_MS: ms, AGENT_FIRST_TOKEN_MS: ms } } });
  expect(status).toBe(200);
}

/** Not for all cases, because a busy machine may stall too. */
const losePatience = (): Promise<void> => setIdleLimit('150');

const text = (content: string): string => deltaOf({ content });
const megabyte = 'x'.repeat(1024 * 1024);
const thrice = (answer: Answer): Answer[] => [answer, answer, answer];
const json =
  (body: string): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(body);

test.each<[string, Answer[], string, RegExp]>([
  ['too many requests', thrice(refuses(429)), 'rate_limited', /no/],
  ['too many requests with a Retry-After of an hour', thrice(refuses(429, { 'retry-after': '3600' })), 'rate_limited', /no/],
  ['an invalid Retry-After', thrice(refuses(429, { 'retry-after': 'soon, -1' })), 'rate_limited', /no/],
  ['500', thrice(refuses(500)), 'provider_unavailable', /no/],
  ['503', thrice(refuses(503, { 'retry-after': '1e999' })), 'provider_unavailable', /no/],
  ['a reset before the reply', thrice(resets()), 'provider_unavailable', /hang up|ECONNRESET|closed/],
  ['a reset inside the reply', thrice(resets(text('so '))), 'provider_unavailable', /./],
  ['a reset inside a line', thrice(resets('data: {"choices":[{"del')), 'provider_unavailable', /./],
  ['an end without a finish reason', thrice(sends(text('so '))), 'provider_unavailable', /ended before it was complete/],
  ['silence before the first token', [stalls()], 'provider_slow', /did not begin/],
  ['silence within the reply', thrice(stalls(text('so '))), 'provider_unavailable', /sent no data for/],
  ['endless comments', [repeats(() => ': still here\n\n')], 'provider_slow', /did not begin/],
  ['deltas without content', [repeats(() => deltaOf({ content: '' }))], 'provider_slow', /did not begin/],
  ['endless text', [repeats(() => text(megabyte))], 'bad_reply', /8 MB/],
  ['50 MB of text', [sends(...Array<string>(50).fill(text(megabyte)), endOf('stop'))], 'bad_reply', /8 MB/],
  ['endless reasoning', [repeats(() => deltaOf({ reasoning: megabyte }))], 'bad_reply', /reasoning.*8 MB/],
  ['endless arguments', [repeats((count) => callOf(count === 0 ? '{"path":"' : megabyte))], 'bad_reply', /4 MB/],
  ['endless calls', [repeats((count) => callOf('{}', { index: count, id: `call_${count}` }))], 'bad_reply', /256 tool calls/],
  ['an endless name', [sends(callOf('', { function: { name: megabyte } }), endOf('tool_calls'))], 'bad_reply', /name.*too long/],
  ['an endless line', [repeats((count) => (count === 0 ? 'data: "' : megabyte))], 'bad_reply', /too long/],
  ['an endless document', [json(JSON.stringify({ a: megabyte.repeat(17) }))], 'bad_reply', /too long/],
  ['broken JSON in the stream', thrice(sends(text('so '), 'data: {"choices":[{"delta"\n\n', endOf('stop'))), 'provider_unavailable', /not JSON/],
  ['invalid UTF-8', thrice(sends('data: \u0000\ufffd\n\n')), 'provider_unavailable', /not JSON/],
  ['another content type', [(response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')], 'bad_reply', /text\/html/],
  ['repeated empty replies', thrice(sends(endOf('stop'))), 'empty_reply', /neither text nor a tool call/],
  ['blanks', thrice(sends(text(' \n'), endOf('stop'))), 'empty_reply', /neither/],
  ['only reasoning', thrice(sends(deltaOf({ reasoning: 'hm' }), endOf('length'))), 'empty_reply', /AGENT_MAX_COMPLETION_TOKENS/],
  ['a filtered reply', thrice(sends(endOf('content_filter'))), 'empty_reply', /held/],
])('%s ends the turn with an error', async (_, answers, code, message) => {
  if (message.source === 'sent no data for' || code === 'provider_slow') await losePatience();
  provider.answers.push(...answers);
  const { end, events } = await sufferTurn(harness, () => {
    provider.answers.length = 0;
    return setIdleLimit(null);
  });
  expect(end).toMatchObject({ reason: 'error', error: { code, message: expect.stringMatching(message) } });
  const retries = events.filter((event) => event.kind === 'provider_retry');
  expect(retries).toHaveLength({ bad_reply: 0, provider_slow: 0, empty_reply: 1 }[code] ?? 2);
  for (const { delayMs } of retries) expect(delayMs).toBeLessThanOrEqual(5);
});

test.each<[string, Answer[], string]>([
  ['a temporary rate limit', [refuses(429, { 'retry-after': '1' })], 'fine'],
  ['a temporary reset, with its text discarded', [resets(text('half of'))], 'fine'],
  ['a temporary silence', [stalls(text('half of'))], 'fine'],
  ['one empty reply', [sends(endOf('stop'))], 'fine'],
  ['one broken event', [sends(text('half of'), 'data: {"choices":[{"delta"\n\n')], 'fine'],
  ['arguments that are not JSON', [sends(callOf('{"path": '), endOf('tool_calls'))], 'fine'],
  ['arguments of another shape', [sends(callOf('[[[7]]]'), endOf('tool_calls'))], 'fine'],
  ['an unknown tool', [sends(callOf('{}', { function: { name: 'launch_rockets', arguments: '{}' } }), endOf('tool_calls'))], 'fine'],
  ['a tool named like an Object.prototype property', [sends(callOf('{}', { function: { name: '__proto__', arguments: '{}' } }), endOf('tool_calls'))], 'fine'],
  ['call ids repeated in the next reply', [sends(callOf('{}'), endOf('tool_calls')), sends(callOf('{}'), endOf('tool_calls'))], 'fine'],
  ['a call without a name', [sends(callOf('{}', { function: { arguments: '{}' } }), endOf('tool_calls'))], 'fine'],
  ['a huge index', [sends(callOf('{}', { index: 4_294_967_294 }), endOf('tool_calls'))], 'fine'],
])('the turn survives %s', async (name, answers, said) => {
  if (name === 'a temporary silence') await losePatience();
  provider.answers.push(...answers);
  const { end, events } = await sufferTurn(harness);
  expect(end).toMatchObject({ reason: 'done' });
  const last = events.filter((event) => event.kind === 'text').at(-1);
  expect(last).toMatchObject({ offset: 0, delta: said });
  // Each call in the conversation has its own id and result.
  const messages: any[] = provider.asked.at(-1).messages;
  const ids = messages.flatMap((message) => (message.tool_calls ?? []).map((call: any) => call.id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(messages.filter((message) => message.role === 'tool').map((message) => message.tool_call_id)).toEqual(ids);
});

test('repeated call ids within one reply are harmless, and every call gets a result', async () => {
  const twice = [0, 1].map((index) => ({ index, id: 'same', function: { name: 'list_directory', arguments: '{}' } }));
  provider.answers.push(sends(deltaOf({ tool_calls: twice }), endOf('tool_calls')));
  expect((await sufferTurn(harness)).end).toMatchObject({ reason: 'done' });
});

test.each([301, 302, 303, 307, 308])('does not follow a redirect (%i) to a private address', async (status) => {
  let visits = 0;
  const inside = createServer((_, response) => void (visits++, response.end('{}')));
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  const location = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/secret`;
  provider.answers.push((response) => void response.writeHead(status, { location }).end());
  const { end } = await sufferTurn(harness);
  expect(end).toMatchObject({ reason: 'error', error: { code: 'provider_refused', message: expect.stringContaining('redirect') } });
  expect(visits).toBe(0);
  await new Promise((resolve) => inside.close(resolve));
});
