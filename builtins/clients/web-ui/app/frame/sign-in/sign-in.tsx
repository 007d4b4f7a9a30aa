// Asks for the token, or for the code of `app pair`, where the server does not let this page in.
import { messageOf } from 'agent-harness/lib/errors';
import { useState, type FormEvent } from 'react';
import type { ConnectionState } from 'agent-harness/client';
import { redirectTo, useClient, useRoute } from '../../kit/hooks.ts';
import { BrandMark } from '../../kit/brand-mark.tsx';
import { useShell } from '../../kit/shell-context.ts';
import { deviceName } from '../../kit/words.ts';
import './sign-in.css';

export function SignIn({ connection }: { readonly connection: ConnectionState }) {
  const client = useClient();
  const { brand } = useShell();
  const [token, setToken] = useState('');
  const { page, id = '' } = useRoute();
  const [code, setCode] = useState(page === 'pair' ? id : '');
  const [isTried, setTried] = useState(false);
  const [fault, setFault] = useState('');
  const isRefused = connection.stream === 'refused' || connection.rest === 'refused';
  const problem = fault || (isTried && isRefused ? 'This token is not accepted.' : '');

  function take(given: string): void {
    localStorage.setItem('token', given);
    client.useToken(given);
    setFault('');
    setTried(true);
  }
  async function pair(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const paired = await client.call('POST /api/pair', { body: { code: code.trim().toUpperCase(), deviceName: deviceName(navigator.userAgent) } });
      take(paired.token);
      redirectTo({ page: 'chat' });
    } catch (refusal) {
      setFault(messageOf(refusal));
    }
  }
  return (
    <main className="sign-in">
      <BrandMark size={48} />
      <h1>{brand}</h1>
      <p className="muted">This server knows who may use it. On its own machine the page opens by itself.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take(token.trim());
        }}
      >
        <label>
          Token
          <input className="field" type="password" autoComplete="current-password" required value={token} onChange={(event) => setToken(event.target.value)} />
        </label>
        <button className="button primary" type="submit" disabled={token.trim() === ''}>
          Connect
        </button>
      </form>
      <form onSubmit={(event) => void pair(event)}>
        <label>
          Pairing code
          <input
            className="field"
            autoCapitalize="characters"
            autoComplete="one-time-code"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </label>
        <button className="button" type="submit" disabled={code.trim() === ''}>
          Pair this device
        </button>
      </form>
      <p className="sign-in-problem" role="alert">
        {problem}
      </p>
      <p className="muted small">
        <code>app token</code> shows the token, <code>app pair</code> a code that is good for five minutes.
      </p>
    </main>
  );
}
