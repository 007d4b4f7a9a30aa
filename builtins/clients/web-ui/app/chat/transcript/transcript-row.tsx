// Renders one row of the conversation.
import { memo, use } from 'react';
import { Announcement } from './announcement.tsx';
import { AssistantMessage } from './assistant-message.tsx';
import { NoteLine } from './note-line.tsx';
import { PlainOnError } from '../../kit/plain-on-error.tsx';
import { NoteSlot } from '../../points/note-slot.tsx';
import { TurnViews } from '../../points/turn-views.tsx';
import type { Row } from './rows.ts';
import { RunningTurnContext } from './running-turn.ts';
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
  if (row.kind === 'tools') {
    const turnId = row.isTurnEnd ? row.entries.at(-1)?.turnId : undefined;
    return (
      <>
        <ToolGroup entries={row.entries} />
        {turnId !== undefined && <EndOfWork turnId={turnId} />}
      </>
    );
  }
  const { entry } = row;
  if (entry.kind === 'user') return <UserMessage entry={entry} />;
  if (entry.kind === 'assistant') return <AssistantMessage entry={entry} isTurnEnd={row.isTurnEnd} />;
  if (entry.kind === 'announcement') return <Announcement entry={entry} />;
  return <NoteSlot entry={entry} fallback={<NoteLine entry={entry} />} />;
}

/** Renders the plugin views of a turn that ended without text. */
function EndOfWork({ turnId }: { readonly turnId: string }) {
  return use(RunningTurnContext) === turnId ? null : <TurnViews turnId={turnId} />;
}

function plainText(row: Row): string {
  return row.kind === 'entry' ? row.entry.text : row.entries.map((step) => (step.kind === 'tool' ? `${step.name}: ${step.state}` : step.reasoning)).join('\n');
}
