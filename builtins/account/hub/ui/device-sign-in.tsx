// Renders the sign-in with a code that the user enters on another machine, for servers without a browser.
import type { ReplyOf } from 'agent-harness/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { Problem } from '#page/kit/page/when-loaded.tsx';
import { isWebAddress } from '#page/kit/web-address.ts';
import { t, table } from '#page/kit/t.ts';

type DeviceState = ReplyOf<'GET /api/hub/device'>;

/** Interval between checks of the sign-in, in milliseconds. */
const pollMs = 2_000;

export function DeviceSignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const client = useClient();
  const [device, setDevice] = useState<DeviceState>();
  const [problem, setProblem] = useState<string>();
  const isWaiting = device?.state === 'waiting';

  async function send(key: 'POST /api/hub/device/begin' | 'POST /api/hub/device/cancel'): Promise<void> {
    setProblem(undefined);
    try {
      await client.call(key, { body: {} });
      setDevice(await client.call('GET /api/hub/device'));
    } catch (error) {
      setProblem(explainError(error));
    }
  }

  const poll = useEffectEvent(async () => {
    // Ignores the error: the next poll retries.
    const next = await client.call('GET /api/hub/device').catch(() => undefined);
    if (!next) return;
    setDevice(next);
    if (next.state === 'signed_in') onSignedIn();
  });
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void poll(), pollMs);
    return () => clearInterval(timer);
  }, [isWaiting]);

  return (
    <section>
      <h2>{t('Or sign in by a code')}</h2>
      <p className="muted small">{t('For a server on another machine: enter the code on the account site, in a browser where you are signed in.')}</p>
      {problem !== undefined && <Problem title={t('The sign-in could not be started.')} text={problem} />}
      {device !== undefined && <DeviceOutcome device={device} />}
      {isWaiting ? (
        <button type="button" className="button" onClick={() => void send('POST /api/hub/device/cancel')}>
          {t('Cancel')}
        </button>
      ) : (
        <button type="button" className="button" onClick={() => void send('POST /api/hub/device/begin')}>
          {device === undefined || device.state === 'none' ? t('Get a code') : t('Get another code')}
        </button>
      )}
    </section>
  );
}

const endings: Readonly<Partial<Record<DeviceState['state'], string>>> = table({
  refused: 'The sign-in was denied.',
  expired: 'The code has expired.',
  failed: 'The sign-in failed.',
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
        {t('Enter it at')}
        {verificationUrl !== undefined && isWebAddress(verificationUrl) ? (
          <a href={verificationUrl} target="_blank" rel="noopener noreferrer">
            {verificationUrl}
          </a>
        ) : (
          <code>{verificationUrl}</code>
        )}
        . {expiresAt !== undefined && t('It is valid until {expiresAt}.', { expiresAt: formatTime(expiresAt) })} {message}
      </p>
    </div>
  );
}
