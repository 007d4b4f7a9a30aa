// Renders an on/off switch.
import { t } from '../t.ts';

import './switch.css';

export interface SwitchProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
  readonly id?: string;
  /** Label for screen readers, if no label element names the switch. */
  readonly label?: string;
  readonly describedBy?: string;
}

export function Switch({ isOn, onChange, isDisabled = false, id, label, describedBy }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      id={id}
      aria-checked={isOn}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={isDisabled}
      onClick={() => onChange(!isOn)}
    >
      <span className="switch-track" aria-hidden="true">
        <span className="switch-thumb" />
      </span>
      <span className="switch-word" aria-hidden="true">
        {isOn ? t('On') : t('Off')}
      </span>
    </button>
  );
}
