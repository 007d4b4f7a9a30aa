// Converts the parts of a record to the forms that the loop expects. Pure.
import type { CheckedCall, RegisteredTool, Tools } from 'agent-harness/plugins/tools';
import type { Fault, Pieces, ToolFacts, TurnRecord } from './record-schema.ts';

/** The output of a call that is missing in the record. */
export const notRunOutput = 'Not run: nothing runs when a turn is replayed, and the record has no result of this call.';

/** Waterfall hooks; the others return nothing. */
export const passesOn: ReadonlySet<string> = new Set(['prompt.build', 'model.request', 'tool.after', 'turn.finalize']);

/** Whether pieces were delivered for that key. */
export function hasPieces({ log }: TurnRecord, key: string): boolean {
  return log.some((entry) => 'key' in entry && entry.key === key);
}

/** As sent by the provider. */
export function* piecesOf({ text, lengths }: Pieces): Iterable<string> {
  let from = 0;
  for (const length of lengths) yield text.slice(from, (from += length));
}

/** Recreates the fault of the turn. */
export function errorFrom({ code, message, details }: Fault): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code }, details === undefined ? {} : { details });
}

/** Returns a tool for the loop: its name and properties, without an implementation. */
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

/** Methods of the tools that the loop does not call. */
export const noTools = {
  list: () => [],
  nameWith: () => undefined,
  specOf: () => undefined,
  reveal: () => undefined,
  checkArgs: (): CheckedCall => ({ ok: false, error: notRunOutput }),
} satisfies Partial<Tools>;
