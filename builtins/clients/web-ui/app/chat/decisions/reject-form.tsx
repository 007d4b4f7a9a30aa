// Rejects a call, with a reason that the model gets to read.
import { useId, useState, type FormEvent } from 'react';
import { FieldTools } from '../../points/field-tools.tsx';
import { reveal } from './reveal.ts';
import './approval-form.css';

interface RejectFormProps {
  readonly isBusy: boolean;
  readonly onReject: (reason: string) => void;
  readonly onCancel: () => void;
}

export function RejectForm({ isBusy, onReject, onCancel }: RejectFormProps) {
  const id = useId();
  const [reason, setReason] = useState('');

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) onReject(reason.trim());
  }

  return (
    <form ref={reveal} className="approval-form" onSubmit={onSubmit} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      <label htmlFor={id}>Reason (optional)</label>
      <FieldTools>
        <input
          id={id}
          className="field"
          autoFocus
          autoComplete="off"
          maxLength={10_000}
          placeholder="The agent reads it"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </FieldTools>
      <div className="approval-actions">
        <button type="submit" className="button danger" aria-disabled={isBusy}>
          Reject now
        </button>
        <button type="button" className="button bare" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
