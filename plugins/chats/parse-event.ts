// A journal line as the event it holds.
import type { JournalEvent } from './contract.ts';

/** `undefined` for a line that is no event. */
export function parseEvent(text: string): JournalEvent | undefined {
  try {
    const event = JSON.parse(text) as JournalEvent | null;
    return typeof event === 'object' && typeof event?.id === 'number' && typeof event.kind === 'string' ? event : undefined;
  } catch {
    return undefined; // the caller reports where it stands
  }
}
