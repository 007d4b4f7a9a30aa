// Renders a form on the sign-in pages: fields, error, and one button.
import type { SentForm } from '#page/kit/page/use-sent-form.ts';
import type { ReactNode } from 'react';
import '#page/kit/page/form.css';

export interface GateFormProps {
  readonly form: SentForm;
  readonly isIncomplete?: boolean;
  readonly label: string;
  readonly busyLabel: string;
  readonly children: ReactNode;
}

export function GateForm({ form, isIncomplete = false, label, busyLabel, children }: GateFormProps) {
  return (
    <form className="page-form" onSubmit={form.submit}>
      {children}
      <p className="page-form-problem small" role="alert">
        {form.problem}
      </p>
      <button type="submit" className="button primary" disabled={form.isBusy || isIncomplete}>
        {form.isBusy ? busyLabel : label}
      </button>
    </form>
  );
}
