// Renders the form for denying a call, with a reason for the model.
import { useId, type FormEvent } from 'react';
import { useDraft } from '../../kit/use-draft.ts';
import { FieldTools } from '../../points/field-tools.tsx';
import { reveal } from './reveal.ts';
import { t } from '../../kit/t.ts';
import './approval-form.css';

interface RejectFormProps {
  /** Id under which the reason is stored until the denial is sent. */
  readonly draftId: string;
  readonly isBusy: boolean;
  readonly onReject: (reason: string) => void;
  readonly onCancel: () => void;
}

export function RejectForm({ draftId, isBusy, onReject, onCancel }: RejectFormProps) {
  const id = useId();
  const [reason, setReason] = useDraft(draftId);

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) onReject(reason.trim());
  }

  return (
    <form ref={reveal} className="approval-form" onSubmit={onSubmit} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      <label htmlFor={id}>{t('Reason (optional)')}</label>
      <FieldTools>
        <input
          id={id}
          className="field"
          autoFocus
          autoComplete="off"
          maxLength={10_000}
          placeholder={t('The agent reads it')}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </FieldTools>
      <div className="approval-actions">
        <button type="submit" className="button danger" aria-disabled={isBusy}>
          {t('Deny now')}
        </button>
        <button type="button" className="button bare" onClick={onCancel}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}
