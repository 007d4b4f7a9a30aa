// The parts of a record in the forms in which the loop takes them. Pure.
import type { CheckedCall, RegisteredTool, Tools } from 'agent-harness/plugins/tools';
import type { Fault, Pieces, ToolFacts, TurnRecord } from './record-types.ts';

/** One event as the loop said it, without the number and the time that the log gives. */
export interface SaidEvent {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** The result of a call that the record has none of. */
export const notRunOutput = 'Not run: nothing runs when a turn is replayed, and the record has no result of this call.';

/** Hooks that pass a value on; the others answer nothing. */
export const passesOn: ReadonlySet<string> = new Set(['prompt.build', 'model.request', 'tool.after', 'turn.finalize']);

/** Whether anything was delivered for that question. */
export function hasPieces({ log }: TurnRecord, key: string): boolean {
  return log.some((entry) => 'key' in entry && entry.key === key);
}

/** As the provider sent them. */
export function* piecesOf({ text, lengths }: Pieces): Iterable<string> {
  let from = 0;
  for (const length of lengths) yield text.slice(from, (from += length));
}

/** The fault that the turn met. */
export function errorFrom({ code, message, details }: Fault): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code }, details === undefined ? {} : { details });
}

/** A tool as the loop sees it: what it is called and how its calls go, and nothing that runs. */
export function toolOf(name: string, facts: ToolFacts | null | undefined, subject?: string): RegisteredTool {
  const { icon, family = '', replay, isConcurrent, compose } = facts ?? {};
  return {
    ...{ name, family, plugin: family, traits: [], description: '', input: {} },
    ...(replay === undefined ? {} : { replay: replay as NonNullable<RegisteredTool['replay']> }),
    ...(isConcurrent === undefined ? {} : { isConcurrent }),
    ...(compose === undefined ? {} : { compose }),
    display: { ...(icon === undefined ? {} : { icon }), ...(subject === undefined ? {} : { subject: () => subject }) },
  };
}

/** What the loop does not ask of the tools. */
export const noTools = {
  list: () => [],
  nameWith: () => undefined,
  specOf: () => undefined,
  reveal: () => undefined,
  checkArgs: (): CheckedCall => ({ ok: false, error: notRunOutput }),
} satisfies Partial<Tools>;
