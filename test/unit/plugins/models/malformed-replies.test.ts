// Tests malformed replies of real servers: reasoning in tags, calls as text, missing ends, truncated calls.
import { describe, expect, test } from 'vitest';
import type { ModelAdapter, ModelReply, ModelRequest } from 'agent-harness/plugins/models';
import { runAttempt } from '../../../../plugins/models/attempt.ts';
import { realClock } from '../../../../plugins/models/retry.ts';
import { openModels, type OpenedModels } from './open-models.ts';

let opened: OpenedModels | undefined;

const tools = ['read_file', 'list_dir'].map((name) => ({ name, description: '', input: { type: 'object' } }));
async function replyOf(text: readonly string[], request: Partial<ModelRequest> = { tools }): Promise<ModelReply & { reasoning: string; shown: string }> {
  opened = await openModels([{ text }]);
  const reply = await opened.ask(request);
  return { ...reply, reasoning: opened.seen.reasoning, shown: opened.seen.text };
}
const ignore = (): void => undefined;
const silent = { text: ignore, reasoning: ignore, toolCall: ignore, toolArgs: ignore };
/** One character per delta, which splits every tag at every position. */
const slowly = (text: string): string[] => [...text];

describe('parsing of reasoning in text', () => {
  test.each([
    ['with both tags', '<think>I look.</think>\n\nDone.', 'I look.', 'Done.'],
    ['after whitespace', '\n <think>\nI look.\n</think>Done.', 'I look.', 'Done.'],
    ['without the opening tag, which is in the template', 'I look.\n</think>\n\nDone.', 'I look.', 'Done.'],
    ['a tag in the middle of an answer stays', 'Write <think> to think.', '', 'Write <think> to think.'],
    ['a tag in code stays', 'So:\n```\n</think>\n```\nend', '', 'So:\n```\n</think>\n```\nend'],
    ['a sentence about the tag stays', 'The tag </think> ends it.', '', 'The tag </think> ends it.'],
    ['a lone bracket stays', '< 5', '', '< 5'],
  ])('%s', async (_, text, reasoning, answer) => {
    for (const deltas of [[text], slowly(text)]) {
      const reply = await replyOf(deltas);
      expect([reply.text, reply.shown, reply.reasoning.trim()]).toEqual([answer, answer, reasoning]);
      await opened?.close();
    }
  });
});

describe('parsing of calls in text', () => {
  const json = '{"name": "list_dir", "arguments": {"path": "."}}';
  test.each<[string, string, string, string]>([
    ['Qwen and Hermes', `Let me look.\n<tool_call>\n${json}\n</tool_call>`, 'Let me look.', 'list_dir {"path":"."}'],
    [
      'two calls',
      `<tool_call>${json}</tool_call>\n<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>`,
      '',
      'list_dir {"path":"."} read_file {"path":"a"}',
    ],
    ['an unknown tool name', '<tool_call>{"name":"list_files","arguments":{}}</tool_call>', '', 'list_files {}'],
    ['Qwen coder', '<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>', '', 'read_file {"path":"a.txt"}'],
    ['Llama', '<|python_tag|>{"name":"list_dir","parameters":{"path":"."}}', '', 'list_dir {"path":"."}'],
    ['a function tag', '<function=list_dir>{"path":"."}</function>', '', 'list_dir {"path":"."}'],
    ['Mistral', '[TOOL_CALLS][{"name":"list_dir","arguments":{"path":"."}}]', '', 'list_dir {"path":"."}'],
    ['Mistral, newer', '[TOOL_CALLS]list_dir[ARGS]{"path":"."}', '', 'list_dir {"path":"."}'],
    ['the whole reply', json, '', 'list_dir {"path":"."}'],
    ['the whole reply in a code block', `\`\`\`json\n${json}\n\`\`\``, '', 'list_dir {"path":"."}'],
    ['in the wire format', '{"type":"function","function":{"name":"list_dir","arguments":"{\\"path\\":\\".\\"}"}}', '', 'list_dir {"path":"."}'],
    ['after reasoning', `<think>hm</think>\n<tool_call>${json}</tool_call>`, '', 'list_dir {"path":"."}'],
    ['JSON as an answer', '{"name": "Ada", "age": 36}', '{"name": "Ada", "age": 36}', ''],
    ['JSON of another shape', '{"answer": 1}', '{"answer": 1}', ''],
    [
      'a call in a code block of an answer',
      `Write:\n\`\`\`\n<tool_call>\n${json}\n</tool_call>\n\`\`\``,
      `Write:\n\`\`\`\n<tool_call>\n${json}\n</tool_call>\n\`\`\``,
      '',
    ],
    ['a malformed call', '<tool_call>{"name": "list_dir", </tool_call>', '<tool_call>{"name": "list_dir", </tool_call>', ''],
  ])('%s', async (_, text, answer, calls) => {
    for (const deltas of [[text], slowly(text)]) {
      const reply = await replyOf(deltas);
      expect([reply.text.trim(), reply.toolCalls.map(({ name, argsText }) => `${name} ${argsText}`).join(' ')]).toEqual([answer, calls]);
      expect(reply.finish).toBe(calls === '' ? 'stop' : 'tool_calls');
      await opened?.close();
    }
  });

  test('call text from a provider with native tool calls stays text', async () => {
    const adapter: ModelAdapter = {
      stream: async (_request, _route, sink) => {
        sink.text(`<tool_call>${json}</tool_call>`);
        return { ok: true, finish: 'stop' };
      },
    };
    const request: ModelRequest = { system: '', messages: [], tools, maxTokens: 9, purpose: 'chat' };
    const options = { idleMs: 1_000, clock: realClock, signal: new AbortController().signal, readsCalls: false };
    const route = { wire: 'chat-completions', model: 'm', baseURL: 'https://api.openai.com/v1' } as const;
    expect(await runAttempt(adapter, request, route, silent, options)).toMatchObject({ text: `<tool_call>${json}</tool_call>`, toolCalls: [] });
  });

  test('all output is text if no tools were offered', async () => {
    expect(await replyOf([json], { tools: [] })).toMatchObject({ text: json, toolCalls: [] });
  });
});

test('a complete reply without [DONE] is accepted without a retry', async () => {
  const chunk = (fields: object): string => `data: ${JSON.stringify({ choices: [fields] })}\n\n`;
  opened = await openModels([
    { body: chunk({ delta: { content: 'All said.' } }) + chunk({ delta: {}, finish_reason: 'stop' }), headers: { 'content-type': 'text/event-stream' } },
  ]);
  expect(await opened.ask()).toMatchObject({ text: 'All said.', finish: 'stop' });
  expect(opened.model.requests).toHaveLength(1);
});

test('a call truncated before its arguments has empty arguments text, not an empty object', async () => {
  opened = await openModels([{ toolCalls: [{ name: 'list_dir', args: '' }], finish: 'length' }]);
  expect((await opened.ask({ tools })).toolCalls).toMatchObject([{ name: 'list_dir', argsText: '' }]);
});

describe('the first token of a reply', () => {
  const request: ModelRequest = { system: '', messages: [], tools: [], maxTokens: 9, purpose: 'chat' };
  const sink = silent;
  /** A server that stays silent for a given time on the test clock. */
  async function silentFor(ms: number, limits: { firstTokenMs: number; isNear?: boolean }): Promise<unknown> {
    let now = 0;
    const timers = new Set<{ at: number; work: () => void }>();
    const clock = {
      now: () => now,
      sleep: () => Promise.resolve(),
      random: () => 0,
      after(delay: number, work: () => void) {
        const timer = { at: now + delay, work };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    };
    const adapter = {
      stream: async (_: unknown, __: unknown, to: typeof sink & { text(delta: string): void }, signal: AbortSignal) => {
        while (now < ms) {
          now += 1_000;
          for (const timer of [...timers].filter(({ at }) => at <= now)) {
            timers.delete(timer);
            timer.work();
          }
          signal.throwIfAborted();
        }
        to.text('late');
        return { ok: true, finish: 'stop' } as const;
      },
    };
    const route = { wire: 'chat-completions', model: 'm', baseURL: 'http://127.0.0.1/v1' } as const;
    const { outcome } = await runAttempt(adapter, request, route, sink, { idleMs: 120_000, ...limits, clock, signal: new AbortController().signal });
    return outcome;
  }

  test('may take minutes without a limit', async () => expect(await silentFor(600_000, { firstTokenMs: Infinity })).toMatchObject({ ok: true }));
  test('ends at the limit, which the error names, and a nearby server is not retried', async () => {
    const message = 'the reply did not begin within 300 s (limit: AGENT_FIRST_TOKEN_MS)';
    expect(await silentFor(400_000, { firstTokenMs: 300_000 })).toMatchObject({ ok: false, kind: 'transient', message });
    expect(await silentFor(400_000, { firstTokenMs: 300_000, isNear: true })).toMatchObject({ ok: false, kind: 'timeout', message });
  });
});
