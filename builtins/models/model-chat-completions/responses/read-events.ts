// Reads a reply of the Responses API, streamed or in one document, into the sink.
import { isRecord } from '#lib/values';
import type { FinishReason, ModelFault, ModelOutcome, ModelSink, ModelUsage } from 'agent-harness/plugins/models';
import type { WireFields } from './build-request.ts';

type Row = Readonly<Record<string, unknown>>;

export interface Reader {
  /** Reads one event. Returns an error, or `true` at the end of the reply. */
  take(payload: unknown, isWhole: boolean): ModelFault | true | undefined;
  /** Returns the outcome after the last event. */
  end(): ModelOutcome;
}

interface Call {
  readonly place: number;
  hasArgs: boolean;
}

/** Name for a call without a name; no tool has this name, so the model receives an error as its result. */
const nameless = 'unnamed_tool';
/** Fields of a reasoning item that are sent back to the provider. */
const reasoningFields = ['type', 'id', 'summary', 'content', 'encrypted_content'];

/** @param faultOf converts an error object in a reply to a fault */
export function createReader(sink: ModelSink, createId: () => string, faultOf: (error: unknown) => ModelFault): Reader {
  /** Maps output indices to calls. */
  const calls = new Map<number, Call>();
  /** Keys of items whose text was streamed; their final form adds nothing. */
  const streamed = new Set<string>();
  const reasoning: { readonly index: number; readonly item: Row }[] = [];
  let message: Row | undefined;
  /** Output index of the first text. */
  let textIndex = Infinity;
  let summaries = 0;
  let finish: FinishReason | undefined;
  let usage: ModelUsage | undefined;

  function beginCall(index: number, item: Row): Call {
    const known = calls.get(index);
    if (known) return known;
    const call: Call = { place: calls.size, hasArgs: false };
    calls.set(index, call);
    sink.toolCall(call.place, textOf(item['call_id']) ?? textOf(item['id']) ?? createId(), textOf(item['name']) ?? nameless);
    return call;
  }

  function addArgs(call: Call | undefined, text: unknown): void {
    if (!call || typeof text !== 'string' || text === '') return;
    call.hasArgs = true;
    sink.toolArgs(call.place, text);
  }

  function addText(text: unknown, index: number): void {
    if (typeof text !== 'string' || text === '') return;
    textIndex = Math.min(textIndex, index);
    sink.text(text);
  }

  /** Adds the parts of a finished item that were not streamed. */
  function endItem(index: number, item: Row): void {
    switch (item['type']) {
      case 'function_call': {
        const call = beginCall(index, item);
        if (!call.hasArgs) addArgs(call, item['arguments']);
        return;
      }
      case 'reasoning': {
        const fields = Object.entries(item).filter(([key, value]) => reasoningFields.includes(key) && value !== null);
        if (textOf(item['encrypted_content'])) reasoning.push({ index, item: Object.fromEntries(fields) });
        if (!streamed.has('reasoning')) for (const part of rowsOf(item['summary'])) addSummary(part['text'], true);
        streamed.delete('reasoning');
        return;
      }
      case 'message': {
        const { phase } = item;
        if (typeof phase === 'string') message = { phase };
        if (!streamed.has(`text ${index}`)) for (const part of rowsOf(item['content'])) addText(part['text'] ?? part['refusal'], index);
      }
    }
  }

  function addSummary(text: unknown, isPart: boolean): void {
    if (typeof text !== 'string' || text === '') return;
    if (isPart && summaries++ > 0) sink.reasoning('\n\n');
    sink.reasoning(text);
  }

  function endReply(response: Row): ModelFault | true {
    const { status, error, incomplete_details: why } = response;
    if (status === 'failed' || (isRecord(error) && status !== 'completed'))
      return faultOf({ error: error ?? { message: 'the provider reported that the reply failed' } });
    const reason = isRecord(why) ? why['reason'] : undefined;
    finish = status === 'incomplete' ? (reason === 'content_filter' ? 'content_filter' : 'length') : calls.size > 0 ? 'tool_calls' : 'stop';
    usage = readUsage(response['usage']);
    return true;
  }

  function takeEvent(event: Row): ModelFault | true | undefined {
    const index = numberOf(event['output_index']);
    const item = isRecord(event['item']) ? event['item'] : undefined;
    switch (event['type']) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        streamed.add(`text ${index}`);
        return void addText(event['delta'], index);
      case 'response.reasoning_summary_part.added':
        return void (summaries++ > 0 && sink.reasoning('\n\n'));
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        streamed.add('reasoning');
        return void addSummary(event['delta'], false);
      case 'response.output_item.added':
        if (item?.['type'] === 'function_call') beginCall(index, item);
        return undefined;
      case 'response.function_call_arguments.delta':
        return void addArgs(calls.get(index) ?? [...calls.values()].at(-1), event['delta']);
      case 'response.output_item.done':
        return void (item && endItem(index, item));
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return endReply(isRecord(event['response']) ? event['response'] : {});
      case 'error':
        return faultOf({ error: isRecord(event['error']) ? event['error'] : event });
      default:
        return undefined;
    }
  }

  /** Returns the index of the call that follows an output item; -1 if the text follows. */
  function placeOf(index: number): number {
    const earlier = [...calls.keys()].filter((key) => key < index).length;
    return earlier === 0 && index < textIndex ? -1 : earlier;
  }

  /** Returns the reasoning to send back, which providers require only with calls. */
  function dataOf(): WireFields | undefined {
    const kept = calls.size > 0 ? reasoning.map(({ index, item }) => ({ before: placeOf(index), item })) : [];
    return kept.length > 0 || message ? { ...(kept.length > 0 ? { reasoning: kept } : {}), ...(message ? { message } : {}) } : undefined;
  }

  return {
    take(payload, isWhole) {
      if (payload === undefined) {
        finish ??= calls.size > 0 ? 'tool_calls' : 'stop';
        return true;
      }
      const row = payload as Row;
      if (!isWhole) return takeEvent(row);
      if (row['error']) return faultOf(row);
      if (!Array.isArray(row['output'])) return { ok: false, kind: 'bad_reply', message: 'the provider sent a reply without output' };
      rowsOf(row['output']).forEach((item, index) => endItem(index, item));
      return endReply({ status: 'completed', ...row });
    },
    end() {
      if (finish === undefined) return { ok: false, kind: 'transient', message: 'the reply ended before it was complete' };
      const data = dataOf();
      return { ok: true, finish, ...(usage ? { usage } : {}), ...(data ? { data: { ...data } } : {}) };
    },
  };
}

function readUsage(usage: unknown): ModelUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const details = usage['input_tokens_details'];
  return {
    input: numberOf(usage['input_tokens']),
    output: numberOf(usage['output_tokens']),
    cached: isRecord(details) ? numberOf(details['cached_tokens']) : 0,
    ...(typeof usage['cost'] === 'number' ? { cost: usage['cost'] } : {}),
  };
}

/** Returns `undefined` for any value but a non-empty string, because servers may send other types. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRecord) : []);
