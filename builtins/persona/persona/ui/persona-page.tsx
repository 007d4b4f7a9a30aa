// Renders the persona page: name and traits, sections with history, theme, and the chats in which the persona is off.
import { RotateCcw, Sparkles } from 'lucide-react';
import { useId, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { Switch } from '#page/kit/page/switch.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { usePageChat } from '#page/kit/page/use-page-chat.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { Slot } from '#page/points/slot.tsx';
import { FirstRun } from './first-run.tsx';
import type { Persona, SliceName } from './persona-calls.ts';
import './persona.css';
import { SliceCard } from './slice-card.tsx';
import { t } from '#page/kit/t.ts';

const settleMs = 50;
/** Order in which users see the sections; the model receives the prohibitions first. */
const order: readonly SliceName[] = ['identity', 'voice', 'stance', 'rails', 'living'];

export function PersonaPage() {
  const client = useClient();
  const { chatId, meta } = usePageChat();
  const loaded = useLoaded(`persona ${chatId}`, (signal) => client.call('GET /api/persona', { query: chatId === undefined ? {} : { chatId }, signal }));
  useEvents(({ kind }) => kind === 'persona_changed', settleMs, loaded.reload);
  const [isAsking, setAsking] = useState(false);
  const isThere = loaded.value?.profile !== undefined;
  return (
    <PageFrame
      title={t('Persona')}
      intro={t("How the agent sounds, what it insists on, and how this page looks. It changes the agent's words, never its permissions.")}
      isBusy={loaded.isLoading}
      actions={
        isThere && (
          <button type="button" className="button" onClick={() => setAsking(true)}>
            <RotateCcw size={16} aria-hidden="true" /> {t('Start over')}
          </button>
        )
      }
    >
      <WhenLoaded loaded={loaded} what={t('persona')}>
        {(persona) =>
          persona.profile === undefined ? (
            <NoPersona isRunning={persona.bootstrap.state === 'running'} onAsk={() => setAsking(true)} />
          ) : (
            <>
              <About persona={persona} />
              {chatId !== undefined && <ChatSwitch chatId={chatId} title={meta?.title ?? t('this chat')} isOn={!persona.chat.off} onChanged={loaded.reload} />}
              <section className="page-section" aria-labelledby="persona-parts">
                <h2 id="persona-parts">{t('Character')}</h2>
                <ul className="persona-parts">
                  {order.flatMap((name) => {
                    const slice = persona.slices.find((one) => one.name === name);
                    return slice ? [<SliceCard key={name} slice={slice} onChanged={loaded.reload} />] : [];
                  })}
                </ul>
              </section>
            </>
          )
        }
      </WhenLoaded>
      <Slot name="character" />
      {isAsking && <FirstRun isPending={false} isAgain canSkip onClose={() => setAsking(false)} />}
    </PageFrame>
  );
}

function NoPersona({ isRunning, onAsk }: { readonly isRunning: boolean; readonly onAsk: () => void }) {
  return (
    <div className="page-card padded persona-empty">
      <p>
        <strong>{isRunning ? t('The persona is being created.') : t('There is no persona yet.')}</strong>{' '}
        <span className="muted">{t('One sentence is enough, and every part can be changed afterwards.')}</span>
      </p>
      <button type="button" className="button primary" onClick={onAsk}>
        <Sparkles size={16} aria-hidden="true" /> {isRunning ? t('Watch') : t('Set up personality')}
      </button>
    </div>
  );
}

function About({ persona: { label, profile, bootstrap } }: { readonly persona: Persona }) {
  if (!profile) return null;
  const { name, summary, traits, verbosity, humor, formality, language, address } = profile;
  const manner = [
    verbosity,
    humor === 'none' ? t('no jokes') : t('{humor} humour', { humor }),
    formality,
    language === '' ? undefined : t('answers in {language}', { language }),
    address === '' ? undefined : t('calls you {address}', { address }),
  ].filter((words) => words !== undefined);
  return (
    <section className="page-card padded persona-about" aria-label={t('At a glance')}>
      <p className="persona-label">{name === '' ? label : name}</p>
      <p>{summary}</p>
      <ul className="persona-traits" aria-label={t('Traits')}>
        {traits.map((trait) => (
          <li key={trait} className="badge accent">
            {trait}
          </li>
        ))}
      </ul>
      <p className="muted small">{manner.join(' · ')}</p>
      {bootstrap.notice !== undefined && <p className="muted small">{t('Some parts were created by fixed rules: {notice}', { notice: bootstrap.notice })}</p>}
    </section>
  );
}

interface ChatSwitchProps {
  readonly chatId: string;
  readonly title: string;
  readonly isOn: boolean;
  readonly onChanged: () => void;
}

function ChatSwitch({ chatId, title, isOn, onChanged }: ChatSwitchProps) {
  const client = useClient();
  const id = useId();
  const { isBusy, run } = useAct(onChanged);
  return (
    <div className="persona-switch">
      <label htmlFor={id}>
        {t('In the chat “{title}”', { title })} <span className="muted small">{t('When off, the agent replies there without a persona.')}</span>
      </label>
      <Switch id={id} isOn={isOn} isDisabled={isBusy} onChange={(on) => void run(() => client.call('PUT /api/persona/chat', { body: { chatId, off: !on } }))} />
    </div>
  );
}
