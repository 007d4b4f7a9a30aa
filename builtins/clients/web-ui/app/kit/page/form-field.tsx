// A field of a form: its name above it, a hint below it.
import type { ReactNode } from 'react';
import './form.css';

export interface FormFieldProps {
  /** Of the control; the hint has it with `-hint` at the end. */
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
