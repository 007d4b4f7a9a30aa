// Shows the current model, its address, and whether there is a key.
import type { Settings } from 'agent-harness/client';
import { useId, useState } from 'react';
import { ConnectModel } from '../../kit/connect/connect-model.tsx';
import { usePermission } from '../../points/use-permission.ts';
import { ConnectionTest } from './connection-test.tsx';
import { t, table } from '../../kit/t.ts';

export interface ProviderCardProps {
  readonly provider: Settings['provider'];
  /** The selected mode, saved or unsaved. */
  readonly mode: string;
  /** If omitted, the selection of the mode is hidden. */
  readonly onMode?: ((mode: string) => void) | undefined;
  readonly onKeyUsed: () => void;
}

const modes = table([
  { id: 'auto', title: 'Automatic', description: 'Managed inference if the account includes it and you have set no key; otherwise your own key.' },
  { id: 'byok', title: 'Own key', description: 'Always uses your own provider key.' },
  { id: 'managed', title: 'Managed', description: 'Always uses the managed inference of the account.' },
] as const);

const routeWords: Readonly<Record<string, string>> = table({
  demo: 'the built-in demo model',
  managed: 'managed inference',
  none: 'none: only managed inference is allowed, and it is not available',
});

export function ProviderCard({ provider, mode, onMode, onKeyUsed }: ProviderCardProps) {
  const name = useId();
  const isOwner = usePermission();
  // Stays expanded once opened, because the user may be reading the explanation of the key.
  const [isTyping, setTyping] = useState(!provider.apiKeyConfigured);
  return (
    <section className="page-card padded provider-card" aria-labelledby={`${name}-title`}>
      <h3 id={`${name}-title`}>{t('Provider')}</h3>
      <dl className="provider-card-facts">
        <div>
          <dt>{t('Inference')}</dt>
          <dd>{routeWords[provider.route] ?? provider.route}</dd>
        </div>
        <div>
          <dt>{t('Model')}</dt>
          <dd>{provider.model}</dd>
        </div>
        <div>
          <dt>{t('Base URL')}</dt>
          <dd>
            <bdi dir="ltr">{provider.baseURL}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('Key')}</dt>
          <dd>
            <span className={`badge ${provider.apiKeyConfigured ? 'good' : 'warn'}`}>{provider.apiKeyConfigured ? t('is set') : t('not set')}</span>
          </dd>
        </div>
      </dl>
      {isOwner && provider.route !== 'demo' && <ConnectionTest key={`${provider.baseURL} ${provider.model}`} />}
      {isTyping && <ConnectModel onUsed={onKeyUsed} />}
      {!isTyping && (
        <p>
          <button type="button" className="button" onClick={() => setTyping(true)}>
            {t('Connect another model')}
          </button>
        </p>
      )}
      {onMode && (
        <fieldset className="provider-card-modes">
          <legend>{t('Inference')}</legend>
          {modes.map(({ id, title, description }) => (
            <label key={id} className="provider-card-mode">
              <input type="radio" name={name} value={id} checked={mode === id} onChange={() => onMode(id)} />
              <span>
                {title}
                <span className="muted small">{description}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </section>
  );
}
