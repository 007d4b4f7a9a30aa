// Renders the pairing of a device: code, address and QR code while the code is valid.
import type { ReplyOf } from 'agent-harness/client';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { RoleChoice, type DeviceRole } from './role-choice.tsx';
import { Problem } from '#page/kit/page/when-loaded.tsx';
import { t } from '#page/kit/t.ts';

const QrCode = lazyPart(async () => (await import('./qr-code.tsx')).QrCode);

/** Polling interval, in milliseconds, until the code is used. */
const pollMs = 2_500;

interface PairDeviceProps {
  /** Whether devices on the local network can reach this server. */
  readonly isReachable: boolean;
  /** Whether devices outside the local network can also be paired. */
  readonly hasOutside: boolean;
  /** Called when the dialog closes; a device may have used the code. */
  readonly onPaired: () => void;
}

export function PairDevice({ isReachable, hasOutside, onPaired }: PairDeviceProps) {
  const { call } = useClient();
  const [pairing, setPairing] = useState<ReplyOf<'POST /api/pair/begin'>>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [role, setRole] = useState<DeviceRole>('chat');
  const [isPaired, setPaired] = useState(false);
  const [isOutside, setOutside] = useState(false);
  const endPaired = useEffectEvent(() => {
    setPaired(true);
    end();
  });

  useEffect(() => {
    if (!pairing) return;
    const timer = setInterval(() => {
      if (Date.now() > Date.parse(pairing.expiresAt)) return;
      // Ignores a failed request: the next poll retries.
      call('GET /api/pair/devices').then(
        ({ openUntil }) => openUntil === null && endPaired(),
        () => undefined,
      );
    }, pollMs);
    return () => clearInterval(timer);
  }, [call, pairing]);

  async function begin(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    setPaired(false);
    try {
      setPairing(await call('POST /api/pair/begin', { body: { role, ...(isOutside && hasOutside ? { way: 'outside' } : {}) } }));
    } catch (error) {
      setProblem(explainError(error));
    } finally {
      setBusy(false);
    }
  }

  function end(): void {
    setPairing(undefined);
    onPaired();
  }

  if (!pairing) {
    return (
      <div className="pair-device-begin">
        {problem !== undefined && <Problem title={t('Pairing could not be started.')} text={problem} />}
        <RoleChoice label={t('Rights of the device')} value={role} isBusy={isBusy} onChange={setRole} />{' '}
        <button type="button" className="button" disabled={isBusy || (!isReachable && !isOutside)} onClick={() => void begin()}>
          {t('Pair a device')}
        </button>{' '}
        <span className="muted small" role="status">
          {isPaired && t('The device is paired.')}
        </span>
        {hasOutside && (
          <label className="pair-device-outside small">
            <input type="checkbox" checked={isOutside} disabled={isBusy} onChange={(event) => setOutside(event.target.checked)} />{' '}
            {t('outside your network, through your control plane, which cannot read the data')}
          </label>
        )}
      </div>
    );
  }
  return (
    <div className="page-card padded pair-device">
      <div data-guest-hidden={t('Hidden while a viewer watches this window.')}>
        <Suspense fallback={<span className="qr-code" aria-hidden="true" />}>
          <QrCode text={pairing.address} label={t('QR code of the pairing address')} />
        </Suspense>
      </div>
      <div className="pair-device-words">
        {pairing.address.includes('#k=') ? (
          <p>{t('Scan the QR code with the phone, or send it the address. The first device that opens it is paired.')}</p>
        ) : (
          <>
            <p>{t('Point the camera of the other device at the picture, or open the address there and type the code.')}</p>
            <p className="pair-device-code" data-guest-hidden="" aria-label={t('Code: {code}', { code: [...pairing.code].join(' ') })}>
              <code>{pairing.code}</code>
            </p>
          </>
        )}
        <p className="pair-device-address" data-guest-hidden="">
          <code>{pairing.address}</code>
        </p>
        <Countdown until={pairing.expiresAt} />
        <div className="pair-device-buttons">
          <button type="button" className="button" onClick={end}>
            {t('Done')}
          </button>
          <button type="button" className="button bare" disabled={isBusy} onClick={() => void begin()}>
            {t('New code')}
          </button>
        </div>
      </div>
    </div>
  );
}

function Countdown({ until }: { readonly until: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
  if (Number.isNaN(seconds)) return null;
  return (
    <p className="muted small">
      {seconds === 0
        ? t('The code has expired.')
        : t('Can be used once, for another {minutes}:{seconds} minutes.', {
            minutes: Math.floor(seconds / 60),
            seconds: String(seconds % 60).padStart(2, '0'),
          })}
    </p>
  );
}
