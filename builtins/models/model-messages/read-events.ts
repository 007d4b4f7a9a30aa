// Reads the events of one reply, or a reply in one document, into the sink.
import type { FinishReason, ModelFault, ModelOutcome, ModelSink, ModelUsage } from 'agent-harness/plugins/models';
import type { WireFields } from './build-request.ts';

interface WireBlock {
  readonly type?: string;
  readonly id?: string;
  readonly name?: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  /** Encrypted thinking. */
  readonly data?: string;
  readonly input?: object | null;
}
/** A thinking block in the form that is sent back. */
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
  /** Returns a fault, or `true` at the end of the reply. */
  take(payload: unknown, isWhole: boolean): ModelFault | true | undefined;
  /** Returns whether a stop reason came. */
  hasFinished(): boolean;
  /** Returns the outcome after the last event. */
  end(): ModelOutcome;
}

/** Name of a call that has none; no tool has this name, so the result of the call tells the model the error. */
const nameless = 'unnamed_tool';

/** @param faultOf converts an error object in a reply */
export function createReader(sink: ModelSink, createId: () => string, faultOf: (error: unknown) => ModelFault): Reader {
  /** Index of a block on the wire → index of the tool call in this reply. */
  const places = new Map<number, number>();
  /** Block index → thinking block. */
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

  /** Providers require them back only with calls. Drops blocks without a signature, which the provider rejects. */
  function dataOf(): WireFields | undefined {
    const blocks = [...thinking.values()].filter((block) => block.type !== 'thinking' || isText(block.signature));
    return places.size > 0 && blocks.length > 0 ? { thinking: blocks.map((block) => ({ ...block })) } : undefined;
  }

  /** Later numbers replace earlier ones, because they are totals. */
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
      if (!isDone && stopReason === undefined) return { ok: false, kind: 'transient', message: 'the reply was cut off before its end' };
      const data = dataOf();
      return {
        ...{ ok: true, finish: mapFinish(stopReason) },
        ...(Object.keys(counts).length > 0 ? { usage: readUsage(counts) } : {}),
        ...(data ? { data: { ...data } } : {}),
      };
    },
  };
}

/** Servers may send any type where text is expected. */
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

/** This wire counts cached tokens separately; here, the input includes them. */
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
