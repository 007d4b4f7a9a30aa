// Renders the form for the parameters of a view, above its blocks.
import type { ViewInput } from 'agent-harness/view';
import { useState, type FormEvent } from 'react';
import { t } from '../t.ts';
import { startOf, textsOf } from './field-values.ts';
import { InputFields } from './input-fields.tsx';
import '../page/form.css';

interface Props {
  readonly input: ViewInput;
  /** Values from the address. */
  readonly given: Readonly<Record<string, string>>;
  readonly onChange: (given: Readonly<Record<string, string>>) => void;
}

export function ParametersForm({ input, given, onChange }: Props) {
  const [values, setValues] = useState(() => startOf(input, given));

  function submit(event: FormEvent): void {
    event.preventDefault();
    onChange(textsOf(input, values));
  }

  const { title } = input;
  const form = (
    <form className="page-form view-parameters" onSubmit={submit} aria-label={t('Change parameters')}>
      <InputFields input={input} values={values} onChange={setValues} />
      <div className="view-form-end">
        <button type="submit" className="button">
          {t('Show')}
        </button>
      </div>
    </form>
  );
  if (title === undefined) return form;
  return (
    <details className="page-more view-parameters-folded">
      <summary>{t(title)}</summary>
      {form}
    </details>
  );
}
