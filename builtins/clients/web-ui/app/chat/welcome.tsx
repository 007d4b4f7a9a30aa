// What an empty chat says: hello, and three things to try.
import { ArrowUpRight } from 'lucide-react';
import type { OpenChat } from 'agent-harness/client';
import { useClient, useStore } from '../kit/hooks.ts';
import { BrandMark } from '../kit/brand-mark.tsx';
import { Slot } from '../points/slot.tsx';
import { useContributions } from '../points/use-contributions.ts';
import { t, table } from '../kit/t.ts';
import './welcome.css';
import type { Example } from '../points/contribution.ts';

/** Three prompts to begin with. */
const usualExamples: readonly Example[] = table([
  { title: 'Look around', prompt: 'Look at the files in this folder and tell me what they are about.' },
  { title: 'Make something', prompt: 'Write a small web page that shows a calm, animated night sky, in one HTML file.' },
  { title: 'Plan a change', prompt: 'Ask me what I want to get done here, then propose a plan before you change anything.' },
]);

export function Welcome({ chat }: { readonly chat: OpenChat }) {
  const { config } = useStore(useClient().connection);
  const firstRuns = useContributions().flatMap(({ firstRun }) => firstRun ?? []);
  const examples = (config && firstRuns.find(({ isWanted }) => isWanted(config))?.examples) ?? usualExamples;
  return (
    <section className="welcome" aria-label={t('Welcome')}>
      <BrandMark size={48} />
      <h2>{t('What shall we do?')}</h2>
      <p className="muted">{t('Ask for something below, or begin with one of these. Before anything risky happens you are asked.')}</p>
      <ul>
        {examples.map(({ title, prompt }) => (
          <li key={title}>
            <button type="button" className="welcome-example" onClick={() => chat.send(prompt)}>
              <span className="welcome-example-title">{t(title)}</span>
              <span className="muted small">{t(prompt)}</span>
              <ArrowUpRight size={16} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <Slot name="first-run" chat={chat} />
    </section>
  );
}
