// Renders the options for connecting a model: a known provider with a key, a model on this machine, or a custom address. Each is tested immediately.
import { Cpu, ExternalLink, KeyRound, Link2 } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../hooks.ts';
import { useEvents } from '../page/use-events.ts';
import { useLoaded } from '../page/use-loaded.ts';
import { WhenLoaded } from '../page/when-loaded.tsx';
import { KeyForm } from './key-form.tsx';
import { LocalModels } from './local-models.tsx';
import { t, table } from '../t.ts';
import './connect.css';
import type { ReplyOf } from 'agent-harness/client';

type Answering = ReplyOf<'GET /api/provider'>;

const routeWords: Readonly<Record<string, string>> = table({ demo: 'the built-in demo model', managed: 'managed inference' });

/** Returns a text such as `gpt-4.1 at OpenAI` or `qwen3 at 127.0.0.1:11434`. Pure. */
function answeringText({ route, model, baseURL, provider, providers }: Answering): string {
  const words = routeWords[route];
  if (words !== undefined) return words;
  const host = URL.canParse(baseURL) ? new URL(baseURL).host : baseURL;
  return t('{model} at {title}', { model, title: providers.find(({ id }) => id === provider)?.title ?? host });
}

interface ConnectModelProps {
  /** Called when the model changes. */
  readonly onUsed?: () => void;
}

export function ConnectModel({ onUsed }: ConnectModelProps) {
  const client = useClient();
  const loaded = useLoaded('provider', (signal) => client.call('GET /api/provider', { signal }));
  useEvents(({ kind }) => kind === 'settings_changed' || kind === 'provider_changed', 200, loaded.reload);
  const [choice, choose] = useState<string>();
  const used = (): void => {
    loaded.reload();
    onUsed?.();
  };
  return (
    <div className="connect">
      <WhenLoaded loaded={loaded} what={t('providers')}>
        {(now) => {
          const { providers } = now;
          const known = providers.find(({ id }) => id === choice);
          return (
            <>
              <p className="muted small" role="status">
                {t('Current model: {answeringText}', { answeringText: answeringText(now) })}
              </p>
              <div role="group" aria-label={t('Providers')} className="connect-tiles">
                {providers.map(({ id, title }) => (
                  <Tile
                    key={id}
                    title={title}
                    hint={t('with a key')}
                    icon={<KeyRound size={16} aria-hidden />}
                    isChosen={choice === id}
                    onChoose={() => choose(id)}
                  />
                ))}
                <Tile
                  title={t('Local model')}
                  hint={t('Ollama, LM Studio, …')}
                  icon={<Cpu size={16} aria-hidden />}
                  isChosen={choice === 'local'}
                  onChoose={() => choose('local')}
                />
                <Tile
                  title={t('Custom address')}
                  hint={t('any provider')}
                  icon={<Link2 size={16} aria-hidden />}
                  isChosen={choice === 'other'}
                  onChoose={() => choose('other')}
                />
              </div>
              {known && (
                <KeyForm key={known.id} provider={known} onUsed={used}>
                  <a className="connect-page" href={known.keysPage} target="_blank" rel="noopener noreferrer">
                    {t('Create a key at {title}', { title: known.title })} <ExternalLink size={14} aria-hidden />
                  </a>
                </KeyForm>
              )}
              {choice === 'other' && <KeyForm key="other" usualURL={now.baseURL} onUsed={used} />}
              {choice === 'local' && <LocalModels onUsed={used} />}
            </>
          );
        }}
      </WhenLoaded>
    </div>
  );
}

interface TileProps {
  readonly title: string;
  readonly hint: string;
  readonly icon: React.ReactNode;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Tile({ title, hint, icon, isChosen, onChoose }: TileProps) {
  return (
    <button type="button" className="connect-tile" aria-pressed={isChosen} onClick={onChoose}>
      {icon}
      <span>{title}</span>
      <span className="muted small">{hint}</span>
    </button>
  );
}
