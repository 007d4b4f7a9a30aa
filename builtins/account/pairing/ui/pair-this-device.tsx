// Renders the sign-in of this device with a pairing code.
import { deviceName } from '#lib/device-name';
import { messageOf } from '#lib/errors';
import { useEffect, useState, type FormEvent } from 'react';
import { redirectTo, useClient, useRoute } from '#page/kit/hooks.ts';
import { useSigningIn } from '#page/points/sign-in-context.ts';
import { t, tx } from '#page/kit/t.ts';

/** Address fragment that contains a code: `#/pair/<code>`. */
export const pairPage = 'pair';

export function PairThisDevice() {
  const client = useClient();
  const { take, refuse } = useSigningIn();
  const { page, id = '' } = useRoute();
  const [written, write] = useState<string>();
  const code = written ?? (page === pairPage ? id : '');

  async function pair(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const { token } = await client.call('POST /api/pair', { body: { code: code.trim().toUpperCase(), deviceName: deviceName(navigator.userAgent) } });
      take(token);
      redirectTo({ page: 'chat' });
    } catch (refusal) {
      refuse(messageOf(refusal));
    }
  }
  return (
    <form onSubmit={(event) => void pair(event)}>
      <label>
        {t('Pairing code')}
        <input
          className="field"
          autoCapitalize="characters"
          autoComplete="one-time-code"
          spellCheck={false}
          value={code}
          onChange={(event) => write(event.target.value)}
        />
      </label>
      <button className="button" type="submit" disabled={code.trim() === ''}>
        {t('Pair this device')}
      </button>
      <p className="muted small">{tx('{command} shows a code that is valid for five minutes.', { command: <code>app pair</code> })}</p>
    </form>
  );
}

/** A device that is already signed in needs no code. */
export function LeavePairing() {
  useEffect(() => redirectTo({ page: 'chat' }), []);
  return null;
}
