// Renders the sign-in by a code that the user types on another machine, for servers without a browser.
import type { ReplyOf } from 'agent-harness/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { Problem } from '#page/kit/page/when-loaded.tsx';
import { isWebAddress } from '#page/kit/web-address.ts';
import { t, table } from '#page/kit/t.ts';

type DeviceState = ReplyOf<'GET /api/hub/device'>;

const pollMs = 2_000;

export function DeviceSignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const client = useClient();
  const [device, setDevice] = useState<DeviceState>();
  const [problem, setProblem] = useState<string>();
  const isWaiting = device?.state === 'waiting';

  async function ask(key: 'POST /api/hub/device/begin' | 'POST /api/hub/device/cancel'): Promise<void> {
    setProblem(undefined);
    try {
      await client.call(key, { body: {} });
      setDevice(await client.call('GET /api/hub/device'));
    } catch (error) {
      setProblem(explainError(error));
    }
  }

  const look = useEffectEvent(async () => {
    // Ignores the error: the next poll retries.
    const next = await client.call('GET /api/hub/device').catch(() => undefined);
    if (!next) return;
    setDevice(next);
    if (next.state === 'signed_in') onSignedIn();
  });
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void look(), pollMs);
    return () => clearInterval(timer);
  }, [isWaiting]);

  return (
    <section>
      <h2>{t('Or sign in by a code')}</h2>
      <p className="muted small">
        {t('For a server that you reach from another machine: the code is typed at the account’s site, in whichever browser you are signed in.')}
      </p>
      {problem !== undefined && <Problem title={t('Signing in could not begin.')} text={problem} />}
      {device !== undefined && <DeviceOutcome device={device} />}
      {isWaiting ? (
        <button type="button" className="button" onClick={() => void ask('POST /api/hub/device/cancel')}>
          {t('Give up')}
        </button>
      ) : (
        <button type="button" className="button" onClick={() => void ask('POST /api/hub/device/begin')}>
          {device === undefined || device.state === 'none' ? t('Get a code') : t('Get another code')}
        </button>
      )}
    </section>
  );
}

const endings: Readonly<Partial<Record<DeviceState['state'], string>>> = table({
  refused: 'It was refused there.',
  expired: 'The code ran out.',
  failed: 'It failed.',
  signed_in: 'Signed in.',
});

function DeviceOutcome({ device: { state, userCode, verificationUrl, expiresAt, message } }: { readonly device: DeviceState }) {
  if (state === 'none') return null;
  if (state !== 'waiting' || userCode === undefined)
    return (
      <p className="account-sign-in-hint small" role="status">
        {endings[state]} {message}
      </p>
    );
  return (
    <div className="account-sign-in-hint" role="status">
      <p className="account-code" data-guest-hidden={t('Hidden while a viewer watches this window.')}>
        <span className="visually-hidden">{t('Code:')} </span>
        {userCode.length === 8 ? `${userCode.slice(0, 4)}-${userCode.slice(4)}` : userCode}
      </p>
      <p className="small">
        {t('Type it at')}
        {verificationUrl !== undefined && isWebAddress(verificationUrl) ? (
          <a href={verificationUrl} target="_blank" rel="noopener noreferrer">
            {verificationUrl}
          </a>
        ) : (
          <code>{verificationUrl}</code>
        )}
        . {expiresAt !== undefined && t('It is good until {expiresAt}.', { expiresAt: formatTime(expiresAt) })} {message}
      </p>
    </div>
  );
}
