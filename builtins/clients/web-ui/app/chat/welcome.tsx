// Renders the greeting of an empty chat, and its example prompts.
import type { OpenChat } from 'agent-harness/client';
import { useClient, useStore } from '../kit/hooks.ts';
import { Slot } from '../points/slot.tsx';
import { useContributions } from '../points/use-contributions.ts';
import { t, table } from '../kit/t.ts';
import './welcome.css';
import type { Example } from '../points/contribution.ts';

/** Example prompts. */
const usualExamples: readonly Example[] = table([
  { title: 'Look around', prompt: 'Look at the files in this folder and tell me what they are about.' },
  { title: 'Make something', prompt: 'Write a small web page that shows a calm, animated night sky, in one HTML file.' },
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
      {examples.map(({ title, prompt }) => (
        <li key={title}>
          <button type="button" className="welcome-example" onClick={() => chat.send(prompt)}>
            {t(title)} <span className="muted">{t(prompt)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
