// Renders a note of the team: text, author, time, history, and a delete button.
import { useState } from 'react';
import { useCut } from '../cut.tsx';
import { formatTime } from '../page/format.ts';
import { RelativeTime } from '../page/relative-time.tsx';
import { Row } from '../page/rows.tsx';
import { useAct } from '../page/use-act.ts';
import { useConfirm } from '../page/use-confirm.tsx';
import { useLoaded } from '../page/use-loaded.ts';
import { WhenLoaded } from '../page/when-loaded.tsx';
import { PlainText } from '../plain-text.tsx';
import { t, table } from '../t.ts';

export interface TeamNote {
  readonly key: string;
  readonly value: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** E-mail address of the author; omitted for a former member. */
  readonly by?: string | undefined;
  readonly badge?: string | undefined;
}

/** An earlier version of a note. */
export interface TeamNoteVersion {
  readonly value: string;
  /** ISO 8601. */
  readonly replacedAt: string;
  readonly by: { readonly email: string };
  readonly reason: 'newer' | 'deleted' | 'restored';
}

/** Access to the notes of one workspace. */
export interface TeamNoteActions {
  readonly workspace: string;
  readHistory(key: string, signal: AbortSignal): Promise<{ readonly versions: readonly TeamNoteVersion[] }>;
  /** Omitted if the user lacks the right to delete. */
  readonly remove?: ((key: string) => Promise<unknown>) | undefined;
  readonly onChanged: () => void;
}

const limits = { lines: 6, chars: 600 };

export function TeamNoteRow({ workspace, note, readHistory, remove, onChanged }: TeamNoteActions & { readonly note: TeamNote }) {
  const { key, value, updatedAt, by, badge } = note;
  const { isBusy, run } = useAct(onChanged);
  const [ask, dialog] = useConfirm();
  const [isOpen, open] = useState(false);
  const { text, more } = useCut(`${workspace} ${key}`, value, limits);
  return (
    <Row
      title={<bdi>{key}</bdi>}
      badges={badge !== undefined && <span className="badge">{badge}</span>}
      about={
        <>
          {by ?? t('a former member')} · <RelativeTime at={updatedAt} />
        </>
      }
      actions={
        <>
          <button type="button" className="button" aria-expanded={isOpen} aria-label={t('History of {key}', { key })} onClick={() => open(!isOpen)}>
            {t('History')}
          </button>
          {remove && (
            <button
              type="button"
              className="button danger"
              disabled={isBusy}
              aria-label={t('Delete {key}', { key })}
              onClick={() =>
                ask({
                  title: t('Delete {key}?', { key }),
                  text: t('It is removed from every machine of the team at the next sync, and stays in the history for 30 days.'),
                  action: t('Delete'),
                  go: () => void run(() => remove(key), t('{key} was deleted.', { key })),
                })
              }
            >
              {t('Delete')}
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
      {isOpen && <NoteHistory noteKey={key} read={readHistory} />}
    </Row>
  );
}

const reasons = table({ newer: 'replaced by a newer one', deleted: 'deleted', restored: 'restored' } as const);

function NoteHistory({ noteKey, read }: { readonly noteKey: string; readonly read: TeamNoteActions['readHistory'] }) {
  const loaded = useLoaded(noteKey, (signal) => read(noteKey, signal));
  return (
    <WhenLoaded loaded={loaded} what={t('history')}>
      {({ versions }) =>
        versions.length === 0 ? (
          <p className="muted small">{t('It did not change in the last 30 days.')}</p>
        ) : (
          <ol className="team-note-versions" aria-label={t('History of {noteKey}', { noteKey })}>
            {versions.map(({ value, replacedAt, by, reason }) => (
              <li key={`${replacedAt} ${value}`}>
                <p className="team-note-value" dir="auto">
                  <PlainText text={value} />
                </p>
                <p className="muted small">
                  {t('By {email}, {reasons} {replacedAt}', { email: by.email, reasons: reasons[reason], replacedAt: formatTime(replacedAt) })}
                </p>
              </li>
            ))}
          </ol>
        )
      }
    </WhenLoaded>
  );
}
