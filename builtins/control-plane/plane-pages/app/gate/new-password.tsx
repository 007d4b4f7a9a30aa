// Renders the field for choosing a password.
import { TextField } from '#page/kit/page/text-field.tsx';

/** Minimum length of a password in characters; the control plane enforces it. */
export const minPassword = 8;

export interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}

export function NewPassword(props: NewPasswordProps) {
  return (
    <TextField
      {...props}
      type="password"
      name="new-password"
      autoComplete="new-password"
      hint={`At least ${minPassword} characters.`}
      required
      minLength={minPassword}
    />
  );
}
