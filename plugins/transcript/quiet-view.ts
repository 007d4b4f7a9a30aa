// Reduces a transcript to its quiet form: no traces, no arguments of calls, and no progress of calls.
import { isTrace } from './event-reducers.ts';
import type { Entry, ToolEntry } from './state.ts';

/** Returns the same object for the same entry, so that only changed entries are rendered again. */
export function createQuietView(): (entries: readonly Entry[]) => Entry[] {
  const known = new WeakMap<ToolEntry, ToolEntry>();
  function quieten(entry: ToolEntry): ToolEntry {
    const { args: _args, subject: _subject, ...rest } = entry;
    const quiet = known.get(entry) ?? { ...rest, argsText: '', progress: [] };
    known.set(entry, quiet);
    return quiet;
  }
  return (entries) => entries.filter((entry) => !isTrace(entry)).map((entry) => (entry.kind === 'tool' ? quieten(entry) : entry));
}
