// Renders the control of a setting according to its kind.
import { Switch } from '../../kit/page/switch.tsx';
import type { SettingField } from './settings-model.ts';
import { t } from '../../kit/t.ts';

export interface SettingControlProps {
  readonly field: SettingField;
  readonly id: string;
  readonly text: string;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly onChange: (text: string) => void;
}

export function SettingControl({ field, id, text, describedBy, isInvalid, onChange }: SettingControlProps) {
  const isLocked = field.locked || field.sensitive;
  if (field.kind === 'boolean') {
    return <Switch id={id} isOn={text === 'true'} isDisabled={isLocked} describedBy={describedBy} onChange={(isOn) => onChange(String(isOn))} />;
  }
  const shared = { id, className: 'field', disabled: isLocked, 'aria-describedby': describedBy, 'aria-invalid': isInvalid };
  if (field.kind === 'enum') {
    return (
      <select {...shared} value={text} onChange={(event) => onChange(event.target.value)}>
        {(field.values ?? []).map((value) => (
          <option key={value} value={value}>
            {value === '' ? t('(none)') : value}
          </option>
        ))}
      </select>
    );
  }
  if (field.kind === 'string') {
    return (
      <input
        {...shared}
        type={field.sensitive ? 'password' : 'text'}
        value={text}
        placeholder={placeholderOf(field)}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <input
      {...shared}
      type="number"
      inputMode={field.kind === 'integer' ? 'numeric' : 'decimal'}
      min={field.minimum}
      max={field.maximum}
      step={field.kind === 'integer' ? 1 : 'any'}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function placeholderOf({ sensitive, source }: SettingField): string {
  if (sensitive) return source === 'default' ? t('not set') : t('is set');
  return t('not set');
}
