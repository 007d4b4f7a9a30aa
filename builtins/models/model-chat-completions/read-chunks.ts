// Reads the chunks of a streamed chat-completions reply into the sink. Handles differences between servers.
import type { FinishReason, ModelFault, ModelOutcome, ModelSink, ModelUsage } from 'agent-harness/plugins/models';
import type { WireFields } from './build-request.ts';
import { createToolCallReader, type WireToolCall } from './read-tool-calls.ts';

interface WirePart {
  readonly type?: string;
  readonly text?: string;
  /** Reasoning in the format of Mistral. */
  readonly thinking?: string | readonly WirePart[];
}
interface WireDelta {
  readonly content?: string | WirePart | readonly (WirePart | null)[] | null;
  readonly refusal?: string | null;
  readonly reasoning?: string | null;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly (WireToolCall | null)[] | null;
  readonly [returned: string]: unknown;
}
interface WireChoice {
  readonly delta?: WireDelta | null;
  readonly message?: WireDelta | null;
  readonly finish_reason?: string | null;
}
interface WireUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
  readonly cost?: number;
}
interface WireChunk {
  readonly choices?: readonly WireChoice[] | null;
  readonly usage?: WireUsage | null;
  readonly error?: unknown;
}

export interface Reader {
  /** Reads one chunk. Returns an error, or `true` at the end of the reply. */
  take(payload: unknown, isWhole: boolean): ModelFault | true | undefined;
  /** Returns whether a finish reason was received, after which only usage may follow. */
  hasFinished(): boolean;
  /** Returns the outcome after the last chunk. */
  end(): ModelOutcome;
}

/** Message fields that contain reasoning and must be sent back with tool calls, under the same name. */
const textFields = ['reasoning_content', 'reasoning'] as const;
const listFields = ['reasoning_details', 'thinking_blocks'] as const;

/**
 * @param faultOf converts an error object in a reply to a fault
 * @param tools names of the offered tools
 */
export function createReader(sink: ModelSink, createId: () => string, faultOf: (error: unknown) => ModelFault, tools?: readonly string[]): Reader {
  const toolCalls = createToolCallReader(sink, createId, tools);
  const returned: Record<string, string | Record<string, unknown>[]> = {};
  let finish: string | undefined;
  let usage: ModelUsage | undefined;
  let isDone = false;

  function takeDelta(delta: WireDelta): void {
    const { content } = delta;
    if (typeof content === 'string') {
      if (content !== '') sink.text(content);
    } else if (content) {
      for (const part of [content].flat()) {
        if (isText(part?.text)) sink.text(part.text);
        for (const thought of [part?.thinking ?? []].flat()) {
          const text = typeof thought === 'string' ? thought : thought.text;
          if (isText(text)) sink.reasoning(text);
        }
      }
    }
    const reasoning = delta.reasoning ?? delta.reasoning_content;
    if (isText(reasoning)) sink.reasoning(reasoning);
    collect(delta);
    if (isText(delta.refusal)) sink.text(delta.refusal);
    if (isList(delta.tool_calls)) for (const call of delta.tool_calls) if (call) toolCalls.take(call);
  }

  function collect(delta: WireDelta): void {
    for (const field of textFields) {
      const text = delta[field];
      if (isText(text)) returned[field] = `${typeof returned[field] === 'string' ? returned[field] : ''}${text}`;
    }
    for (const field of listFields) {
      const list = delta[field];
      if (!Array.isArray(list)) continue;
      const known = (returned[field] ??= []);
      if (typeof known !== 'string') for (const entry of list as unknown[]) addDetail(known, entry);
    }
  }

  /** Returns the data to send back; nothing for replies without calls, because providers do not require it there and it makes all later requests longer. */
  function dataOf(): WireFields | undefined {
    if (toolCalls.count() === 0) return undefined;
    const calls = toolCalls.returned();
    // `reasoning_details` contains the same text, with signatures.
    const { reasoning: _, ...rest } = returned;
    const message = Array.isArray(returned['reasoning_details']) ? rest : returned;
    const hasMessage = Object.keys(message).length > 0;
    return calls || hasMessage ? { ...(hasMessage ? { message } : {}), ...(calls ? { calls } : {}) } : undefined;
  }

  return {
    hasFinished: () => finish !== undefined && finish !== 'error',
    take(payload, isWhole) {
      if (payload === undefined) {
        isDone = true;
        return true;
      }
      const chunk = payload as WireChunk;
      if (chunk.error) return faultOf(payload);
      const choice = chunk.choices?.[0];
      if (choice) {
        const delta = choice.delta ?? choice.message;
        if (delta) takeDelta(delta);
        if (isText(choice.finish_reason)) finish = choice.finish_reason;
      }
      if (chunk.usage) usage = readUsage(chunk.usage);
      if (!isWhole) return undefined;
      if (!choice) return { ok: false, kind: 'bad_reply', message: 'the provider sent a reply without choices' };
      isDone = true;
      return true;
    },
    end() {
      if (!isDone && finish === undefined) return { ok: false, kind: 'transient', message: 'the reply ended before it was complete' };
      if (finish === 'error') return { ok: false, kind: 'transient', message: 'the provider ended the reply with an error' };
      toolCalls.end();
      const data = dataOf();
      return { ok: true, finish: mapFinish(finish), ...(usage ? { usage } : {}), ...(data ? { data: { ...data } } : {}) };
    },
  };
}

/** Merges a fragment into the entry of the same index; without an index, into the last entry of the same type. */
function addDetail(list: Record<string, unknown>[], entry: unknown): void {
  if (typeof entry !== 'object' || entry === null) return;
  const piece = entry as Record<string, unknown>;
  const index = piece['index'];
  const known = index === undefined ? list.at(-1) : list.find((one) => one['index'] === index);
  if (!known || known['type'] !== piece['type'] || isSigned(known)) return void list.push({ ...piece });
  for (const [key, value] of Object.entries(piece)) {
    const old = known[key];
    known[key] = grows.has(key) && typeof old === 'string' && typeof value === 'string' ? old + value : (value ?? old);
  }
}

const grows = new Set(['text', 'summary', 'thinking', 'data']);
const isSigned = (detail: Readonly<Record<string, unknown>>): boolean => isText(detail['signature']);

function mapFinish(finish: string | undefined): FinishReason {
  switch (finish) {
    case 'tool_calls':
    case 'function_call':
      return 'tool_calls';
    case 'length':
    case 'max_tokens':
      return 'length';
    case 'content_filter':
      return 'content_filter';
    default:
      return 'stop';
  }
}

function readUsage(usage: WireUsage): ModelUsage {
  return {
    input: countOf(usage.prompt_tokens),
    output: countOf(usage.completion_tokens),
    cached: countOf(usage.prompt_tokens_details?.cached_tokens),
    ...(typeof usage.cost === 'number' ? { cost: usage.cost } : {}),
  };
}

/** Checks for a non-empty string, because servers may send other types. */
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isList = <T>(value: readonly T[] | null | undefined): value is readonly T[] => Array.isArray(value);
const countOf = (value: unknown): number => (Number.isFinite(value) ? (value as number) : 0);
