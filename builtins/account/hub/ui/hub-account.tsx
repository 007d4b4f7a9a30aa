// Renders the account of this machine: tier, license, credits and entitlements.
import type { ReplyOf } from 'agent-harness/client';
import { sentencesOf } from '#lib/errors';
import { useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import './account.css';
import { licenseWords, tierTitles } from './entitlement-list.ts';
import { Entitlements } from './entitlements.tsx';
import { renewalText } from './license-life.ts';
import { SignIn } from './sign-in.tsx';
import { explainError } from '#page/kit/page/explain-error.ts';
import { formatCost, formatDate, formatTime } from '#page/kit/page/format.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { Problem, WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { t, table } from '#page/kit/t.ts';

type Account = ReplyOf<'GET /api/hub/account'>;
type Inference = ReplyOf<'GET /api/hub/inference-status'>;
type Provider = ReplyOf<'GET /api/settings'>['provider'];

export function HubAccount() {
  const client = useClient();
  const loaded = useLoaded('account', async (signal) => {
    const [account, inference, { plugins }, { provider }] = await Promise.all([
      client.call('GET /api/hub/account', { signal }),
      client.call('GET /api/hub/inference-status', { signal }),
      client.call('GET /api/plugins', { signal }),
      client.call('GET /api/settings', { signal }),
    ]);
    return { account, inference, plugins, provider };
  });
  useEvents(({ kind }) => kind === 'account_changed' || kind === 'plugin_changed', 150, loaded.reload);

  return (
    <WhenLoaded loaded={loaded} what={t('account')}>
      {({ account, inference, plugins, provider }) => (
        <>
          {hasFacts(account, inference, provider) && <AccountCard account={account} inference={inference} provider={provider} onChanged={loaded.reload} />}
          {!account.connected && <SignIn onSignedIn={loaded.reload} />}
          <Entitlements isFolded={!account.connected && account.entitlements.length === 0} entitlements={account.entitlements} plugins={plugins} />
        </>
      )}
    </WhenLoaded>
  );
}

/** Returns whether there is anything to show besides the sign-in. */
function hasFacts({ connected, status, message }: Account, { entitled }: Inference, { inferenceMode }: Provider): boolean {
  return connected || status !== 'community' || message !== undefined || entitled || inferenceMode === 'managed';
}

interface AccountCardProps {
  readonly account: Account;
  readonly inference: Inference;
  readonly provider: Provider;
  readonly onChanged: () => void;
}

function AccountCard({ account, inference, provider, onChanged }: AccountCardProps) {
  const client = useClient();
  const [outcome, setOutcome] = useState<{ readonly kind: 'done' | 'failed'; readonly text: string }>();
  const license = licenseWords(account.status);
  const renewal = account.connected ? renewalText(account, new Date()) : undefined;

  async function act(key: 'POST /api/hub/logout' | 'POST /api/hub/reconnect', done: string): Promise<void> {
    setOutcome(undefined);
    try {
      await client.call(key, { body: {} });
      setOutcome({ kind: 'done', text: done });
    } catch (error) {
      setOutcome({ kind: 'failed', text: explainError(error) });
    }
    onChanged();
  }

  return (
    <section className="page-card padded account-card" aria-label={t('This account')}>
      <dl className="account-facts">
        <div>
          <dt>{t('Signed in as')}</dt>
          <dd>{account.account?.email || (account.connected ? t('an account') : t('no account'))}</dd>
        </div>
        <div>
          <dt>{t('Tier')}</dt>
          <dd>{tierTitles[account.tier]}</dd>
        </div>
        <div>
          <dt>{t('License')}</dt>
          <dd>
            <span className={`badge ${license.tone}`}>{license.text}</span>
          </dd>
        </div>
        {account.expiresAt !== undefined && (
          <div>
            <dt>{t('Valid until')}</dt>
            <dd>
              {formatDate(account.expiresAt)}
              {renewal !== undefined && <span className="muted small account-renewal">{renewal}</span>}
            </dd>
          </div>
        )}
        {account.account && (
          <div>
            <dt>{t('Since')}</dt>
            <dd>
              {account.account.source === 'environment'
                ? t('{connectedAt}, through AGENT_LICENSE_KEY', { connectedAt: formatTime(account.account.connectedAt) })
                : formatTime(account.account.connectedAt)}
            </dd>
          </div>
        )}
      </dl>
      {account.message !== undefined && <p className="muted">{sentencesOf({ message: account.message, details: account })}</p>}
      {(inference.entitled || provider.inferenceMode === 'managed') && <Credits inference={inference} provider={provider} />}
      {outcome?.kind === 'failed' && <Problem title={t('The action failed.')} text={outcome.text} />}
      <div className="account-buttons">
        {(account.connected || account.status !== 'community') && (
          <button type="button" className="button" onClick={() => void act('POST /api/hub/reconnect', t('License and inference settings are applied.'))}>
            {t('Reconnect')}
          </button>
        )}
        {account.connected && (
          <button type="button" className="button danger" onClick={() => void act('POST /api/hub/logout', t('Signed out.'))}>
            {t('Sign out')}
          </button>
        )}
        <span className="muted small account-outcome" role="status">
          {outcome?.kind === 'done' && outcome.text}
        </span>
      </div>
    </section>
  );
}

/** Describes the provider that currently answers messages. */
function answerText({ route, model }: Provider): string {
  if (route === 'none') return t('The model is not available, so messages get no reply.');
  if (route === 'demo') return t('Current model: demo, because no key is set.');
  return t('Messages are answered by {model}, {access}.', { model, access: route === 'managed' ? t('through the control plane') : t('with your own key') });
}

const modeWords: Readonly<Record<Provider['inferenceMode'], string>> = table({
  byok: 'Only your own keys are used.',
  managed: 'Only managed inference is used.',
  auto: 'Managed inference is used if you have no key.',
});

function creditText({ remaining, cap, periodEnd }: Pick<Inference, 'remaining' | 'cap' | 'periodEnd'>): string {
  const [sum, total, date] = [
    remaining === null ? '' : formatCost(remaining),
    cap === null ? '' : formatCost(cap),
    periodEnd === null ? '' : formatDate(periodEnd),
  ];
  const left =
    sum === '' ? (total === '' ? '' : t('of {total}', { total })) : total === '' ? t('{sum} left', { sum }) : t('{sum} left of {total}', { sum, total });
  return date === '' || left === '' ? left : t('{left}, until {date}', { left, date });
}

function Credits({ inference: { configured, remaining, cap, used, periodEnd }, provider }: { readonly inference: Inference; readonly provider: Provider }) {
  return (
    <div className="account-credits">
      <h2>{t('Managed inference')}</h2>
      <p className="muted small">
        {configured ? t('Current model.') : t('Not the current model.')} {creditText({ remaining, cap, periodEnd })}
      </p>
      <p className="muted small">
        {modeWords[provider.inferenceMode]} {answerText(provider)} <a href="#/settings">{t('Change it in the settings')}</a>
      </p>
      {cap !== null && used !== null && <progress aria-label={t('Credits used')} max={cap} value={Math.min(used, cap)} />}
    </div>
  );
}
