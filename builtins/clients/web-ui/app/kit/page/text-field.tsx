// Renders a one-line form field without spell checking or completion.
import { useId, type InputHTMLAttributes } from 'react';
import { FormField, type FormFieldProps } from './form-field.tsx';

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'onChange'>, Pick<FormFieldProps, 'label' | 'hint'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function TextField({ label, hint, onChange, ...others }: TextFieldProps) {
  const id = useId();
  return (
    <FormField id={id} label={label} {...(hint === undefined ? {} : { hint })}>
      <input
        {...{ className: 'field', autoComplete: 'off', autoCapitalize: 'off', spellCheck: false, ...others }}
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
    </FormField>
  );
}
