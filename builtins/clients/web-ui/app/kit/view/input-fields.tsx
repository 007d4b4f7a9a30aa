// Renders a field for each input of an action or a view, by type.
import type { InputField, ViewInput } from 'agent-harness/view';
import { useId } from 'react';
import { useClient, useStore } from '../hooks.ts';
import { FormField } from '../page/form-field.tsx';
import { Select } from '../page/select.tsx';
import { Switch } from '../page/switch.tsx';
import { t } from '../t.ts';
import type { Values } from './field-values.ts';

interface Props {
  readonly input: ViewInput | undefined;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}

export function InputFields({ input, values, onChange }: Props) {
  const base = useId();
  const required = new Set(input?.required);
  return Object.entries(input?.properties ?? {}).map(([name, field]) => (
    <Field
      key={name}
      {...{ id: `${base}-${name}`, name, field, isNeeded: required.has(name), value: values[name] ?? '' }}
      onChange={(value) => onChange({ ...values, [name]: value })}
    />
  ));
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
  const { chats } = useStore(useClient().chats);
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
      ) : format === 'chat' ? (
        <Select id={id} value={text} options={chatsBy(chats, isNeeded)} onChange={onChange} />
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

function chatsBy(chats: readonly { readonly chatId: string; readonly title: string }[], isNeeded: boolean): Readonly<Record<string, string>> {
  return { ...(isNeeded ? {} : { '': '–' }), ...Object.fromEntries(chats.map(({ chatId, title }) => [chatId, title || t('Untitled chat')])) };
}
