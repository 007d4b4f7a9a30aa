import { describe, expect, test } from 'vitest';
import type { ScriptedReply } from '../../../helpers/scripted-model.ts';
import { asModule, openModels, type OpenedModels } from './open-models.ts';

let opened: OpenedModels | undefined;

const key = 'test-key-0123456789';
async function open(wire: string, replies: readonly ScriptedReply[], environment: Record<string, string> = {}): Promise<OpenedModels> {
  return (opened = await openModels(replies, { environment: { AGENT_MODEL_WIRE: wire, AGENT_API_KEY: key, ...environment } }));
}

async function faultOf(asked: Promise<unknown>): Promise<any> {
  return asked.then(
    () => expect.fail('should have failed'),
    (fault: unknown) => fault,
  );
}

describe.each(['chat-completions', 'messages'])('over the wire %s', (wire) => {
  test.each([
    [400, 'PROVIDER_REFUSED'],
    [401, 'PROVIDER_AUTH'],
    [403, 'PROVIDER_AUTH'],
    [402, 'BUDGET'],
    [404, 'PROVIDER_REFUSED'],
    [413, 'CONTEXT_OVERFLOW'],
  ])('status %i is final and becomes %s with the provider message', async (status, reason) => {
    const { ask, model } = await open(wire, [{ status, body: { error: { message: `no, not with ${key}` } } }]);
    const fault = await faultOf(ask());
    expect(fault).toMatchObject({ code: `MODELS_ERR_${reason}`, details: { status, model: 'scripted' } });
    expect(fault.message).toContain('no, not with [key]');
    expect(JSON.stringify([fault.message, fault.details])).not.toContain(key);
    expect(model.requests).toHaveLength(1);
  });

  test('a long error is truncated, and an error page is reported by its status only', async () => {
    const { ask } = await open(wire, [
      { status: 400, body: { error: { message: 'x'.repeat(5_000) } } },
      { status: 404, body: '<html>nothing here</html>', headers: { 'content-type': 'text/html' } },
    ]);
    expect((await faultOf(ask())).details.why).toHaveLength(500);
    expect((await faultOf(ask())).details.why).toBe('HTTP 404');
  });

  test.each([408, 409, 500, 502, 529])('retries status %i until the retry limit', async (status) => {
    const { ask, model } = await open(wire, [{ status, always: true }], { AGENT_TRANSIENT_5XX_MAX_RETRIES: '2' });
    expect(await faultOf(ask())).toMatchObject({ code: 'MODELS_ERR_PROVIDER_UNAVAILABLE', status: 502, details: { status } });
    expect(model.requests).toHaveLength(3);
  });

  test('a persistent rate limit is reported as rate limited', async () => {
    const { ask, model } = await open(wire, [{ status: 429, always: true }], { AGENT_RATE_LIMIT_MAX_RETRIES: '1' });
    expect(await faultOf(ask())).toMatchObject({ code: 'MODELS_ERR_RATE_LIMITED', status: 429 });
    expect(model.requests).toHaveLength(2);
  });

  test('an empty account reported as a rate limit is not retried', async () => {
    const { ask } = await open(wire, [{ status: 429, body: { error: { message: 'You exceeded your quota', type: 'insufficient_quota' } } }]);
    expect(await faultOf(ask())).toMatchObject({ code: 'MODELS_ERR_BUDGET' });
  });

  test('a refused connection is retried and reported as provider unavailable', async () => {
    const { ask, model } = await open(wire, [], { AGENT_TRANSIENT_5XX_MAX_RETRIES: '1' });
    await model.close();
    expect(await faultOf(ask())).toMatchObject({ code: 'MODELS_ERR_PROVIDER_UNAVAILABLE', details: { why: expect.stringContaining('ECONNREFUSED') } });
  });

  test('does not follow a redirect', async () => {
    const { ask } = await open(wire, [{ status: 307, headers: { location: 'http://127.0.0.1:9/' }, body: '' }]);
    expect(await faultOf(ask())).toMatchObject({ code: 'MODELS_ERR_PROVIDER_REFUSED', details: { why: expect.stringContaining('redirect') } });
  });

  test.each([
    ['a page', { body: '<html></html>', headers: { 'content-type': 'text/html; charset=utf-8' } }, /text\/html.*AGENT_API_BASE_URL/],
    ['an empty document', { body: {} }, /without/],
    [
      'an unknown shape',
      {
        body: 'data: {"choices":7,"type":"content_block_start","content_block":{"type":"tool_use","name":7,"input":"x"}}\n\ndata: 7\n\n',
        headers: { 'content-type': 'text/event-stream' },
      },
      /format/,
    ],
  ])('%s instead of a reply is reported as a bad reply', async (_, reply, message) => {
    const { ask } = await open(wire, [reply]);
    const fault = await faultOf(ask());
    expect(fault.code).toBe('MODELS_ERR_BAD_REPLY');
    expect(fault.message).toMatch(message);
    expect(fault.message).not.toMatch(/undefined|null|iterable|function|properties/);
  });

  test.each([
    ['a broken event', { body: 'data: {"choices":[{"del\n\n', headers: { 'content-type': 'text/event-stream' } }],
    ['a broken document', { body: '{"choices":', headers: { 'content-type': 'application/json' } }],
  ])('%s counts as a truncated reply, which is discarded and requested again', async (_, reply) => {
    const { ask, seen, model } = await open(wire, [reply, { text: 'whole' }]);
    expect(await ask()).toMatchObject({ text: 'whole' });
    expect(seen.retries).toMatchObject([{ attempt: 1, reason: 'the provider sent a reply that is not JSON' }]);
    expect(model.requests).toHaveLength(2);
  });

  test('a null event is ignored', async () => {
    const { ask, seen } = await open(wire, [{ body: 'data: null\n\ndata: [DONE]\n\n', headers: { 'content-type': 'text/event-stream' } }, { text: 'said' }]);
    expect(await ask()).toMatchObject({ text: 'said' });
    expect(seen.retries).toMatchObject([{ reason: expect.stringContaining('neither text nor a tool call') }]);
  });

  test('an error object within a stream is classified by its message', async () => {
    const inStream = (error: object): ScriptedReply => ({
      body: `data: ${JSON.stringify({ type: 'error', error })}\n\n`,
      headers: { 'content-type': 'text/event-stream' },
    });
    const { ask, seen } = await open(wire, [
      inStream({ type: 'overloaded_error', message: 'Overloaded' }),
      inStream({ code: 429, message: 'slow down' }),
      inStream({ message: 'who knows' }),
      inStream({ type: 'invalid_request_error', message: 'prompt is too long' }),
    ]);
    expect(await faultOf(ask())).toMatchObject({ code: 'MODELS_ERR_CONTEXT_OVERFLOW', details: { why: 'prompt is too long' } });
    expect(seen.retries.map(({ reason }) => reason)).toEqual(['Overloaded', 'slow down', 'who knows']);
  });

  test('an endless reply is cut off', async () => {
    const { ask, model } = await open(wire, [
      { text: Array<string>(9).fill('x'.repeat(1024 * 1024)) },
      { toolCalls: [{ name: 'write_file', args: `"${'y'.repeat(5 * 1024 * 1024)}"`, fragments: 5 }], stallAfter: 6 },
    ]);
    expect((await faultOf(ask())).message).toContain('8 MB');
    expect((await faultOf(ask())).message).toContain('4 MB');
    expect(await model.requests[1]?.ended).toBe('gone');
  });
});

test('a throwing adapter is reported as a bad reply, and a wire without an adapter includes advice', async () => {
  const demo = asModule({
    register(registry: any) {
      registry.add('model_adapter', { name: 'broken', wire: 'demo', load: async () => ({ stream: () => Promise.reject(new Error('oops')) }) });
    },
  });
  opened = await openModels([], { environment: { AGENT_API_KEY: undefined, AGENT_API_BASE_URL: undefined }, modules: { demo } });
  expect(await faultOf(opened.ask())).toMatchObject({ code: 'MODELS_ERR_BAD_REPLY', details: { why: expect.stringContaining('oops') } });
  await opened.close();
  opened = await openModels([], { environment: { AGENT_API_KEY: undefined, AGENT_API_BASE_URL: undefined } });
  expect(await faultOf(opened.ask())).toMatchObject({ code: 'MODELS_ERR_NO_ADAPTER', status: 503, message: expect.stringContaining('AGENT_API_KEY') });
});

test('a second adapter for a wire is rejected, naming both owners', async () => {
  const second = asModule({ register: (registry: any) => void registry.add('model_adapter', { name: 'mine', wire: 'messages', load: async () => ({}) }) });
  opened = await openModels([], { modules: { second } });
  const report = opened.kernel.control.report().plugins.find(({ name }) => name === 'second');
  expect(report).toMatchObject({ state: 'failed' });
  expect(report?.reason).toMatch(/messages.*model-messages.*second/);
});

test('unloading ends active streams and leaves nothing behind', async () => {
  opened = await openModels([{ text: ['a', 'b'], stallAfter: 1 }]);
  const fault = faultOf(opened.ask());
  await opened.model.request(0);
  expect(await opened.close()).toEqual([]);
  expect(await fault).toBeDefined();
  expect(opened.kernel.trace()).toEqual([]);
});
