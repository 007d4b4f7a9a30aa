// Manages one remote code at the relay: opens it, receives its guests while it is valid, and closes it. Retries while the relay is unreachable.
import { openRelaySession } from '#lib/relay-host';
import { secretText } from '#lib/sealed-link';
import type { ControlPlane } from 'agent-harness/builtins/account/hub';
import type { OpenCode, RemoteSessions } from 'agent-harness/builtins/desktop/remote';
import { createRelayGuest } from './relay-guest.ts';

export interface CloudCodeParts {
  readonly controlPlane: Pick<ControlPlane, 'request'>;
  /** Returns the address of the relay without a trailing slash; `undefined`: the control plane's relay. */
  readonly origin: () => string | undefined;
  readonly remoteSessions: RemoteSessions;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly warn: (message: string) => void;
}

export interface CloudCode {
  /** Address for guests, with the secret after #. */
  readonly url: string;
  /** Resolves when the code has ended and the relay was notified. */
  readonly over: Promise<void>;
}

/** Opens the code at the relay. Rejects with the control plane's error. The session ends with the code. */
export async function openCloudCode(code: OpenCode, { controlPlane, origin, remoteSessions, randomBytes, warn }: CloudCodeParts): Promise<CloudCode> {
  const secret = randomBytes(32);
  const { url, over } = await openRelaySession({
    ...{ code: code.code, role: code.role, secret, signal: code.signal, warn },
    ttlMs: Math.min(86_400_000, Math.max(1_000, Date.parse(code.expiresAt) - Date.now())),
    ask(request) {
      const base = origin();
      return controlPlane.request({ ...request, ...(base === undefined ? {} : { origin: base }) });
    },
    createSeat: ({ session, guest, post, onOver }) =>
      createRelayGuest({
        ...{ secret, code: code.code, remoteSessions, post, onOver, place: { session, role: code.role, guest } },
        onFault: () => undefined, // the message is resent, and the listener reports the problem
      }),
    onBurned: () => warn('five attempts to join had a wrong link, so the code admits no further viewer. Create a new code for further viewers'),
  });
  return { url: `${url}#k=${secretText(secret)}`, over: over.then(() => undefined) };
}
