// Renders the field for entering a secret, which is never shown again.
import { TextField, type TextFieldProps } from './text-field.tsx';
import { t } from '../t.ts';

export function SecretField(props: Pick<TextFieldProps, 'label' | 'value' | 'onChange'>) {
  return <TextField {...props} type="password" required hint={t('Stored encrypted on this machine; it is not shown again.')} />;
}
