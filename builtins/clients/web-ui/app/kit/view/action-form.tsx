// Renders the input form of a view's action.
import type { ViewAction } from 'agent-harness/view';
import { use, useState, type FormEvent } from 'react';
import { t } from '../t.ts';
import { inputOf, startOf } from './field-values.ts';
import { InputFields } from './input-fields.tsx';
import { ActInViewContext } from './view-context.ts';
import '../page/form.css';

interface Props {
  readonly action: ViewAction;
  readonly row?: string | undefined;
  /** Called when the form is submitted or cancelled. */
  readonly onClose?: () => void;
}

export function ActionForm({ action, row, onClose }: Props) {
  const acting = use(ActInViewContext);
  const [values, setValues] = useState(() => startOf(action.input));

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const isDone = await acting?.act(action, row, inputOf(action.input, values));
    if (isDone !== true) return;
    setValues(startOf(action.input));
    onClose?.();
  }

  return (
    <form className="page-form" onSubmit={(event) => void submit(event)} aria-label={t(action.label)}>
      <InputFields input={action.input} values={values} onChange={setValues} />
      <div className="view-form-end">
        {onClose && (
          <button type="button" className="button" onClick={onClose}>
            {t('Cancel')}
          </button>
        )}
        <button type="submit" className={`button ${action.kind ?? 'primary'}`} disabled={acting?.isBusy ?? true}>
          {t(action.label)}
        </button>
      </div>
    </form>
  );
}
