// Encodes a scripted reply for each wire protocol, as server-sent events or as one JSON document.
import type { ScriptedReply, ScriptedRequest, ScriptedToolCall } from './scripted-model.ts';

export type ScriptedWire = 'chat-completions' | 'messages' | 'responses';

/** Wire-independent steps of a reply. */
type Step =
  | { readonly kind: 'reasoning' | 'text'; readonly delta: string }
  | { readonly kind: 'call'; readonly call: number; readonly id: string; readonly name: string }
  | { readonly kind: 'args'; readonly call: number; readonly delta: string };

/** Returns one string per delta, and the end of the stream. */
export function replyEvents(request: ScriptedRequest, reply: ScriptedReply): { deltas: string[]; tail: string } {
  const steps = stepsOf(reply);
  if (request.wire === 'responses') return responsesEvents(request, reply, steps);
  return request.wire === 'messages' ? messagesEvents(request, reply, steps) : chatEvents(request, reply, steps);
}

function stepsOf(reply: ScriptedReply): Step[] {
  const said = (kind: 'reasoning' | 'text', text: string | readonly string[] = []): Step[] =>
    (typeof text === 'string' ? [text] : text).map((delta) => ({ kind, delta }));
  const calls = reply.toolCalls ?? [];
  const pieces = calls.map((call) => split(argsText(call), call.fragments ?? 1));
  const rounds = Math.max(0, ...pieces.map((list) => list.length));
  return [
    ...said('reasoning', reply.reasoning),
    ...said('text', reply.text),
    ...calls.map((call, index): Step => ({ kind: 'call', call: index, id: call.id ?? `call_${index}`, name: call.name })),
    ...Array.from({ length: rounds }, (_, round) =>
      pieces.flatMap((list, call): Step[] => (list[round] === undefined ? [] : [{ kind: 'args', call, delta: list[round] }])),
    ).flat(),
  ];
}

function chatEvents(request: ScriptedRequest, reply: ScriptedReply, steps: readonly Step[]): { deltas: string[]; tail: string } {
  const head = { id: `gen-${request.index}`, object: 'chat.completion.chunk', model: request.body.model };
  const chunk = (choice: object): string => `data: ${JSON.stringify({ ...head, choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`;
  const deltas = steps.map((step) => chunk({ delta: chatDelta(step, reply) }));
  const usage = chatUsage(reply);
  const counts = usage && request.body.stream_options?.include_usage === true ? `data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n` : '';
  return { deltas, tail: chunk({ delta: {}, finish_reason: chatFinish(reply) }) + counts + 'data: [DONE]\n\n' };
}

function chatDelta(step: Step, { reasoningField = 'reasoning', signature }: ScriptedReply): object {
  const signed = signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
  switch (step.kind) {
    case 'reasoning':
      return { [reasoningField]: step.delta };
    case 'text':
      return { content: step.delta };
    case 'call':
      return {
        tool_calls: [
          {
            index: step.call,
            ...(step.id === '' ? {} : { id: step.id }),
            type: 'function',
            ...(step.call === 0 ? signed : {}),
            function: { name: step.name, arguments: '' },
          },
        ],
      };
    case 'args':
      return { tool_calls: [{ index: step.call, function: { arguments: step.delta } }] };
  }
}

function messagesEvents(request: ScriptedRequest, reply: ScriptedReply, steps: readonly Step[]): { deltas: string[]; tail: string } {
  const event = (type: string, fields: object = {}): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const usage = messagesUsage(reply);
  const head = event('message_start', {
    message: {
      id: `msg_${request.index}`,
      role: 'assistant',
      model: request.body.model,
      content: [],
      ...(usage ? { usage: { ...usage, output_tokens: 1 } } : {}),
    },
  });
  const open: string[] = [];
  const indexOf = (block: string): number => open.indexOf(block);
  const opened = (block: string, content_block: object): string => {
    if (open.includes(block)) return '';
    open.push(block);
    return event('content_block_start', { index: indexOf(block), content_block });
  };
  const deltas = steps.map(
    (step, at) => (at === 0 ? head : '') + messagesDelta(step, opened, (block, delta) => event('content_block_delta', { index: indexOf(block), delta })),
  );
  const signed =
    reply.signature !== undefined && open.includes('thinking')
      ? event('content_block_delta', { index: indexOf('thinking'), delta: { type: 'signature_delta', signature: reply.signature } })
      : '';
  const stops = signed + open.map((_, index) => event('content_block_stop', { index })).join('');
  const end = event('message_delta', { delta: { stop_reason: messagesFinish(reply) }, ...(usage ? { usage: { output_tokens: usage.output_tokens } } : {}) });
  return { deltas, tail: (steps.length === 0 ? head : '') + stops + end + event('message_stop') };
}

function messagesDelta(step: Step, opened: (block: string, start: object) => string, delta: (block: string, delta: object) => string): string {
  switch (step.kind) {
    case 'reasoning':
      return opened('thinking', { type: 'thinking', thinking: '' }) + delta('thinking', { type: 'thinking_delta', thinking: step.delta });
    case 'text':
      return opened('text', { type: 'text', text: '' }) + delta('text', { type: 'text_delta', text: step.delta });
    case 'call':
      return opened(`call${step.call}`, { type: 'tool_use', id: step.id, name: step.name, input: {} });
    case 'args':
      return delta(`call${step.call}`, { type: 'input_json_delta', partial_json: step.delta });
  }
}

function responsesEvents(request: ScriptedRequest, reply: ScriptedReply, steps: readonly Step[]): { deltas: string[]; tail: string } {
  const event = (type: string, fields: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const outputs: string[] = [];
  const items = new Map<string, Record<string, unknown>>();
  const place = (key: string): number => outputs.indexOf(key);
  const opened = (key: string, item: Record<string, unknown>): string => {
    if (items.has(key)) return '';
    outputs.push(key);
    items.set(key, item);
    return event('response.output_item.added', { output_index: place(key), item });
  };
  const deltas = steps.map((step): string => {
    const key = step.kind === 'call' || step.kind === 'args' ? `call${step.call}` : step.kind;
    switch (step.kind) {
      case 'reasoning': {
        const head = opened(key, { type: 'reasoning', id: `rs_${request.index}`, summary: [], encrypted_content: reply.signature ?? 'sealed' });
        return head + event('response.reasoning_summary_text.delta', { output_index: place(key), delta: step.delta });
      }
      case 'text':
        return (
          opened(key, { type: 'message', role: 'assistant', content: [] }) +
          event('response.output_text.delta', { output_index: place(key), delta: step.delta })
        );
      case 'call':
        return opened(key, { type: 'function_call', id: `fc_${request.index}_${step.call}`, call_id: step.id, name: step.name, arguments: '' });
      case 'args': {
        const item = items.get(key)!;
        item['arguments'] = `${String(item['arguments'])}${step.delta}`;
        return event('response.function_call_arguments.delta', { output_index: place(key), delta: step.delta });
      }
    }
  });
  const done = outputs.map((key, index) => event('response.output_item.done', { output_index: index, item: items.get(key) })).join('');
  const { finish } = reply;
  const isCut = finish === 'length' || finish === 'content_filter';
  const status = isCut ? 'incomplete' : 'completed';
  const why = isCut ? { incomplete_details: { reason: finish === 'length' ? 'max_output_tokens' : finish } } : {};
  const response = { status, ...why, output: [...items.values()], usage: responsesUsage(reply) };
  return { deltas, tail: done + event(`response.${status}`, { response }) };
}

function responsesUsage({ usage = {} }: ScriptedReply): object | undefined {
  if (usage === false) return undefined;
  const { input = 10, output = 5, cached = 0 } = usage;
  return { input_tokens: input, output_tokens: output, input_tokens_details: { cached_tokens: cached } };
}

/** Returns the same reply as one document, for servers without streaming. */
export function replyJson(request: ScriptedRequest, reply: ScriptedReply): object {
  const text = [reply.text ?? []].flat().join('');
  const reasoning = [reply.reasoning ?? []].flat().join('');
  const calls = reply.toolCalls ?? [];
  if (request.wire === 'messages') {
    const tools = calls.map((call, index) => ({ type: 'tool_use', id: call.id ?? `call_${index}`, name: call.name, input: JSON.parse(argsText(call)) }));
    const content = [...(reasoning ? [{ type: 'thinking', thinking: reasoning }] : []), ...(text ? [{ type: 'text', text }] : []), ...tools];
    return { type: 'message', role: 'assistant', model: request.body.model, content, stop_reason: messagesFinish(reply), usage: messagesUsage(reply) };
  }
  const toolCalls = calls.map((call, index) => ({
    id: call.id ?? `call_${index}`,
    type: 'function',
    function: { name: call.name, arguments: argsText(call) },
  }));
  const message = { role: 'assistant', content: text, ...(reasoning ? { reasoning } : {}), ...(calls.length > 0 ? { tool_calls: toolCalls } : {}) };
  return { object: 'chat.completion', model: request.body.model, choices: [{ index: 0, message, finish_reason: chatFinish(reply) }], usage: chatUsage(reply) };
}

function chatUsage({ usage = {} }: ScriptedReply): object | undefined {
  if (usage === false) return undefined;
  const { input = 10, output = 5, cached, cost } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(cost === undefined ? {} : { cost }),
  };
}

function messagesUsage({ usage = {} }: ScriptedReply): { input_tokens: number; output_tokens: number; cache_read_input_tokens: number } | undefined {
  if (usage === false) return undefined;
  const { input = 10, output = 5, cached = 0 } = usage;
  return { input_tokens: input - cached, output_tokens: output, cache_read_input_tokens: cached };
}

const chatFinish = (reply: ScriptedReply): string => reply.finish ?? (reply.toolCalls?.length ? 'tool_calls' : 'stop');
const messagesFinish = (reply: ScriptedReply): string =>
  messagesWords[reply.finish ?? ''] ?? reply.finish ?? (reply.toolCalls?.length ? 'tool_use' : 'end_turn');
const messagesWords: Readonly<Record<string, string>> = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', content_filter: 'refusal' };
const argsText = (call: ScriptedToolCall): string => (typeof call.args === 'string' ? call.args : JSON.stringify(call.args ?? {}));

function split(text: string, pieces: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / pieces));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
}
