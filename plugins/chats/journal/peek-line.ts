// Reads the kind and the id of a journal line without parsing the whole line.
import { isEventId } from 'agent-harness/transcript/events';

/** Returns the kind and the id of a line; `undefined` if the line does not have the form that the event log writes. */
export function peekLine(text: string): { readonly id: number; readonly kind: string } | undefined {
  const found = /^\{"id":(\d+),"kind":"([^"\\]+)",/.exec(text);
  const id = Number(found?.[1]);
  return found && isEventId(id) && text.endsWith('}') ? { id, kind: found[2] as string } : undefined;
}

/** Returns the id of the event in a journal line; `undefined` if the line is not an event. */
export function idOf(text: string): number | undefined {
  return peekLine(text)?.id;
}
