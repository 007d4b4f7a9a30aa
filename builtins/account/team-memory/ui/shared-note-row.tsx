// A note of the team: its text, who wrote it and when, what it was before, and deleting it.
import type { ReplyOf } from 'agent-harness/client';
import { useCut } from '#page/kit/cut.tsx';
import { useClient } from '#page/kit/hooks.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { Row } from '#page/kit/page/rows.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useConfirm } from '#page/kit/page/use-confirm.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { PlainText } from '#page/kit/plain-text.tsx';
import { useState } from 'react';

export interface SharedNoteRowProps {
  readonly workspace: string;
  readonly note: ReplyOf<'GET /api/team/notes'>['notes'][number];
  /** Up to which the notes were read. */
  readonly revision: number;
  readonly mayDelete: boolean;
  readonly onChanged: () => void;
}

const limits = { lines: 6, chars: 600 };

export function SharedNoteRow({ workspace, note, revision, mayDelete, onChanged }: SharedNoteRowProps) {
  const client = useClient();
  const { key, value, updatedAt, by, isOwn } = note;
  const { isBusy, run } = useAct(onChanged);
  const [ask, dialog] = useConfirm();
  const [isOpen, open] = useState(false);
  const { text, more } = useCut(`${workspace} ${key}`, value, limits);
  const remove = (): Promise<unknown> => client.call('DELETE /api/team/notes', { query: { workspace, key, revision } });
  return (
    <Row
      title={<bdi>{key}</bdi>}
      badges={isOwn && <span className="badge">yours</span>}
      about={
        <>
          {by ?? 'somebody who left'} · <RelativeTime at={updatedAt} />
        </>
      }
      actions={
        <>
          <button type="button" className="button" aria-expanded={isOpen} aria-label={`History of ${key}`} onClick={() => open(!isOpen)}>
            History
          </button>
          {mayDelete && (
            <button
              type="button"
              className="button danger"
              disabled={isBusy}
              aria-label={`Delete ${key}`}
              onClick={() =>
                ask({
                  title: `Delete ${key}?`,
                  text: 'It goes from every machine of the team at its next sync, and stays in the history for 30 days.',
                  action: 'Delete',
                  go: () => void run(remove, `${key} is deleted.`),
                })
              }
            >
              Delete
            </button>
          )}
          {dialog}
        </>
      }
    >
      <p className="team-note-value" dir="auto">
        <PlainText text={text} />
      </p>
      {more}
      {isOpen && <NoteHistory workspace={workspace} noteKey={key} />}
    </Row>
  );
}

const reasons = { newer: 'replaced by a newer one', deleted: 'deleted', restored: 'restored' } as const;

function NoteHistory({ workspace, noteKey }: { readonly workspace: string; readonly noteKey: string }) {
  const client = useClient();
  const loaded = useLoaded(noteKey, (signal) => client.call('GET /api/sync/history', { query: { target: 'team', workspace, key: noteKey }, signal }));
  return (
    <WhenLoaded loaded={loaded} what="history">
      {({ versions }) =>
        versions.length === 0 ? (
          <p className="muted small">It was nothing else in the last 30 days.</p>
        ) : (
          <ol className="team-note-versions" aria-label={`History of ${noteKey}`}>
            {versions.map(({ value, replacedAt, by, reason }) => (
              <li key={`${replacedAt} ${value}`}>
                <p className="team-note-value" dir="auto">
                  <PlainText text={value} />
                </p>
                <p className="muted small">
                  By {by.email}, {reasons[reason]} {formatTime(replacedAt)}
                </p>
              </li>
            ))}
          </ol>
        )
      }
    </WhenLoaded>
  );
}
