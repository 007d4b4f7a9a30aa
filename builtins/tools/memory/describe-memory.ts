// Builds the reply of `/memory`: the number of notes by scope, and the pending notes.
import { oneLine } from '#lib/text';
import type { NotePlace } from './contract.ts';
import { allScopes } from './notes/open-note-files.ts';
import type { NoteStore } from './notes/note-store.ts';

const shownWaiting = 10;

export async function describeMemory(store: NoteStore, place: NotePlace): Promise<string> {
  const counts = await Promise.all(allScopes.map(async (scope) => `${(await store.list(place, { scope, limit: 1 })).total} ${scope}`));
  const waiting = await store.list(place, { show: 'pending', limit: shownWaiting });
  const lines = waiting.notes.map(({ id, scope, value }) => `- ${id} (${scope}): ${oneLine(value, 120)}`);
  const more = waiting.total > lines.length ? [`… and ${waiting.total - lines.length} more`] : [];
  const inbox = waiting.total === 0 ? ['The inbox is empty.'] : [`${waiting.total} in the inbox:`, ...lines, ...more];
  return [`Notes: ${counts.join(', ')}.`, ...inbox].join('\n');
}
