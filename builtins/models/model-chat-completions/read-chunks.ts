// Reads the chunks of one reply into the sink, and copes with what different servers make of them.
import type { FinishReason, ModelFault, ModelOutcome, ModelSink, ModelUsage } from 'agent-harness/plugins/models';
import { createToolCallReader, type WireToolCall } from './read-tool-calls.ts';

interface WirePart {
  readonly type?: string;
  readonly text?: string;
}
interface WireDelta {
  readonly content?: string | WirePart | readonly (WirePart | null)[] | null;
  readonly refusal?: string | null;
  readonly reasoning?: string | null;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly (WireToolCall | null)[] | null;
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
  /** Answers a fault, or `true` at the end of the reply. */
  take(payload: unknown, isWhole: boolean): ModelFault | true | undefined;
  /** What the reply came to, once nothing more arrives. */
  end(): ModelOutcome;
}

/** @param faultOf what an error object inside a reply means */
export function createReader(sink: ModelSink, createId: () => string, faultOf: (error: unknown) => ModelFault): Reader {
  const toolCalls = createToolCallReader(sink, createId);
  let finish: string | undefined;
  let usage: ModelUsage | undefined;
  let isDone = false;

  function takeDelta(delta: WireDelta): void {
    const { content } = delta;
    if (typeof content === 'string') {
      if (content !== '') sink.text(content);
    } else if (content) {
      for (const part of [content].flat()) if (isText(part?.text)) sink.text(part.text);
    }
    const reasoning = delta.reasoning ?? delta.reasoning_content;
    if (isText(reasoning)) sink.reasoning(reasoning);
    if (isText(delta.refusal)) sink.text(delta.refusal);
    if (isList(delta.tool_calls)) for (const call of delta.tool_calls) if (call) toolCalls.take(call);
  }

  return {
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
      if (!isDone && finish === undefined) return { ok: false, kind: 'transient', message: 'the reply was cut off before its end' };
      if (finish === 'error') return { ok: false, kind: 'transient', message: 'the provider broke off the reply with an error' };
      const why = toolCalls.end();
      if (why !== undefined) return { ok: false, kind: 'bad_reply', message: why };
      return { ok: true, finish: mapFinish(finish), ...(usage ? { usage } : {}) };
    },
  };
}

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

/** Types do not bind servers: what should be text may be anything. */
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isList = <T>(value: readonly T[] | null | undefined): value is readonly T[] => Array.isArray(value);
const countOf = (value: unknown): number => (Number.isFinite(value) ? (value as number) : 0);
