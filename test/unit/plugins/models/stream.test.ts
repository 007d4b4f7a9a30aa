import { describe, expect, test } from 'vitest';
import type { ScriptedReply } from '../../../helpers/scripted-model.ts';
import { openModels, type OpenedModels } from './open-models.ts';

let opened: OpenedModels | undefined;

const wires = [
  ['chat-completions', '/v1/chat/completions'],
  ['messages', '/v1/messages'],
] as const;

describe.each(wires)('over the wire %s', (wire, path) => {
  const open = async (...replies: ScriptedReply[]): Promise<OpenedModels> => (opened = await openModels(replies, { environment: { AGENT_MODEL_WIRE: wire } }));

  test('text and reasoning are streamed, and the reply contains text, finish and usage', async () => {
    const { ask, seen, model } = await open({ reasoning: ['Hm', 'm'], text: ['Hel', 'lo ', 'wörld 🙂'], usage: { input: 40, output: 7, cached: 30 } });
    expect(await ask()).toEqual({ text: 'Hello wörld 🙂', toolCalls: [], finish: 'stop', usage: { input: 40, output: 7, cached: 30 }, model: 'scripted' });
    expect(seen).toMatchObject({ text: 'Hello wörld 🙂', reasoning: 'Hmm', deltas: 3 });
    expect(model.requests[0]).toMatchObject({ path, body: { model: 'scripted', stream: true, max_tokens: 100 } });
  });

  test('joins several interleaved tool calls after text', async () => {
    const { ask, seen } = await open({
      text: 'Let me look.',
      toolCalls: [
        { id: 'a', name: 'read_file', args: { path: 'some/long/path.txt' }, fragments: 5 },
        { id: 'b', name: 'grep_files', args: { pattern: 'x"\\y', deep: { list: [1, 2, 3] } }, fragments: 3 },
        { id: 'c', name: 'list_dir' },
      ],
    });
    const reply = await ask();
    expect(reply.finish).toBe('tool_calls');
    expect(reply.toolCalls.map((call) => ({ ...call, argsText: JSON.parse(call.argsText) }))).toEqual([
      { id: 'a', name: 'read_file', argsText: { path: 'some/long/path.txt' } },
      { id: 'b', name: 'grep_files', argsText: { pattern: 'x"\\y', deep: { list: [1, 2, 3] } } },
      { id: 'c', name: 'list_dir', argsText: {} },
    ]);
    expect(seen.calls).toEqual(reply.toolCalls);
  });

  test('a truncated stream, a silent stream and a server fault are retried, and only the last attempt counts', async () => {
    opened = await openModels([{ text: ['wro', 'ng'], cutAfter: 1 }, { status: 503 }, { text: ['bad', 'ly'], stallAfter: 1 }, { text: ['ri', 'ght'] }], {
      environment: { AGENT_MODEL_WIRE: wire, AGENT_STREAM_IDLE_MS: '100' },
    });
    const { ask, seen, model } = opened;
    expect(await ask()).toMatchObject({ text: 'right' });
    expect(seen.text).toBe('right');
    expect(seen.retries.map(({ attempt, of }) => `${attempt}/${of}`)).toEqual(['1/8', '2/8', '3/8']);
    expect(await model.requests[2]?.ended).toBe('gone');
  });

  test('a rate limit has its own retry budget', async () => {
    const { ask, events } = await open({ status: 429 }, { status: 500 }, { status: 429, headers: { 'retry-after': '1' } }, { text: 'ok' });
    expect(await ask({ chatId: 'chat_1', turnId: 'turn_1' })).toMatchObject({ text: 'ok' });
    const retries = events.filter(({ name }) => name === 'provider_retry').map(({ payload }) => payload);
    expect(retries.map(({ attempt, reason, delayMs }) => [attempt, reason, delayMs])).toEqual([
      [1, 'scripted fault 429', 1],
      [1, 'scripted fault 500', 1],
      [2, 'scripted fault 429', 1],
    ]);
    expect(retries[0]).toMatchObject({ chatId: 'chat_1', turnId: 'turn_1', of: 8, purpose: 'chat' });
  });

  test('accepts a reply as a single JSON document', async () => {
    const { ask } = await open({
      asJson: true,
      text: 'All at once',
      toolCalls: [{ id: 'x', name: 'read_file', args: { path: 'a' } }],
      usage: { input: 3, output: 4 },
    });
    expect(await ask()).toEqual({
      text: 'All at once',
      toolCalls: [{ id: 'x', name: 'read_file', argsText: '{"path":"a"}' }],
      finish: 'tool_calls',
      usage: { input: 3, output: 4, cached: 0 },
      model: 'scripted',
    });
  });

  test('a reply over its limit has the matching finish reason', async () => {
    const { ask } = await open({ text: 'and then', finish: 'length' }, { text: 'I', finish: 'content_filter' });
    expect(await ask()).toMatchObject({ finish: 'length' });
    expect(await ask()).toMatchObject({ finish: 'content_filter' });
  });

  test('an empty reply is booked, retried once, and then fails', async () => {
    const { ask, events, model, seen } = await open({ reasoning: 'hm' }, { text: 'well' }, { text: ' ' }, {});
    expect(await ask({ chatId: 'chat_1' })).toMatchObject({ text: 'well' });
    expect(seen.retries).toMatchObject([{ attempt: 1, of: 1, reason: expect.stringContaining('neither text nor') }]);
    expect(events.map(({ name }) => name)).toEqual(['provider_retry', 'usage', 'usage']);
    await expect(ask()).rejects.toMatchObject({ code: 'MODELS_ERR_EMPTY_REPLY', status: 502 });
    expect(model.requests).toHaveLength(4);
  });

  test('an abort during a stream closes the connection and rejects with its reason', async () => {
    const { ask, model } = await open({ text: ['a', 'b'], stallAfter: 1 });
    const abort = new AbortController();
    const asked = ask({}, abort.signal);
    const request = await model.request(0);
    abort.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    expect(await request.ended).toBe('gone');
  });

  test('reuses connections', async () => {
    const ports = new Set<unknown>();
    opened = await openModels(
      (request) => {
        ports.add(request.headers['connection']);
        return { text: 'again' };
      },
      { environment: { AGENT_MODEL_WIRE: wire } },
    );
    for (let round = 0; round < 5; round++) expect(await opened.ask()).toMatchObject({ text: 'again' });
    expect(opened.seen.retries).toEqual([]);
    expect([...ports]).toEqual(['keep-alive']);
    expect(opened.model.connections).toBe(1);
  });
});
