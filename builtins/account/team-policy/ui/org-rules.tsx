// Renders the organisation's rules that apply on this machine, each with its origin.
import { useClient } from '#page/kit/hooks.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useEffect } from 'react';
import { ruleLines, type OrgPolicy } from './rule-lines.ts';
import { t, tx } from '#page/kit/t.ts';
import './org-rules.css';

/** Intervals between reloads in milliseconds, by state. */
const waits = { held: 10_000, waiting: 1_000 };

export function OrgRules() {
  const client = useClient();
  const loaded = useLoaded('policy', (signal) => client.call('GET /api/team/policy', { signal }));
  useEvents((event) => event.kind === 'account_changed', 300, loaded.reload);
  // The rules change on the control plane, and this server emits no event for that.
  const { reload } = loaded;
  const everyMs = loaded.value?.state === 'held' ? waits.held : waits.waiting;
  useEffect(() => {
    const timer = setInterval(reload, everyMs);
    return () => clearInterval(timer);
  }, [reload, everyMs]);
  return (
    <section className="page-section" aria-labelledby="org-rules-title">
      <h2 id="org-rules-title">{t('Rules of the organisation')}</h2>
      <WhenLoaded loaded={loaded} what={t('rules')}>
        {(policy) => <Rules policy={policy} />}
      </WhenLoaded>
    </section>
  );
}

function Rules({ policy }: { readonly policy: OrgPolicy }) {
  const { state, revision, orgName, checkedAt, problem } = policy;
  const lines = ruleLines(policy);
  return (
    <div className="page-card padded org-rules">
      {state === 'waiting' && (
        <p className="page-notice warn">
          <span>{tx('{strong} Until then, only reading tools can run.', { strong: <strong>{t('The policy is not known yet.')}</strong> })}</span>
        </p>
      )}
      {problem !== undefined && <p className="org-rules-problem small">{problem}</p>}
      {lines.length === 0 ? (
        state !== 'waiting' && <p className="muted">{t('No rules apply to you.')}</p>
      ) : (
        <ul>
          {lines.map(({ text, from }) => (
            <li key={`${text} ${from}`}>
              {text} <span className="muted small">{from === 'everybody' ? t('for all members') : t('for {from}', { from })}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="muted small">
        {orgName !== undefined && `${t('By {orgName}.', { orgName })} `}
        {revision !== undefined && revision > 0 && `${t('Revision {revision}.', { revision })} `}
        {checkedAt !== undefined && t('Checked {checkedAt}. It also applies offline.', { checkedAt: formatTime(checkedAt) })}
      </p>
    </div>
  );
}
