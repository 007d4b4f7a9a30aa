// Renders the line of an event with the renderer of a plugin, or as a plain line if there is none.
import type { NoteEntry } from 'agent-harness/client';
import type { ReactNode } from 'react';
import { t } from '../kit/t.ts';
import { ShownView } from './shown-view.tsx';
import { HostOnly } from '../kit/host-only.tsx';
import { useContributions } from './use-contributions.ts';

interface NoteSlotProps {
  readonly entry: NoteEntry;
  readonly fallback: ReactNode;
}

export function NoteSlot({ entry, fallback }: NoteSlotProps) {
  const { kind, code } = entry;
  const views = useContributions().flatMap(({ notes = [] }) => notes);
  const found = kind === 'system' && code !== undefined && views.find(({ events }) => events.includes(code));
  if (!found)
    return entry.view === undefined ? (
      fallback
    ) : (
      <article className="note-view" data-entry-id={entry.id} data-kind="note" aria-label={t('Note')}>
        <ShownView view={entry.view} id={entry.id} fallback={fallback} />
      </article>
    );
  return (
    <HostOnly>
      <found.View entry={entry} fallback={fallback} />
    </HostOnly>
  );
}
