// Renders accounts at other services, with actions to connect and disconnect them.
import { ExternalLink } from 'lucide-react';
import { useId, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { ConfirmDialog } from '#page/kit/page/confirm-dialog.tsx';
import { explainError } from '#page/kit/page/explain-error.ts';
import { Problem } from '#page/kit/page/when-loaded.tsx';
import { SignInLink } from '#page/points/connections/added-line.tsx';
import { useConnections, type Provider } from '#page/points/connections/connections-context.ts';
import type { StatusWords } from '#page/points/connections/connection-texts.ts';
import { accountTitle, accountWords, type ProviderAccount } from './format-account.ts';
import './provider.css';
import { isPlaceholderSite, isWebAddress } from '#page/kit/web-address.ts';
import { t, tx } from '#page/kit/t.ts';

interface Chosen {
  readonly provider: Provider;
  readonly account: ProviderAccount;
}

interface Begun {
  readonly title: string;
  readonly address: string;
}

export function ProviderSection() {
  const { providers, reload } = useConnections();
  const { call } = useClient();
  const id = useId();
  const [begun, setBegun] = useState<Begun>();
  const [chosen, setChosen] = useState<Chosen>();
  const [isReadOnly, setReadOnly] = useState(false);
  const [problem, setProblem] = useState<{ readonly title: string; readonly text: string }>();

  async function begin({ id: provider, title }: Provider): Promise<void> {
    setProblem(undefined);
    setBegun(undefined);
    try {
      const { connectUrl } = await call('GET /api/integrations/:provider/begin', {
        params: { provider },
        query: { mode: isReadOnly ? 'read_only' : 'read_write' },
      });
      if (isWebAddress(connectUrl) && !isPlaceholderSite(connectUrl)) window.open(connectUrl, '_blank', 'noopener,noreferrer');
      setBegun({ title, address: connectUrl });
    } catch (error) {
      setProblem({ title: t('{title} was not connected.', { title }), text: explainError(error) });
    }
  }

  async function disconnect({ provider, account }: Chosen, isRevoked: boolean): Promise<void> {
    setProblem(undefined);
    try {
      await call('DELETE /api/integrations/:provider', {
        params: { provider: provider.id },
        query: { accountId: account.accountId, revoke: isRevoked ? '1' : '0' },
      });
    } catch (error) {
      setProblem({ title: t('{accountTitle} is still connected.', { accountTitle: accountTitle(account) }), text: explainError(error) });
    } finally {
      reload();
    }
  }

  if (providers.length === 0) return null;
  return (
    <section className="page-section" aria-labelledby={id}>
      <h2 id={id}>{t('Accounts')}</h2>
      <p className="muted connections-intro">{t('Services that the agent may use in your name. The sign-in opens in another tab.')}</p>
      <label className="page-form-choice connections-mode">
        <input type="checkbox" checked={isReadOnly} onChange={(event) => setReadOnly(event.target.checked)} /> {t('Connect for reading only')}
      </label>
      {problem !== undefined && <Problem {...problem} />}
      <div role="status">{begun && <BegunLine {...begun} />}</div>
      <ul className="page-card connections-list">
        {providers.map((provider) => (
          <ProviderEntry
            key={provider.id}
            provider={provider}
            onConnect={() => void begin(provider)}
            onDisconnect={(account) => setChosen({ provider, account })}
          />
        ))}
      </ul>
      {chosen && (
        <DisconnectDialog
          chosen={chosen}
          onAnswer={(isSure, isRevoked) => {
            setChosen(undefined);
            if (isSure) void disconnect(chosen, isRevoked);
          }}
        />
      )}
    </section>
  );
}

function BegunLine({ title, address }: Begun) {
  return (
    <div className="page-notice warn">
      {isPlaceholderSite(address) ? (
        <p>
          {tx('No account site is set. Enter its address in the setting {link}.', {
            link: <a href="#/settings/harness">{tx('Account site ({variable})', { variable: <code>AGENT_HUB_SITE_URL</code> })}</a>,
          })}
        </p>
      ) : (
        <p>
          {tx('Waiting for the sign-in at {title}. If no tab opened: {page}. The link is valid for 10 minutes.', {
            title: <strong>{title}</strong>,
            page: <SignInLink address={address} />,
          })}
        </p>
      )}
    </div>
  );
}

interface ProviderEntryProps {
  readonly provider: Provider;
  readonly onConnect: () => void;
  readonly onDisconnect: (account: ProviderAccount) => void;
}

function ProviderEntry({ provider, onConnect, onDisconnect }: ProviderEntryProps) {
  const { title, kind, accounts } = provider;
  return (
    <li className="provider">
      <div className="connections-row">
        <div className="connections-head connections-words">
          <h3>{title}</h3>
          <span className="muted small">{kind}</span>
        </div>
        <button type="button" className="button" aria-label={t('Connect {title}', { title })} onClick={onConnect}>
          <ExternalLink size={16} aria-hidden="true" /> {accounts.length === 0 ? t('Connect') : t('Add account')}
        </button>
      </div>
      {accounts.map((account) => (
        <div key={account.accountId} className="connections-row provider-account">
          <div className="connections-head connections-words">
            <bdi>{accountTitle(account)}</bdi>
            <AccountBadge {...accountWords(account)} />
            {account.mode === 'read_only' && <span className="badge">{t('Reading only')}</span>}
          </div>
          <button
            type="button"
            className="button danger"
            aria-label={t('Disconnect {accountTitle}', { accountTitle: accountTitle(account) })}
            onClick={() => onDisconnect(account)}
          >
            {t('Disconnect')}
          </button>
        </div>
      ))}
    </li>
  );
}

function AccountBadge({ text, tone }: StatusWords) {
  return <span className={`badge ${tone}`}>{text}</span>;
}

interface DisconnectDialogProps {
  readonly chosen: Chosen;
  readonly onAnswer: (isSure: boolean, isRevoked: boolean) => void;
}

function DisconnectDialog({ chosen: { provider, account }, onAnswer }: DisconnectDialogProps) {
  const [isRevoked, setRevoked] = useState(true);
  return (
    <ConfirmDialog
      title={t('Disconnect {accountTitle}?', { accountTitle: accountTitle(account) })}
      text={t('The agent can no longer use {title} as this account.', { title: provider.title })}
      action={t('Disconnect')}
      onAnswer={(isSure) => onAnswer(isSure, isRevoked)}
    >
      <label className="page-form-choice">
        <input type="checkbox" checked={isRevoked} onChange={(event) => setRevoked(event.target.checked)} />{' '}
        {t('Also revoke the access at {title}', { title: provider.title })}
      </label>
    </ConfirmDialog>
  );
}
