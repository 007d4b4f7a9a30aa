// Where a secret is typed in; it is never shown again.
import { FormField } from './form-field.tsx';

export interface SecretFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SecretField({ id, label, value, onChange }: SecretFieldProps) {
  return (
    <FormField id={id} label={label} hint="Kept sealed on this machine; it is not shown again.">
      <input
        id={id}
        className="field"
        type="password"
        value={value}
        required
        autoComplete="off"
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
    </FormField>
  );
}
