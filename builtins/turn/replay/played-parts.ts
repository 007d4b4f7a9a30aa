// The parts of a record in the forms in which the loop takes them. Pure.
import type { ModelMessage, ModelRequest } from 'agent-harness/plugins/models';
import type { CheckedCall, RegisteredTool, Tools } from 'agent-harness/plugins/tools';
import type { Ask, Fault, Pieces, ShownRequest, ToolFacts, TurnRecord } from './record-types.ts';

/** The result of a call that the record has none of. */
export const notRunOutput = 'Not run: nothing runs when a turn is replayed, and the record has no result of this call.';

/** Hooks that pass a value on; the others answer nothing. */
export const passesOn: ReadonlySet<string> = new Set(['prompt.build', 'model.request', 'tool.after', 'turn.finalize']);

/** Hooks of which a request is made. */
export const makesRequest: ReadonlySet<string> = new Set(['prompt.build', 'model.request']);

/** A request as it is shown. */
export function whole(key: string, { model, effort, system, messages, tools, maxTokens, purpose }: ModelRequest): ShownRequest {
  return { ...{ key, system, messages, tools, maxTokens, purpose }, ...(model === undefined ? {} : { model }), ...(effort === undefined ? {} : { effort }) };
}

/** What plugins said behind the conversation. */
export function tailOf({ messages }: Ask): ModelMessage[] {
  const last = messages.findLastIndex((one) => !('role' in one));
  return messages.slice(last + 1).flatMap((one) => ('role' in one ? [one] : []));
}

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

/** A tool as the loop sees it: what it is called and how its calls go, and nothing that runs. @param now what else there is to say of it */
export function toolOf(name: string, facts: ToolFacts | null | undefined, subject?: string, now?: RegisteredTool): RegisteredTool {
  const { icon, family = '', replay, isConcurrent, compose } = facts ?? {};
  const { plugin = family, traits = [], description = '', input = {} } = now ?? {};
  return {
    ...{ name, family, plugin, traits, description, input },
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
