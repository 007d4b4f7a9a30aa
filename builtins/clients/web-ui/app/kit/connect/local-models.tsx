// Lists the model servers on this machine, and lets the user select one of their models. Searches only while visible.
import type { ReplyOf } from 'agent-harness/client';
import { useId, useState } from 'react';
import { Select } from '../page/select.tsx';
import { useClient } from '../hooks.ts';
import { useLoaded } from '../page/use-loaded.ts';
import { useSentForm } from '../page/use-sent-form.ts';
import { WhenLoaded } from '../page/when-loaded.tsx';
import { OtherModel } from './other-model.tsx';
import { pathText } from '../short-texts.ts';
import { t, tn, tx } from '../t.ts';

type Endpoint = ReplyOf<'GET /api/provider/local'>['endpoints'][number];

export function LocalModels({ onUsed }: { readonly onUsed: () => void }) {
  const client = useClient();
  const loaded = useLoaded('local', (signal) => client.call('GET /api/provider/local', { signal }));
  return (
    <div className="connect-local">
      <WhenLoaded loaded={loaded} what={t('models of this machine')}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <p role="status">
              {tx('{strong} Start Ollama, LM Studio, llama.cpp or vLLM with a model, then check again. Other ports can be set in the settings.', {
                strong: <strong>{t('No model server was found on this machine.')}</strong>,
              })}
            </p>
          ) : (
            endpoints.map((endpoint) => <LocalForm key={endpoint.baseURL} endpoint={endpoint} onUsed={onUsed} />)
          )
        }
      </WhenLoaded>
      <button type="button" className="button" disabled={loaded.isLoading} onClick={loaded.reload}>
        {loaded.isLoading ? t('Searching…') : t('Check again')}
      </button>
    </div>
  );
}

function LocalForm({ endpoint: { title, baseURL, models }, onUsed }: { readonly endpoint: Endpoint; readonly onUsed: () => void }) {
  const client = useClient();
  const id = useId();
  const [model, setModel] = useState(models[0]?.id ?? '');
  const [used, setUsed] = useState<string>();
  const { problem, isBusy, submit } = useSentForm(
    async () => {
      // The entered key belongs to another provider.
      await client.call('DELETE /api/provider/key');
      await client.call('PUT /api/settings', { body: { provider: { baseURL, model } } });
    },
    () => {
      setUsed(model);
      onUsed();
    },
  );
  if (used !== undefined) {
    return (
      <div className="connect-kept" role="status">
        <p>
          {tx('{strong} It is stored in the settings and stays after a restart.', {
            strong: <strong>{t('{model} of {title} is the current model.', { model: used, title })}</strong>,
          })}
        </p>
        <OtherModel />
      </div>
    );
  }
  return (
    <form className="connect-form" aria-label={t('Models of {title}', { title })} onSubmit={submit}>
      <p>
        <strong>{title}</strong>{' '}
        <span className="muted small">
          {t('{models} at {baseURL}', { models: tn(models.length, '{count} model', '{count} models'), baseURL: pathText(baseURL) })}
        </span>
      </p>
      <label htmlFor={id}>{t('Model')}</label>
      <Select id={id} value={model} options={Object.fromEntries(models.map((one) => [one.id, one.name ?? one.id]))} onChange={setModel} />
      {problem !== undefined && (
        <p role="alert" className="connect-problem small">
          {problem}
        </p>
      )}
      <button type="submit" className="button primary" disabled={isBusy}>
        {t('Use this model')}
      </button>
    </form>
  );
}
