// Renders the approved and requested capabilities of a third-party plugin, and its isolation.
import type { PluginRow } from 'agent-harness/client';
import { useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { explainError } from '../../kit/page/explain-error.ts';
import { Select } from '../../kit/page/select.tsx';
import { t } from '../../kit/t.ts';
import { placeTitles, type PluginPlace } from './plugin-model.ts';

export interface PluginTrustProps {
  readonly plugin: PluginRow;
  readonly title: string;
  /** Called when the rows must be reloaded. */
  readonly onDecided: () => void;
}

export function PluginTrust({ plugin, title, onDecided }: PluginTrustProps) {
  const client = useClient();
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const { name, asks = [], capabilities = [], chosen = 'manifest' } = plugin;

  async function decide(body: { readonly asks: string[] } | { readonly isolation: Exclude<PluginPlace, 'manifest'> | null }): Promise<void> {
    if (isSending) return;
    setSending(true);
    setRefusal(undefined);
    try {
      await client.call('PUT /api/plugins/:name/trust', { params: { name }, body: { ...body, whenBusy: 'queue' } });
    } catch (error) {
      setRefusal(explainError(error));
    } finally {
      setSending(false);
      onDecided();
    }
  }

  return (
    <div className="plugin-trust small">
      {asks.length > 0 && (
        <div className="plugin-trust-asks">
          <ul aria-label={t('Capabilities requested by {name}', { name: title })}>
            {asks.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <button type="button" className="button" onClick={() => void decide({ asks: [...asks] })}>
            {t('Grant these capabilities to {name}', { name: title })}
          </button>
        </div>
      )}
      {asks.length === 0 && capabilities.length > 0 && (
        <ul aria-label={t('Capabilities of {name}', { name: title })}>
          {capabilities.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      <Select
        label={t('Isolation of {name}', { name: title })}
        value={chosen}
        options={placeTitles}
        onChange={(place) => void decide({ isolation: place === 'manifest' ? null : place })}
      />
      {refusal !== undefined && (
        <p className="plugin-entry-refusal" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}
