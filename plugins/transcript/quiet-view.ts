// Reduces the entries of a chat to the quiet form: without status lines, arguments and progress of calls.
import { isTrace } from './event-reducers.ts';
import type { Entry, ToolEntry } from './state.ts';

/** Creates the reducer. It returns the same object for an unchanged entry, because clients render only changed entries again. */
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
