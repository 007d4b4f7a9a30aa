// What the memory page says about notes. Pure.
import type { Note, NoteList, NoteScope } from './memory-calls.ts';

export interface MemoryTab {
  /** Stands in the address: `#/memory/inbox`. */
  readonly id: string;
  readonly title: string;
  readonly show: NoteList;
}

export const notesTab: MemoryTab = { id: 'notes', title: 'Notes', show: 'active' };
export const memoryTabs: readonly MemoryTab[] = [
  notesTab,
  { id: 'inbox', title: 'Inbox', show: 'pending' },
  { id: 'forgotten', title: 'Forgotten', show: 'deleted' },
];

export const scopeTitles: Readonly<Record<NoteScope, string>> = { chat: 'This chat', workspace: 'This folder', global: 'Everywhere' };

/** Where a note came from, in words. */
export function sourceWords({ source, isPending, isForeign, evidence }: Pick<Note, 'source' | 'isPending' | 'isForeign' | 'evidence'>): string {
  // What waits is nobody's yet, wherever it lies.
  if (isPending === true && source.kind === 'web') return 'from the web, waits for you';
  if (evidence !== undefined && source.kind !== 'user') return 'the agent, from what was said';
  if (isForeign === true) return 'came with this folder, nobody here wrote it';
  if (source.kind === 'web') return 'from the web';
  if (source.kind === 'team') return `from ${source.ref || 'a teammate'}`;
  if (source.kind === 'user') return 'you wrote it';
  return source.kind === 'tool' ? 'a tool, in a turn' : 'the agent, in a turn';
}

/** `70 % sure` */
export function confidenceWords(confidence: number): string {
  return `${Math.round(confidence * 100)} % sure`;
}

/** Tells notes of the same id in two scopes apart. */
export function keyOf({ scope, id }: Pick<Note, 'scope' | 'id'>): string {
  return `${scope} ${id}`;
}

export interface EmptyWords {
  readonly title: string;
  readonly text: string;
}

/** @param isNarrowed something is searched for, or a scope is chosen */
export function emptyWords(show: NoteList, isNarrowed: boolean): EmptyWords {
  if (isNarrowed) return { title: 'No note matches.', text: 'Search for something else, or show all scopes.' };
  if (show === 'pending')
    return { title: 'Nothing waits for you.', text: 'What others said, what you did not say like that, and what contradicts a note comes here first.' };
  if (show === 'deleted') return { title: 'Nothing was forgotten.', text: 'Forgotten notes stay here for 30 days and can be restored.' };
  return { title: 'No notes yet.', text: 'The agent writes down what is worth keeping, and so can you.' };
}
