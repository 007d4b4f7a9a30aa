// The end of a form in a dialog: what is wrong with it, and its buttons.

export interface FormEndProps {
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  readonly onClose: () => void;
}

export function FormEnd({ problem, isBusy, onClose }: FormEndProps) {
  return (
    <>
      <p className="page-form-problem small" role="alert">
        {problem}
      </p>
      <div className="modal-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={isBusy}>
          {isBusy ? 'Connecting…' : 'Connect'}
        </button>
      </div>
    </>
  );
}
