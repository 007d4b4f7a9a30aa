// Manages one remote code at the relay: opens it, receives its guests while it is valid, and closes it. Retries while the relay is unreachable.
import { randomBytes } from 'node:crypto';
import { openRelaySession } from '#lib/relay-host';
import { secretText } from '#lib/sealed-link';
import { spokenCheck } from '#lib/spoken-check';
import { oneLine } from '#lib/text';
import { encodeFrame, encodeGreeting, frameText, kinds, tunnelVersion } from '#lib/tunnel-codec';
import type { TunnelLine, TunnelUser } from '#lib/tunnel-host';
import { recordIn } from '#lib/values';
import type { ControlPlane } from 'agent-harness/builtins/account/hub';
import type { AttachedGuest, GuestLink, OpenCode, RemoteSessions } from 'agent-harness/builtins/desktop/remote';

export interface CloudCodeParts {
  readonly controlPlane: Pick<ControlPlane, 'request'>;
  /** Returns the address of the relay without a trailing slash; `undefined`: the control plane's relay. */
  readonly origin: () => string | undefined;
  readonly remoteSessions: RemoteSessions;
  readonly warn: (message: string) => void;
  readonly makeError: (reason: 'PAGE_VERSION', details: Readonly<Record<string, unknown>>) => Error;
}

export interface CloudCode {
  /** Address for guests, with the secret after #. */
  readonly url: string;
  /** Resolves when the code has ended and the relay was notified. */
  readonly over: Promise<void>;
}

/** Maximum delay in milliseconds of an acknowledgement without other content; usually the next frame contains it. */
const ackMs = 1_000;
/** Interval in milliseconds at which a connected viewer is marked as active, because its page sends no pings through the relay. */
const pingMs = 5_000;
/** Time in milliseconds without a poll after which a viewer counts as absent; longer than its polling interval. */
const awayMs = 20_000;
const longestName = 60;
const ownPing = -1;

/** Opens the code at the relay. Rejects with the control plane's error, or with `PAGE_VERSION`. The session ends with the code. */
export async function openCloudCode(
  { code, role, expiresAt, signal }: OpenCode,
  { controlPlane, origin, remoteSessions, warn, makeError }: CloudCodeParts,
): Promise<CloudCode> {
  const secret = new Uint8Array(randomBytes(32));
  const refusing = new AbortController();
  const { url, tunnel, over } = await openRelaySession({
    ...{ code, role, secret, warn, signal: AbortSignal.any([signal, refusing.signal]) },
    ttlMs: Math.min(86_400_000, Math.max(1_000, Date.parse(expiresAt) - Date.now())),
    ask(request) {
      const base = origin();
      return controlPlane.request({ ...request, ...(base === undefined ? {} : { origin: base }) });
    },
    ackMs,
    admit(line, greeting, { session, guest }) {
      const words = role === 'control' ? { words: spokenCheck(secret, ['words', session, role, guest]) } : {};
      return admitGuest(line, greeting['name'], { code, ...words }, remoteSessions);
    },
    onBurned: () => warn('five attempts to join had a wrong link, so the code admits no further viewer. Create a new code for further viewers'),
  });
  if (tunnel !== tunnelVersion) {
    refusing.abort();
    const older = typeof tunnel === 'number' && tunnel > tunnelVersion ? 'this server' : 'the control plane';
    throw makeError('PAGE_VERSION', { origin: new URL(url).origin, older });
  }
  return { url: `${url}#k=${secretText(secret)}`, over };
}

/** Admits a viewer. Contract: the tunnel of `line` lasts as long as the code, so an absent viewer may return. */
function admitGuest(line: TunnelLine, given: unknown, link: Pick<GuestLink, 'code' | 'words'>, remoteSessions: RemoteSessions): TunnelUser {
  const name = oneLine(typeof given === 'string' ? given : '', longestName) || 'Guest';
  let attached: AttachedGuest | undefined;
  let isOver = false;
  let address = 'unknown address';
  const ticking = setInterval(() => attached?.receive(JSON.stringify({ v: 1, type: 'ping', at: ownPing })), pingMs);
  ticking.unref();
  line.send(encodeGreeting({ hostAt: Date.now() }));

  function attach(): void {
    if (isOver || attached) return;
    try {
      const guest = (attached = remoteSessions.attach({ ...link, name, address, transport: 'cloud', send }));
      const onClosed = (): void => void (attached === guest && line.finish());
      if (guest.closed.aborted) onClosed();
      else guest.closed.addEventListener('abort', onClosed, { once: true });
    } catch {
      line.finish();
    }
  }

  function leave(): void {
    const guest = attached;
    attached = undefined;
    guest?.leave();
  }

  function send(content: string | Uint8Array): void {
    if (typeof content === 'string') {
      const { type, at } = recordIn(content);
      if (type !== 'pong' || at !== ownPing) line.send(encodeFrame(kinds.text, 0, content));
      return;
    }
    // The relay reports the arrival, so the page does not acknowledge frames.
    const seq = content.length < 8 ? 0 : new DataView(content.buffer, content.byteOffset, 8).getUint32(4, true);
    line.send(encodeFrame(kinds.picture, 0, content), () => attached?.receive(JSON.stringify({ v: 1, type: 'ack', seq })));
  }

  return {
    take(frame) {
      if (frame.kind === kinds.text) attached?.receive(frameText(frame));
    },
    tell(guest) {
      if (guest.address !== '') address = guest.address;
      if (guest.quietMs > awayMs) leave();
      else attach();
    },
    close() {
      isOver = true;
      clearInterval(ticking);
      leave();
    },
  };
}
