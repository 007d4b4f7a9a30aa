// Reads kind and id of a journal line without parsing all of it.
import { isEventId } from 'agent-harness/transcript/events';

/** Returns kind and id of a line as the event log writes it. */
export function peekLine(text: string): { readonly id: number; readonly kind: string } | undefined {
  const found = /^\{"id":(\d+),"kind":"([^"\\]+)",/.exec(text);
  const id = Number(found?.[1]);
  return found && isEventId(id) && text.endsWith('}') ? { id, kind: found[2] as string } : undefined;
}

export function idOf(text: string): number | undefined {
  return peekLine(text)?.id;
}
