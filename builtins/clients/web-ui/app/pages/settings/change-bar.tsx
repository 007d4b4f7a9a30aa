// Renders the bar that is shown while there are unsaved changes: saves them, and shows the result.
import { useEffect, useRef } from 'react';
import { t, tn } from '../../kit/t.ts';
import { rowOf } from '../../kit/short-texts.ts';

export type Outcome = { readonly kind: 'saved' | 'refused'; readonly text: string };

export interface ChangeBarProps {
  readonly count: number;
  /** Labels of invalid fields, which must be fixed before saving. */
  readonly faulty: readonly string[];
  readonly isSaving: boolean;
  readonly outcome: Outcome | undefined;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

export function ChangeBar({ count, faulty, isSaving, outcome, onSave, onDiscard }: ChangeBarProps) {
  const words = useRef<HTMLParagraphElement>(null);
  const isDone = outcome?.kind === 'saved' && count === 0;
  // Moves the focus, because the pressed button disappears after saving.
  useEffect(() => {
    if (isDone) words.current?.focus();
  }, [isDone]);

  if (count === 0 && outcome === undefined) return null;
  return (
    <section className="change-bar" aria-label={t('Changes')} data-kind={outcome?.kind}>
      <p ref={words} tabIndex={-1} role="status">
        {count > 0 && <strong>{tn(count, '{count} change', '{count} changes')}</strong>}{' '}
        {faulty.length > 0 ? t('Fix first: {fields}.', { fields: rowOf(faulty) }) : outcome?.text}
      </p>
      {count > 0 && (
        <div className="change-bar-buttons">
          <button type="button" className="button" disabled={isSaving} onClick={onDiscard}>
            {t('Discard')}
          </button>
          <button type="button" className="button primary" disabled={isSaving || faulty.length > 0} onClick={onSave}>
            {isSaving ? t('Saving…') : t('Save')}
          </button>
        </div>
      )}
    </section>
  );
}
