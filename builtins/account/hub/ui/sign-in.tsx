// Renders the sign-in: through the hosted site in another tab, with a code, or with a pasted license.
import type { ReplyOf } from 'agent-harness/client';
import { ExternalLink } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState, type FormEvent } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { Problem } from '#page/kit/page/when-loaded.tsx';
import { isPlaceholderSite, isWebAddress } from '#page/kit/web-address.ts';
import { DeviceSignIn } from './device-sign-in.tsx';
import { t, tx } from '#page/kit/t.ts';

/** Renders all sign-in methods. @param onSignedIn called when the license is active */
export function SignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  return (
    <div className="page-section account-sign-in">
      <SiteSignIn onSignedIn={onSignedIn} />
      <details className="page-more">
        <summary>{t('Sign in with a code or a license')}</summary>
        <div className="account-sign-in-more">
          <DeviceSignIn onSignedIn={onSignedIn} />
          <LicenseForm onSignedIn={onSignedIn} />
        </div>
      </details>
    </div>
  );
}

type Outcome = ReplyOf<'GET /api/hub/connect/outcome'>;

interface Begun {
  readonly address: string;
  readonly state: string;
}

/** Interval between checks of the sign-in, in milliseconds. */
const pollMs = 2_000;

function SiteSignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const client = useClient();
  const [begun, setBegun] = useState<Begun>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [problem, setProblem] = useState<string>();
  const address = begun?.address;
  const isUnset = address !== undefined && isPlaceholderSite(address);
  const awaited = isUnset || outcome !== undefined ? undefined : begun?.state;

  async function begin(): Promise<void> {
    setProblem(undefined);
    setOutcome(undefined);
    try {
      const { connectUrl, state } = await client.call('GET /api/hub/connect/begin');
      setBegun({ address: connectUrl, state });
      if (isWebAddress(connectUrl) && !isPlaceholderSite(connectUrl)) window.open(connectUrl, '_blank', 'noopener,noreferrer');
    } catch (error) {
      setBegun(undefined);
      setProblem(explainError(error));
    }
  }

  const poll = useEffectEvent(async (state: string) => {
    // Ignores the error: the next poll retries.
    const next = await client.call('GET /api/hub/connect/outcome', { query: { state } }).catch(() => undefined);
    if (!next || next.state === 'waiting' || state !== awaited) return;
    setOutcome(next);
    if (next.state === 'signed_in') onSignedIn();
  });
  useEffect(() => {
    if (awaited === undefined) return;
    const timer = setInterval(() => void poll(awaited), pollMs);
    return () => clearInterval(timer);
  }, [awaited]);

  return (
    <section>
      <h2>{t('Sign in with your account')}</h2>
      <p className="muted small">{t('Opens the account site in another tab. This page continues automatically after the sign-in.')}</p>
      {problem !== undefined && <Problem title={t('The sign-in could not be started.')} text={problem} />}
      {outcome?.state === 'failed' && <Problem title={t('Not signed in.')} text={outcome.message ?? t('The sign-in failed.')} />}
      {outcome?.state === 'over' && (
        <p className="account-sign-in-hint small" role="status">
          {t('No sign-in within 5 minutes. Start again.')}
        </p>
      )}
      {isUnset && (
        <p className="account-sign-in-hint small" role="status">
          {tx('No account site is set up. Put its address into the setting {link}, or paste a license.', {
            link: <a href="#/settings/harness">{tx('Account site ({variable})', { variable: <code>AGENT_HUB_SITE_URL</code> })}</a>,
          })}
        </p>
      )}
      {awaited !== undefined && address !== undefined && (
        <p className="account-sign-in-hint small" role="status">
          {tx('Waiting for the sign-in. If no tab opened: {page}. It is valid for 5 minutes.', {
            page: isWebAddress(address) ? (
              <a href={address} target="_blank" rel="noopener noreferrer">
                {t('open the sign-in page')}
              </a>
            ) : (
              <code>{address}</code>
            ),
          })}
        </p>
      )}
      <button type="button" className="button primary" onClick={() => void begin()}>
        <ExternalLink size={16} aria-hidden="true" /> {t('Sign in')}
      </button>
    </section>
  );
}

function LicenseForm({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const client = useClient();
  const id = useId();
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function apply(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      // Each sign-in needs its own state, including a sign-in with a pasted license.
      const { state } = await client.call('GET /api/hub/connect/begin');
      await client.call('POST /api/hub/auth/callback', { body: { token: token.trim(), state } });
      setToken('');
      onSignedIn();
    } catch (error) {
      setProblem(explainError(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="account-sign-in-license" onSubmit={(event) => void apply(event)}>
      <h2>{t('Or paste a license')}</h2>
      <label htmlFor={id} className="muted small">
        {t('License token')}
      </label>
      <textarea
        id={id}
        className="field"
        rows={3}
        value={token}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => setToken(event.target.value)}
      />
      <p id={`${id}-problem`} className="account-sign-in-problem small" role="alert">
        {problem}
      </p>
      <button type="submit" className="button" disabled={isBusy || token.trim() === ''}>
        {isBusy ? t('Checking…') : t('Use license')}
      </button>
    </form>
  );
}
