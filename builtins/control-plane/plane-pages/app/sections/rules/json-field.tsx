// Renders a document as a JSON field.
import { useId } from 'react';
import '#page/kit/page/form.css';

export interface JsonFieldProps {
  readonly label: string;
  readonly value: string;
  readonly isReadOnly: boolean;
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

const rows = { fewest: 10, most: 28 };

export function JsonField({ label, value, isReadOnly, problem, onChange }: JsonFieldProps) {
  const id = useId();
  return (
    <div className="page-form-field">
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <textarea
        id={id}
        className="field code-field"
        rows={Math.min(rows.most, Math.max(rows.fewest, value.split('\n').length + 1))}
        spellCheck={false}
        readOnly={isReadOnly}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-problem`} className="page-form-problem small">
        {problem}
      </p>
    </div>
  );
}
