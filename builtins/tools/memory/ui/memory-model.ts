// Formats notes as text for the memory page. Pure.
import type { Note, NoteList, NoteScope } from './memory-calls.ts';
import { formatPercent } from '#page/kit/page/format.ts';
import { t, table } from '#page/kit/t.ts';

export interface MemoryTab {
  /** Segment of the page address, such as `inbox` in `#/memory/inbox`. */
  readonly id: string;
  readonly title: string;
  readonly show: NoteList;
}

export const memoryTabs: readonly [MemoryTab, ...MemoryTab[]] = table([
  { id: 'notes', title: 'Notes', show: 'active' },
  { id: 'inbox', title: 'Inbox', show: 'pending' },
  { id: 'forgotten', title: 'Forgotten', show: 'deleted' },
]);
export const [notesTab] = memoryTabs;

export const scopeTitles: Readonly<Record<NoteScope, string>> = table({ chat: 'This chat', workspace: 'This folder', global: 'Everywhere' });

/** Describes the source of a note. */
export function sourceWords({ source, isPending, isForeign, evidence }: Pick<Note, 'source' | 'isPending' | 'isForeign' | 'evidence'>): string {
  // The user has not accepted a pending note yet, whatever its scope.
  if (isPending === true && source.kind === 'web') return t('from the web, waiting for review');
  if (evidence !== undefined && source.kind !== 'user') return t('the agent, from the conversation');
  if (isForeign === true) return t('came with this folder');
  if (source.kind === 'web') return t('from the web');
  if (source.kind === 'team') return t('from {ref}', { ref: source.ref || t('a teammate') });
  if (source.kind === 'user') return t('written by you');
  return source.kind === 'tool' ? t('a tool, in a turn') : t('the agent, in a turn');
}

/** Formats a confidence, such as `70 % sure`. */
export function confidenceWords(confidence: number): string {
  return t('{percent} sure', { percent: formatPercent(confidence) });
}

/** Returns a key that is unique across scopes. */
export function keyOf({ scope, id }: Pick<Note, 'scope' | 'id'>): string {
  return `${scope} ${id}`;
}

export interface EmptyWords {
  readonly title: string;
  readonly text: string;
}

/** @param isNarrowed whether a search or a scope is active */
export function emptyWords(show: NoteList, isNarrowed: boolean): EmptyWords {
  if (isNarrowed) return { title: t('No note matches.'), text: t('Search for something else, or show all scopes.') };
  if (show === 'pending')
    return { title: t('The inbox is empty.'), text: t('Notes from other sources, uncertain notes and contradictions wait here for you.') };
  if (show === 'deleted') return { title: t('No forgotten notes.'), text: t('Forgotten notes stay here for 30 days and can be restored.') };
  return { title: t('No notes yet.'), text: t('The agent stores lasting facts as notes, and you can add your own.') };
}
