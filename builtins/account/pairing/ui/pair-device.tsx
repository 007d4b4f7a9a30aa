// Pairs a device: a code to type, an address, and both as a QR code, for as long as the code lives.
import type { ReplyOf } from 'agent-harness/client';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { Problem } from '#page/kit/page/when-loaded.tsx';

const QrCode = lazyPart(async () => (await import('./qr-code.tsx')).QrCode);

/** How often it asks whether the code was used. */
const askEveryMs = 2_500;

/** @param onPaired called when the pairing is over: somebody may have used the code */
export function PairDevice({ onPaired }: { readonly onPaired: () => void }) {
  const { call } = useClient();
  const [pairing, setPairing] = useState<ReplyOf<'POST /api/pair/begin'>>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [isPaired, setPaired] = useState(false);
  const endPaired = useEffectEvent(() => {
    setPaired(true);
    end();
  });

  useEffect(() => {
    if (!pairing) return;
    const timer = setInterval(() => {
      if (Date.now() > Date.parse(pairing.expiresAt)) return;
      // A silence of the server is no answer; it is asked again.
      call('GET /api/pair/devices').then(
        ({ openUntil }) => openUntil === null && endPaired(),
        () => undefined,
      );
    }, askEveryMs);
    return () => clearInterval(timer);
  }, [call, pairing]);

  async function begin(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    setPaired(false);
    try {
      setPairing(await call('POST /api/pair/begin', { body: {} }));
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
        {problem !== undefined && <Problem title="Pairing could not begin." text={problem} />}
        <button type="button" className="button" disabled={isBusy} onClick={() => void begin()}>
          Pair a device
        </button>{' '}
        <span className="muted small" role="status">
          {isPaired && 'The device is paired.'}
        </span>
      </div>
    );
  }
  return (
    <div className="page-card padded pair-device">
      <Suspense fallback={<span className="qr-code" aria-hidden="true" />}>
        <QrCode text={pairing.address} label="QR code of the pairing address" />
      </Suspense>
      <div className="pair-device-words">
        <p>Point the camera of the other device at the picture, or open the address there and type the code.</p>
        <p className="pair-device-code" aria-label={`Code: ${[...pairing.code].join(' ')}`}>
          <code>{pairing.code}</code>
        </p>
        <p>
          <code>{pairing.address}</code>
        </p>
        {pairing.localOnly === true && (
          <p className="account-sign-in-hint small">
            The server listens on this machine only, so no other device reaches it. Start it with <code>AGENT_WEB_BIND_HOST=0.0.0.0</code> first.
          </p>
        )}
        <Countdown until={pairing.expiresAt} />
        <div className="pair-device-buttons">
          <button type="button" className="button" onClick={end}>
            Done
          </button>
          <button type="button" className="button bare" disabled={isBusy} onClick={() => void begin()}>
            New code
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
      {seconds === 0 ? 'The code has run out.' : `Works once, for another ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} minutes.`}
    </p>
  );
}
