// Puts streamed tool calls together: several at once, in fragments, with indices and ids or without.
import { jsonOf } from 'agent-harness/lib/values';
import type { ModelSink } from 'agent-harness/plugins/models';

export interface WireToolCall {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | object | null } | null;
}

interface Call {
  /** Counted from 0 in the order in which the calls appeared. */
  readonly place: number;
  readonly wireIndex: number | undefined;
  readonly wireId: string | undefined;
  name: string;
  args: string;
}

export interface ToolCallReader {
  take(fragment: WireToolCall): void;
  /** Answers what is wrong with the calls as a whole, once there are no more. */
  end(): string | undefined;
}

export function createToolCallReader(sink: ModelSink, createId: () => string): ToolCallReader {
  const calls: Call[] = [];

  function callOf(fragment: WireToolCall, name: string): Call {
    const id = textOf(fragment.id) || undefined;
    const index = fragment.index ?? undefined;
    const known = find(id, index, name);
    if (known) return known;
    const made: Call = { place: calls.length, wireIndex: index, wireId: id, name: '', args: '' };
    calls.push(made);
    return made;
  }

  /** Some servers give every call the index 0, others give none; some repeat id and name with each fragment, some one id for all calls. */
  function find(id: string | undefined, index: number | undefined, name: string): Call | undefined {
    const byId = id === undefined ? [] : calls.filter((call) => call.wireId === id);
    const exact = byId.find((call) => call.wireIndex === index);
    if (exact) return exact;
    if (byId.length > 0 && (name === '' || index === undefined)) return byId.at(-1);
    if (index !== undefined) {
      const byIndex = calls.findLast((call) => call.wireIndex === index);
      return byIndex && isOther(byIndex, id, name) ? undefined : byIndex;
    }
    const last = calls.at(-1);
    if (id !== undefined || !last) return undefined;
    return name === '' || (name === last.name && jsonOf(last.args) === undefined) ? last : undefined;
  }

  return {
    take(fragment) {
      const name = textOf(fragment.function?.name);
      const args = fragment.function?.arguments;
      const text = typeof args === 'string' ? args : args ? JSON.stringify(args) : '';
      const call = callOf(fragment, name);
      const wasNamed = call.name !== '';
      call.args += text;
      if (wasNamed) {
        if (text !== '') sink.toolArgs(call.place, text);
        return;
      }
      if (name === '') return;
      call.name = name;
      sink.toolCall(call.place, call.wireId ?? createId(), name);
      // What came before the name, and with it.
      if (call.args !== '') sink.toolArgs(call.place, call.args);
    },
    end: () => (calls.every((call) => call.name !== '') ? undefined : 'the provider sent a tool call without a name'),
  };
}

/** Whether a fragment with the same index begins another call. */
function isOther(call: Call, id: string | undefined, name: string): boolean {
  if (name === '' || call.name === '') return false;
  return id !== undefined && call.wireId !== undefined ? true : name !== call.name;
}

/** Types do not bind servers: what should be text may be anything. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
