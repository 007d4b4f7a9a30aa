// Renders the form for editing the arguments of a call before it runs, with validation messages.
import { useId, useState, type FormEvent } from 'react';
import { draftOf, fieldsOf, readFields, withDraft, type EditField } from './edit-fields.ts';
import { useDraft } from '../../kit/use-draft.ts';
import { FieldTools } from '../../points/field-tools.tsx';
import { reveal } from './reveal.ts';
import { t } from '../../kit/t.ts';
import './approval-form.css';

interface EditFormProps {
  /** Id under which the edited fields are stored until they are sent. */
  readonly draftId: string;
  readonly args: unknown;
  /** The server's error for the most recently submitted arguments. */
  readonly refusal: string | undefined;
  readonly isBusy: boolean;
  readonly onApprove: (args: Record<string, unknown>) => void;
  readonly onCancel: () => void;
}

export function EditForm({ draftId, args, refusal, isBusy, onApprove, onCancel }: EditFormProps) {
  const id = useId();
  const [draft, setDraft] = useDraft(draftId);
  const [fields, setFields] = useState(() => withDraft(fieldsOf(args), draft));
  const [refused, setRefused] = useState<readonly EditField[]>();
  const read = readFields(fields);
  const problem = 'problem' in read ? read.problem : refused === fields ? refusal : undefined;

  function change(key: string, text: string): void {
    const changed = fields.map((field) => (field.key === key ? { ...field, text } : field));
    setFields(changed);
    setDraft(draftOf(changed));
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy) return;
    if ('problem' in read) {
      document.getElementById(`${id}-${read.key}`)?.focus();
      return;
    }
    setRefused(fields);
    onApprove(read.args);
  }

  return (
    <form ref={reveal} className="approval-form" onSubmit={onSubmit} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      <div className="approval-fields">
        {fields.map((field, index) => (
          <Field
            key={field.key}
            id={`${id}-${field.key}`}
            field={field}
            isFirst={index === 0}
            isWrong={'problem' in read && read.key === field.key}
            describedBy={`${id}-problem`}
            onChange={(text) => change(field.key, text)}
          />
        ))}
        {fields.length === 0 && <p className="muted small">{t('No arguments to edit.')}</p>}
      </div>
      <p id={`${id}-problem`} className="approval-problem small" aria-live="polite">
        {problem}
      </p>
      <div className="approval-actions">
        <button type="submit" className="button primary" aria-disabled={isBusy || 'problem' in read}>
          {t('Allow edited')}
        </button>
        <button type="button" className="button bare" onClick={onCancel}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly id: string;
  readonly field: EditField;
  readonly isFirst: boolean;
  readonly isWrong: boolean;
  readonly describedBy: string;
  readonly onChange: (text: string) => void;
}

function Field({ id, field: { key, kind, text }, isFirst, isWrong, describedBy, onChange }: FieldProps) {
  if (kind === 'boolean') {
    return (
      <label className="approval-switch">
        <input id={id} type="checkbox" autoFocus={isFirst} checked={text === 'true'} onChange={(event) => onChange(String(event.target.checked))} />
        <code>{key}</code>
      </label>
    );
  }
  const shared = { id, className: 'field approval-input', autoFocus: isFirst, value: text, 'aria-invalid': isWrong, 'aria-describedby': describedBy };
  return (
    <div className="approval-field">
      <label htmlFor={id}>
        <code>{key}</code>
        {kind === 'json' && <span className="muted"> {t('(JSON)')}</span>}
      </label>
      {kind === 'number' ? (
        <input {...shared} inputMode="decimal" autoComplete="off" onChange={(event) => onChange(event.target.value)} />
      ) : (
        <FieldTools>
          <textarea
            {...shared}
            rows={Math.min(8, text.split('\n').length)}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        </FieldTools>
      )}
    </div>
  );
}
