// What an action of a view asks for, as a form: a field for each thing, by its type.
import type { InputField, ViewAction } from 'agent-harness/view';
import { use, useId, useState, type FormEvent } from 'react';
import { FormField } from '../page/form-field.tsx';
import { Select } from '../page/select.tsx';
import { Switch } from '../page/switch.tsx';
import { t } from '../t.ts';
import { ActInViewContext, type FieldValue } from './view-context.ts';

type Values = Readonly<Record<string, string | boolean>>;

interface Props {
  readonly action: ViewAction;
  readonly row?: string | undefined;
  /** It was done, or nobody wants it any more. */
  readonly onClose?: () => void;
}

export function ActionForm({ action, row, onClose }: Props) {
  const acting = use(ActInViewContext);
  const [values, setValues] = useState(() => startOf(action));
  const base = useId();
  const fields = Object.entries(action.input?.properties ?? {});
  const required = new Set(action.input?.required);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const isDone = await acting?.act(action, row, inputOf(action, values));
    if (isDone !== true) return;
    setValues(startOf(action));
    onClose?.();
  }

  return (
    <form className="page-form" onSubmit={(event) => void submit(event)} aria-label={t(action.label)}>
      {fields.map(([name, field]) => (
        <Field
          key={name}
          {...{ id: `${base}-${name}`, name, field, isNeeded: required.has(name), value: values[name] ?? '' }}
          onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
        />
      ))}
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

interface FieldProps {
  readonly id: string;
  readonly name: string;
  readonly field: InputField;
  readonly isNeeded: boolean;
  readonly value: string | boolean;
  readonly onChange: (value: string | boolean) => void;
}

function Field({ id, name, field, isNeeded, value, onChange }: FieldProps) {
  const { type, title = name, description, enum: choices, format, minLength, maxLength, minimum, maximum } = field;
  const describedBy = description === undefined ? undefined : `${id}-hint`;
  const text = String(value);
  const shared = {
    id,
    className: 'field',
    value: text,
    required: isNeeded,
    'aria-describedby': describedBy,
    ...(maxLength === undefined ? {} : { maxLength }),
  };
  const edit = (event: { readonly target: { readonly value: string } }): void => onChange(event.target.value);
  return (
    <FormField id={id} label={t(title)} {...(description === undefined ? {} : { hint: t(description) })}>
      {type === 'boolean' ? (
        <Switch id={id} isOn={value === true} onChange={onChange} {...(describedBy === undefined ? {} : { describedBy })} />
      ) : choices ? (
        <Select
          id={id}
          value={text}
          options={{ ...(isNeeded ? {} : { '': '–' }), ...Object.fromEntries(choices.map((one): [string, string] => [one, t(one)])) }}
          onChange={onChange}
        />
      ) : format === 'multiline' ? (
        <textarea {...shared} rows={4} dir="auto" onChange={edit} />
      ) : type === 'string' ? (
        <input {...shared} type="text" dir="auto" onChange={edit} {...(minLength === undefined ? {} : { minLength })} />
      ) : (
        <input {...shared} type="number" step={type === 'integer' ? 1 : 'any'} min={minimum} max={maximum} onChange={edit} />
      )}
    </FormField>
  );
}

function startOf({ input }: ViewAction): Values {
  const needed = new Set(input?.required);
  return Object.fromEntries(
    Object.entries(input?.properties ?? {}).map(([name, { type, default: usual, enum: choices }]): [string, string | boolean] => {
      if (type === 'boolean') return [name, usual === true];
      return [name, usual === undefined ? (choices && needed.has(name) ? (choices[0] ?? '') : '') : String(usual)];
    }),
  );
}

/** What was left empty is left out. */
function inputOf({ input }: ViewAction, values: Values): Readonly<Record<string, FieldValue>> {
  return Object.fromEntries(
    Object.entries(input?.properties ?? {}).flatMap(([name, { type }]): [string, FieldValue][] => {
      const value = values[name] ?? '';
      if (value === '') return [];
      return [[name, type === 'number' || type === 'integer' ? Number(value) : value]];
    }),
  );
}
