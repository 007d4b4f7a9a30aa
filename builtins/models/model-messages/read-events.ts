// Reads a reply of the messages API, streamed or in one document, into the sink.
import type { FinishReason, ModelFault, ModelOutcome, ModelSink, ModelUsage } from 'agent-harness/plugins/models';
import type { WireFields } from './build-request.ts';

interface WireBlock {
  readonly type?: string;
  readonly id?: string;
  readonly name?: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  /** Encrypted thinking text. */
  readonly data?: string;
  readonly input?: object | null;
}
/** A thinking block in the form in which it is sent back. */
interface ThinkingBlock {
  readonly type: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly data?: string;
}
interface WireUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cost?: number | null;
}
interface WireEvent {
  readonly type?: string;
  readonly index?: number;
  readonly message?: { readonly usage?: WireUsage | null };
  readonly content_block?: WireBlock;
  readonly delta?: {
    readonly type?: string;
    readonly text?: string;
    readonly thinking?: string;
    readonly signature?: string;
    readonly partial_json?: string;
    readonly stop_reason?: string | null;
  };
  readonly usage?: WireUsage | null;
}
interface WireReply {
  readonly content?: readonly WireBlock[] | null;
  readonly stop_reason?: string | null;
  readonly usage?: WireUsage | null;
}

export interface Reader {
  /** Returns an error, or `true` at the end of the reply. */
  take(payload: unknown, isWhole: boolean): ModelFault | true | undefined;
  /** Returns whether a stop reason was received. */
  hasFinished(): boolean;
  /** Returns the outcome after the last event. */
  end(): ModelOutcome;
}

/** Name for a call without a name; no tool has this name, so the model receives an error as its result. */
const nameless = 'unnamed_tool';

/** @param faultOf converts an error object in a reply to a fault */
export function createReader(sink: ModelSink, createId: () => string, faultOf: (error: unknown) => ModelFault): Reader {
  /** Maps block indices of the API to tool call indices of this reply. */
  const places = new Map<number, number>();
  const thinking = new Map<number, ThinkingBlock>();
  const counts: Record<string, number> = {};
  let stopReason: string | undefined;
  let isDone = false;

  function begin(index: number, block: WireBlock): void {
    if (isText(block.text)) sink.text(block.text);
    if (isText(block.thinking)) sink.reasoning(block.thinking);
    if (block.type === 'thinking') thinking.set(index, { type: 'thinking', thinking: block.thinking ?? '', signature: block.signature ?? '' });
    if (block.type === 'redacted_thinking') thinking.set(index, { type: 'redacted_thinking', data: block.data ?? '' });
    if (block.type !== 'tool_use') return;
    const place = places.size;
    places.set(index, place);
    sink.toolCall(place, isText(block.id) ? block.id : createId(), isText(block.name) ? block.name : nameless);
    // Servers that do not stream arguments send them with the block.
    if (block.input && Object.keys(block.input).length > 0) sink.toolArgs(place, JSON.stringify(block.input));
  }

  function add(index: number, delta: NonNullable<WireEvent['delta']>): void {
    if (isText(delta.text)) return sink.text(delta.text);
    extendThinking(index, delta);
    if (isText(delta.thinking)) return sink.reasoning(delta.thinking);
    const place = places.get(index);
    if (place !== undefined && isText(delta.partial_json)) sink.toolArgs(place, delta.partial_json);
  }

  function extendThinking(index: number, { thinking: text, signature }: NonNullable<WireEvent['delta']>): void {
    if (!isText(text) && !isText(signature)) return;
    const block = thinking.get(index) ?? { type: 'thinking' };
    thinking.set(index, { ...block, thinking: (block.thinking ?? '') + (text ?? ''), signature: (block.signature ?? '') + (signature ?? '') });
  }

  /** Returns the thinking blocks to send back, which providers require only with calls. Drops blocks without a signature, because the provider rejects them. */
  function dataOf(): WireFields | undefined {
    const blocks = [...thinking.values()].filter((block) => block.type !== 'thinking' || isText(block.signature));
    return places.size > 0 && blocks.length > 0 ? { thinking: blocks.map((block) => ({ ...block })) } : undefined;
  }

  /** Updates the usage. Later numbers replace earlier ones, because they are totals. */
  function count(usage: WireUsage | null | undefined): void {
    for (const [key, value] of Object.entries(usage ?? {})) if (Number.isFinite(value)) counts[key] = value as number;
  }

  function takeEvent(event: WireEvent): ModelFault | true | undefined {
    switch (event.type) {
      case 'content_block_delta':
        if (event.delta) add(event.index ?? 0, event.delta);
        return undefined;
      case 'content_block_start':
        if (event.content_block) begin(event.index ?? 0, event.content_block);
        return undefined;
      case 'message_start':
        count(event.message?.usage);
        return undefined;
      case 'message_delta':
        stopReason = event.delta?.stop_reason ?? stopReason;
        count(event.usage);
        return undefined;
      case 'message_stop':
        isDone = true;
        return true;
      case 'error':
        return faultOf(event);
      default:
        return undefined; // ping, content_block_stop, and future events
    }
  }

  function takeReply(reply: WireReply): ModelFault | true {
    if (!Array.isArray(reply.content)) return { ok: false, kind: 'bad_reply', message: 'the provider sent a reply without content' };
    reply.content.forEach((block: WireBlock | null, index) => {
      if (block) begin(index, block);
    });
    stopReason = reply.stop_reason ?? undefined;
    count(reply.usage);
    isDone = true;
    return true;
  }

  return {
    hasFinished: () => stopReason !== undefined,
    take(payload, isWhole) {
      if (payload === undefined) {
        isDone = true;
        return true;
      }
      if ((payload as WireEvent).type === 'error') return faultOf(payload);
      return isWhole ? takeReply(payload as WireReply) : takeEvent(payload as WireEvent);
    },
    end() {
      if (!isDone && stopReason === undefined) return { ok: false, kind: 'transient', message: 'the reply ended before it was complete' };
      const data = dataOf();
      return {
        ...{ ok: true, finish: mapFinish(stopReason) },
        ...(Object.keys(counts).length > 0 ? { usage: readUsage(counts) } : {}),
        ...(data ? { data: { ...data } } : {}),
      };
    },
  };
}

/** Checks for a non-empty string, because servers may send other types. */
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function mapFinish(stopReason: string | undefined): FinishReason {
  switch (stopReason) {
    case 'tool_use':
      return 'tool_calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'content_filter';
    default:
      return 'stop';
  }
}

/** Converts the usage: the API counts cached tokens separately, but here the input count includes them. */
function readUsage(counts: Readonly<Record<string, number>>): ModelUsage {
  const of = (key: string): number => counts[key] ?? 0;
  const cached = of('cache_read_input_tokens');
  return {
    input: of('input_tokens') + cached + of('cache_creation_input_tokens'),
    output: of('output_tokens'),
    cached,
    ...(counts['cost'] === undefined ? {} : { cost: counts['cost'] }),
  };
}
