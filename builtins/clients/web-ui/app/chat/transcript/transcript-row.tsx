// One row of the conversation.
import { memo } from 'react';
import { Announcement } from './announcement.tsx';
import { AssistantMessage } from './assistant-message.tsx';
import { NoteLine } from './note-line.tsx';
import { PlainOnError } from '../../kit/plain-on-error.tsx';
import { NoteSlot } from '../../points/note-slot.tsx';
import type { Row } from './rows.ts';
import { ToolGroup } from './tools/tool-group.tsx';
import { UserMessage } from './user-message.tsx';

export const TranscriptRow = memo(function TranscriptRow({ row }: { readonly row: Row }) {
  return (
    <PlainOnError text={plainText(row)}>
      <RowContent row={row} />
    </PlainOnError>
  );
});

function RowContent({ row }: { readonly row: Row }) {
  if (row.kind === 'tools') return <ToolGroup entries={row.entries} />;
  const { entry } = row;
  if (entry.kind === 'user') return <UserMessage entry={entry} />;
  if (entry.kind === 'assistant') return <AssistantMessage entry={entry} isTurnEnd={row.isTurnEnd} />;
  if (entry.kind === 'announcement') return <Announcement entry={entry} />;
  return <NoteSlot entry={entry} fallback={<NoteLine entry={entry} />} />;
}

function plainText(row: Row): string {
  return row.kind === 'entry' ? row.entry.text : row.entries.map(({ name, state }) => `${name}: ${state}`).join('\n');
}
