// Renders the greeting of an empty chat, and its example prompts.
import type { OpenChat } from 'agent-harness/client';
import { Bug, Map } from 'lucide-react';
import { useClient, useStore } from '../kit/hooks.ts';
import { Slot } from '../points/slot.tsx';
import { useContributions } from '../points/use-contributions.ts';
import { t, table } from '../kit/t.ts';
import './welcome.css';
import type { Example } from '../points/contribution.ts';

const usualExamples: readonly Example[] = table([
  { icon: Map, prompt: 'Explain how this project is built' },
  { icon: Bug, prompt: 'Find a bug and propose a fix' },
]);

interface Props {
  readonly chat: OpenChat;
}

export function Greeting({ chat }: Props) {
  return (
    <section className="welcome" aria-label={t('Welcome')}>
      <h2>{t('What do you want to do?')}</h2>
      <Slot name="first-run" chat={chat} />
    </section>
  );
}

export function Examples({ chat }: Props) {
  const { config } = useStore(useClient().connection);
  const firstRuns = useContributions().flatMap(({ firstRun }) => firstRun ?? []);
  const examples = (config && firstRuns.find(({ isWanted }) => isWanted(config))?.examples) ?? usualExamples;
  return (
    <ul className="welcome-examples" aria-label={t('Examples')}>
      {examples.map(({ icon: Icon, prompt }) => (
        <li key={prompt}>
          <button type="button" className="welcome-example" onClick={() => chat.send(prompt)}>
            <Icon size={15} aria-hidden /> {t(prompt)}
          </button>
        </li>
      ))}
    </ul>
  );
}
