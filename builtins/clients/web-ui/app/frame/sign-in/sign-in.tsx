// Renders the sign-in form when the server refuses this page: a token field, or alternatives that plugins provide.
import { use, useState } from 'react';
import type { ConnectionState } from 'agent-harness/client';
import { useClient } from '../../kit/hooks.ts';
import { BrandMark } from '../../kit/brand-mark.tsx';
import { hostOnly } from '../../kit/host-only.tsx';
import { useShell } from '../../kit/shell-context.ts';
import { ContributionsContext, partsOf, shownOf } from '../../points/contribution.ts';
import { SignInContext } from '../../points/sign-in-context.ts';
import { useActivePlugins } from '../../points/use-active-plugins.ts';
import { t, tx } from '../../kit/t.ts';
import '../../kit/sign-in.css';

export function SignIn({ connection }: { readonly connection: ConnectionState }) {
  const client = useClient();
  const { brand } = useShell();
  // The server lists panels only for authenticated clients.
  const ways = partsOf(shownOf(use(ContributionsContext), useActivePlugins()), 'sign-in');
  const [token, setToken] = useState('');
  const [isTried, setTried] = useState(false);
  const [fault, setFault] = useState('');
  const isRefused = connection.stream === 'refused' || connection.rest === 'refused';
  const problem = fault || (isTried && isRefused ? t('This token is not accepted.') : '');

  function take(given: string): void {
    localStorage.setItem('token', given);
    client.useToken(given);
    setFault('');
    setTried(true);
  }
  return (
    <main className="sign-in" {...hostOnly}>
      <BrandMark size={48} />
      <h1>{brand}</h1>
      <p className="muted">{t('This server requires a sign-in. On its own machine the page opens without one.')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take(token.trim());
        }}
      >
        <label>
          {t('Token')}
          <input className="field" type="password" autoComplete="current-password" required value={token} onChange={(event) => setToken(event.target.value)} />
        </label>
        <button className="button primary" type="submit" disabled={token.trim() === ''}>
          {t('Connect')}
        </button>
        <p className="muted small">{tx('{command} prints it.', { command: <code>app token</code> })}</p>
      </form>
      <SignInContext value={{ take, refuse: setFault }}>
        {ways.map(({ title, Part }) => (
          <Part key={title} />
        ))}
      </SignInContext>
      <p className="sign-in-problem" role="alert">
        {problem}
      </p>
    </main>
  );
}
