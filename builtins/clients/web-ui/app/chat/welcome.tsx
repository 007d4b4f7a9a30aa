// What an empty chat says: hello, and three things to try.
import { ArrowUpRight } from 'lucide-react';
import type { OpenChat } from 'agent-harness/client';
import { useClient, useStore } from '../kit/hooks.ts';
import { BrandMark } from '../kit/brand-mark.tsx';
import { Slot } from '../points/slot.tsx';
import { useContributions } from '../points/use-contributions.ts';
import { usualExamples } from './example-prompts.ts';
import { t } from '../kit/t.ts';
import './welcome.css';

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
