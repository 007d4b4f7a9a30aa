// Renders one plugin: name, purpose, reason if it does not run, switch, and details.
import type { PluginRow } from 'agent-harness/client';
import { formatCount } from '../../kit/page/format.ts';
import { Switch } from '../../kit/page/switch.tsx';
import { groupAdditions, isQuarantined, remedyOf, stateTitles, summarizeAdditions } from './plugin-model.ts';
import { PluginTrust } from './plugin-trust.tsx';
import { t } from '../../kit/t.ts';

export interface PluginEntryProps {
  readonly plugin: PluginRow;
  readonly title: string;
  readonly about?: string | undefined;
  /** The current or requested state. */
  readonly isOn: boolean;
  /** Reason why the last change of the switch was refused. */
  readonly refusal: string | undefined;
  readonly onSwitch: (name: string, isOn: boolean) => void;
  readonly onDecided: () => void;
}

export function PluginEntry({ plugin, title, about, isOn, refusal, onSwitch, onDecided }: PluginEntryProps) {
  const { name, origin, isFixed = false, isolation, state, pending, reason, bootMs, adds, warnings = [], asks = [] } = plugin;
  const isOwn = origin === 'user' || origin === 'bundle';
  const isBad = state === 'failed' || state === 'unmet';
  const remedy = remedyOf(plugin);
  const trust = isOwn && <PluginTrust plugin={plugin} title={title} onDecided={onDecided} />;
  return (
    <li className="plugin-entry" data-state={state}>
      <div className="plugin-entry-head">
        <h3 className="plugin-entry-name">{title}</h3>
        {isBad && <span className={`badge ${state === 'failed' ? 'bad' : 'warn'}`}>{stateTitles[state]}</span>}
        {origin === 'bundle' && <span className="muted small">{t('Bundle')}</span>}
        {isolation !== undefined && <span className="muted small">{t('Isolated')}</span>}
      </div>
      <div className="plugin-entry-switch">
        {state !== 'locked' && !isFixed && <Switch label={t('Plugin {name}', { name: title })} isOn={isOn} onChange={(isOn) => onSwitch(name, isOn)} />}
      </div>
      {about !== undefined && <p className="plugin-entry-about muted small">{about}</p>}
      {reason !== undefined && (isBad || isQuarantined(plugin)) && (
        <p className="plugin-entry-reason small">
          {sentence(reason)} {remedy !== undefined && <span className="muted">{remedy}</span>}
        </p>
      )}
      {warnings.length > 0 && (
        <ul className="plugin-entry-warnings small" aria-label={t('Warnings of {name}', { name: title })}>
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
      {asks.length > 0 && trust}
      {state !== 'locked' && (
        <details className="page-more plugin-entry-adds small">
          <summary>
            <span>
              {t('Details')}
              <span className="visually-hidden"> ({title})</span>
            </span>
          </summary>
          <p className="muted">
            <code>{name}</code>
            {bootMs >= 1 && <span> · {t('started in {bootMs} ms', { bootMs: formatCount(Math.round(bootMs)) })}</span>}
            {adds.length > 0 && <span> · {summarizeAdditions(adds)}</span>}
          </p>
          {asks.length === 0 && trust}
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
