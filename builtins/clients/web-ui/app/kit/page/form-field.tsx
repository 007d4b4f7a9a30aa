// Renders a form field with a label above and a hint below.
import type { ReactNode } from 'react';
import './form.css';

export interface FormFieldProps {
  /** Id of the control; the id of the hint is the same with the suffix `-hint`. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  /** The control. */
  readonly children: ReactNode;
}

export function FormField({ id, label, hint, children }: FormFieldProps) {
  return (
    <div className="page-form-field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="muted small">
          {hint}
        </p>
      )}
    </div>
  );
}
