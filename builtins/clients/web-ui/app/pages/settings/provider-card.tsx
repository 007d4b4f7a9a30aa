// Which model answers, where, and whether there is a key for it.
import type { Settings } from 'agent-harness/client';
import { useId, useState } from 'react';
import { KeyForm } from './key-form.tsx';

export interface ProviderCardProps {
  readonly provider: Settings['provider'];
  /** The chosen one, saved or not. */
  readonly mode: string;
  readonly onMode: (mode: string) => void;
  readonly onKeyUsed: () => void;
}

const modes = [
  { id: 'auto', title: 'Automatic', description: 'Managed inference where the account has it and no own key is set, else the own key.' },
  { id: 'byok', title: 'Own key', description: 'Always the key of this machine.' },
  { id: 'managed', title: 'Managed', description: 'Always the inference of the account.' },
] as const;

const routeWords: Readonly<Record<string, string>> = {
  demo: 'the built-in demo model',
  managed: 'managed inference',
  none: 'nothing: only managed inference may, and it is not there',
};

export function ProviderCard({ provider, mode, onMode, onKeyUsed }: ProviderCardProps) {
  const name = useId();
  // Stays open once it was: what it says of the key is read then.
  const [isTyping, setTyping] = useState(!provider.apiKeyConfigured);
  return (
    <section className="page-card padded provider-card" aria-labelledby={`${name}-title`}>
      <h3 id={`${name}-title`}>Provider</h3>
      <dl className="provider-card-facts">
        <div>
          <dt>Answers now</dt>
          <dd>{routeWords[provider.route] ?? provider.route}</dd>
        </div>
        <div>
          <dt>Model</dt>
          <dd>{provider.model}</dd>
        </div>
        <div>
          <dt>Base URL</dt>
          <dd>{provider.baseURL}</dd>
        </div>
        <div>
          <dt>Key</dt>
          <dd>
            <span className={`badge ${provider.apiKeyConfigured ? 'good' : 'warn'}`}>{provider.apiKeyConfigured ? 'is set' : 'not set'}</span>
          </dd>
        </div>
      </dl>
      {isTyping && <KeyForm baseURL={provider.baseURL} onUsed={onKeyUsed} />}
      {!isTyping && (
        <p>
          <button type="button" className="button" onClick={() => setTyping(true)}>
            Use another key
          </button>
        </p>
      )}
      <fieldset className="provider-card-modes">
        <legend>Inference</legend>
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
    </section>
  );
}
