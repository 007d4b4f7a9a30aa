// Assembles streamed tool calls from fragments. Fragments may be interleaved, and may lack indices and ids.
import { jsonOf } from '#lib/values';
import type { ModelSink } from 'agent-harness/plugins/models';

export interface WireToolCall {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly type?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | object | null } | null;
  /** Fields that some providers require to be sent back with the call. */
  readonly [returned: string]: unknown;
}

interface Call {
  /** Index of the call, counted from 0 in order of appearance. */
  readonly place: number;
  readonly wireIndex: number | undefined;
  readonly wireId: string | undefined;
  name: string;
  args: string;
  /** Whether the sink has received the call; its name is then final. */
  isOpen: boolean;
  readonly returned: Record<string, unknown>;
}

export interface ToolCallReader {
  take(fragment: WireToolCall): void;
  /** Ends all calls. A call without a name gets a name that no tool has, so that the model receives an error as its result. */
  end(): void;
  count(): number;
  /** Returns the fields to send back, by call index; `undefined` if there are none. */
  returned(): Record<string, Record<string, unknown>> | undefined;
}

const knownFields = new Set(['index', 'id', 'type', 'function']);
const nameless = 'unnamed_tool';

/** @param tools names of the offered tools, used to detect complete names */
export function createToolCallReader(sink: ModelSink, createId: () => string, tools: readonly string[] = []): ToolCallReader {
  const calls: Call[] = [];
  const isTool = (name: string): boolean => tools.includes(name);

  function callOf(fragment: WireToolCall, name: string, text: string): Call {
    const id = textOf(fragment.id) || undefined;
    const index = fragment.index ?? undefined;
    const known = find(id, index, name, text);
    if (known) return known;
    const last = calls.at(-1);
    if (last) open(last);
    const made: Call = { place: calls.length, wireIndex: index, wireId: id, name: '', args: '', isOpen: false, returned: {} };
    calls.push(made);
    return made;
  }

  /**
   * Finds the call that a fragment belongs to. Some servers give all calls index 0 or no index; some repeat id and name in each fragment; some use one id for
   * all calls.
   */
  function find(id: string | undefined, index: number | undefined, name: string, text: string): Call | undefined {
    const byId = id === undefined ? [] : calls.filter((call) => call.wireId === id);
    const exact = byId.find((call) => call.wireIndex === index);
    if (exact) return exact;
    if (byId.length > 0 && (name === '' || index === undefined)) return byId.at(-1);
    const last = calls.at(-1);
    if (index !== undefined) {
      const byIndex = calls.findLast((call) => call.wireIndex === index);
      if (byIndex) return isOther(byIndex, id, name, text) ? undefined : byIndex;
      // Arguments may continue under another index (dirac-run/dirac#215).
      const goesOn = id === undefined && name === '' && last && last.name !== '' && jsonOf(last.args) === undefined;
      return goesOn ? last : undefined;
    }
    if (id !== undefined || !last) return undefined;
    if (name === '') return last;
    return isOther(last, id, name, text) || (name === last.name && jsonOf(last.args) !== undefined) ? undefined : last;
  }

  /** Returns whether a fragment with a name starts another call. */
  function isOther(call: Call, id: string | undefined, name: string, text: string): boolean {
    if (name === '' || call.name === '') return false;
    if (id !== undefined && call.wireId !== undefined) return true;
    if (name === call.name) return text !== '' && jsonOf(call.args) !== undefined && !text.startsWith(call.args);
    return call.args !== '' || (isTool(name) && !isTool(call.name + name));
  }

  function open(call: Call): void {
    if (call.isOpen || call.name === '') return;
    call.isOpen = true;
    sink.toolCall(call.place, call.wireId ?? createId(), call.name);
    if (call.args !== '') sink.toolArgs(call.place, call.args);
  }

  return {
    take(fragment) {
      const name = textOf(fragment.function?.name);
      const args = fragment.function?.arguments;
      const text = typeof args === 'string' ? args : args ? JSON.stringify(args) : '';
      const call = callOf(fragment, name, text);
      for (const [key, value] of Object.entries(fragment)) if (!knownFields.has(key) && value !== null) call.returned[key] = value;
      // Some servers split the name; others repeat it in each fragment.
      if (name !== '' && !call.isOpen && name !== call.name) call.name += name;
      const more = newPart(call.args, text);
      call.args += more;
      if (call.isOpen) {
        if (more !== '') sink.toolArgs(call.place, more);
      } else if (call.args !== '' || (isTool(call.name) && !tools.some((other) => other !== call.name && other.startsWith(call.name)))) open(call);
    },
    end() {
      for (const call of calls) {
        call.name ||= nameless;
        open(call);
      }
    },
    count: () => calls.length,
    returned() {
      const some = calls.filter((call) => Object.keys(call.returned).length > 0);
      return some.length === 0 ? undefined : Object.fromEntries(some.map(({ place, returned }) => [place, returned]));
    },
  };
}

/** Returns only the new part of the arguments, because some servers repeat all of them in the last fragment. */
function newPart(args: string, text: string): string {
  if (args === '' || !text.startsWith(args)) return text;
  return jsonOf(text) === undefined ? text : text.slice(args.length);
}

/** Returns an empty text for any value but a string, because servers may send other types. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
