// Renders the footer of a dialog form: its error and its buttons.
import { t } from '../t.ts';

import './form.css';

export interface FormEndProps {
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  /** Whether a required field is empty. */
  readonly isIncomplete?: boolean;
  readonly label: string;
  readonly busyLabel: string;
  readonly onClose: () => void;
}

export function FormEnd({ problem, isBusy, isIncomplete = false, label, busyLabel, onClose }: FormEndProps) {
  return (
    <>
      <p className="page-form-problem small" role="alert">
        {problem}
      </p>
      <div className="modal-actions">
        <button type="button" className="button" onClick={onClose}>
          {t('Cancel')}
        </button>
        <button type="submit" className="button primary" disabled={isBusy || isIncomplete}>
          {isBusy ? busyLabel : label}
        </button>
      </div>
    </>
  );
}
