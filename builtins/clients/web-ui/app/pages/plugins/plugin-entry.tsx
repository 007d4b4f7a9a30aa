// One plugin: its state with the reason, boot time, contributions, and switch.
import type { PluginRow } from 'agent-harness/client';
import { Ban, CircleAlert, CircleCheck, CircleOff, Lock } from 'lucide-react';
import { formatDecimal } from '../../kit/page/format.ts';
import { Switch } from '../../kit/page/switch.tsx';
import { groupAdditions, isolationTitles, originTitles, remedyOf, stateTitles, summarizeAdditions } from './plugin-model.ts';
import { PluginTrust } from './plugin-trust.tsx';
import { t } from '../../kit/t.ts';

export interface PluginEntryProps {
  readonly plugin: PluginRow;
  /** Current or requested state. */
  readonly isOn: boolean;
  /** Why the last switch was refused. */
  readonly refusal: string | undefined;
  readonly onSwitch: (name: string, isOn: boolean) => void;
  readonly onDecided: () => void;
}

const icons = { active: CircleCheck, failed: CircleAlert, locked: Lock, unmet: CircleOff, disabled: Ban };
const tones = { active: 'good', failed: 'bad', locked: 'warn', unmet: 'warn', disabled: '' };

export function PluginEntry({ plugin, isOn, refusal, onSwitch, onDecided }: PluginEntryProps) {
  const { name, origin, isFixed = false, isolation, state, pending, reason, bootMs, adds, warnings = [] } = plugin;
  const Icon = icons[state];
  const remedy = remedyOf(plugin);
  return (
    <li className="plugin-entry" data-state={state}>
      <div className="plugin-entry-head">
        <h2 className="plugin-entry-name">{name}</h2>
        <span className={`badge plugin-entry-state ${tones[state]}`}>
          <Icon size={13} aria-hidden="true" /> {stateTitles[state]}
        </span>
        <span className="badge">{originTitles[origin]}</span>
        {isolation !== undefined && <span className="badge">{isolationTitles[isolation]}</span>}
        <span className="muted small plugin-entry-boot" title={t('How long it took to start')}>
          <span className="visually-hidden">{t('Started in')} </span>
          {t('{bootMs} ms', { bootMs: formatDecimal(bootMs) })}
        </span>
      </div>
      <div className="plugin-entry-switch">
        {isFixed ? (
          <span className="muted small">{t('always on')}</span>
        ) : (
          <Switch label={t('Plugin {name}', { name })} isOn={isOn} onChange={(isOn) => onSwitch(name, isOn)} />
        )}
      </div>
      {reason !== undefined && (
        <p className="plugin-entry-reason small">
          {sentence(reason)} {remedy !== undefined && <span className="muted">{remedy}</span>}
        </p>
      )}
      {warnings.length > 0 && (
        <ul className="plugin-entry-warnings small" aria-label={t('Warnings of {name}', { name })}>
          {warnings.map((warning, index) => (
            <li key={`${index} ${warning}`}>{sentence(warning)}</li>
          ))}
        </ul>
      )}
      {pending !== undefined && (
        <p className="plugin-entry-reason small" role="status">
          {pending === 'on' ? t('It is switched on as soon as the running turn ends.') : t('It is switched off as soon as the running turn ends.')}
        </p>
      )}
      {refusal !== undefined && (
        <p className="plugin-entry-refusal small" role="alert">
          {refusal}
        </p>
      )}
      {(origin === 'user' || origin === 'bundle') && <PluginTrust plugin={plugin} onDecided={onDecided} />}
      {adds.length > 0 && (
        <details className="page-more plugin-entry-adds small">
          <summary>
            <span>
              {t('Adds {summarizeAdditions}', { summarizeAdditions: summarizeAdditions(adds) })}
              <span className="visually-hidden"> ({name})</span>
            </span>
          </summary>
          <dl>
            {groupAdditions(adds).map(({ title, names }) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd>
                  {names.map((one, index) => (
                    <code key={`${index} ${one}`}>{one}</code>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  );
}

function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
