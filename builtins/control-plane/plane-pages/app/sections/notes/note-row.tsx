// A note: its text, who wrote it, what it was before.
import { useCut } from '#page/kit/cut.tsx';
import { PlainText } from '#page/kit/plain-text.tsx';
import { formatTime } from '#page/kit/page/format.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useState } from 'react';
import { isAtLeast, useMembership } from '../../base/me.ts';
import { call } from '../../base/plane.ts';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { Row } from '#page/kit/page/rows.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useConfirm } from '#page/kit/page/use-confirm.tsx';
import { deleteNote, type Note } from './read-notes.ts';
import './notes.css';

export interface NoteRowProps {
  readonly workspace: string;
  readonly note: Note;
  /** Up to which the notes were read. */
  readonly revision: number;
  readonly onChanged: () => void;
}

const limits = { lines: 6, chars: 600 };

export function NoteRow({ workspace, note, revision, onChanged }: NoteRowProps) {
  const { role } = useMembership();
  const { key, value, updatedAt, by, source } = note;
  const { isBusy, run } = useAct(onChanged);
  const [ask, dialog] = useConfirm();
  const [isOpen, open] = useState(false);
  const { text, more } = useCut(`${workspace} ${key}`, value, limits);
  return (
    <Row
      title={key}
      badges={source && <span className="badge">{source.kind}</span>}
      about={
        <>
          {by?.email ?? 'somebody who left'} · <RelativeTime at={updatedAt} />
        </>
      }
      actions={
        <>
          <button type="button" className="button" aria-expanded={isOpen} aria-label={`History of ${key}`} onClick={() => open(!isOpen)}>
            History
          </button>
          {isAtLeast(role, 'member') && (
            <button
              type="button"
              className="button danger"
              disabled={isBusy}
              aria-label={`Delete ${key}`}
              onClick={() =>
                ask({
                  title: `Delete ${key}?`,
                  text: 'It goes from every service of the team at its next sync, and stays in the history for 30 days.',
                  action: 'Delete',
                  go: () => void run(() => deleteNote(workspace, key, revision), `${key} is deleted.`),
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
      <p className="note-value">
        <PlainText text={text} />
      </p>
      {more}
      {isOpen && <NoteHistory workspace={workspace} noteKey={key} />}
    </Row>
  );
}

const reasons = { newer: 'replaced by a newer one', deleted: 'deleted', restored: 'restored' } as const;

function NoteHistory({ workspace, noteKey }: { readonly workspace: string; readonly noteKey: string }) {
  const loaded = useLoaded(noteKey, (signal) => call('GET /api/team/memory/notes/history', { query: { workspace, key: noteKey }, signal }));
  return (
    <WhenLoaded loaded={loaded} what="history">
      {({ versions }) =>
        versions.length === 0 ? (
          <p className="muted small">It was nothing else in the last 30 days.</p>
        ) : (
          <ol className="note-versions">
            {versions.map(({ value, replacedAt, by, reason }) => (
              <li key={`${replacedAt} ${value}`}>
                <p className="note-value">
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
