// The line of an event as the plugin that knows it draws it; the plain one where there is none.
import type { NoteEntry } from 'agent-harness/client';
import type { ReactNode } from 'react';
import { useContributions } from './use-contributions.ts';

interface NoteSlotProps {
  readonly entry: NoteEntry;
  readonly fallback: ReactNode;
}

export function NoteSlot({ entry, fallback }: NoteSlotProps) {
  const { kind, code } = entry;
  const views = useContributions().flatMap(({ notes = [] }) => notes);
  const found = kind === 'system' && code !== undefined && views.find(({ events }) => events.includes(code));
  return found ? <found.View entry={entry} fallback={fallback} /> : fallback;
}
