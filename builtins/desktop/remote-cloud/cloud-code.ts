// Manages one remote code at the relay: opens it, receives its guests while it is valid, and closes it. Retries while the relay is unreachable.
import { openRelaySession } from '#lib/relay-host';
import { secretText } from '#lib/sealed-link';
import { tunnelVersion } from '#lib/tunnel-codec';
import { createTunnelHost } from '#lib/tunnel-host';
import type { ControlPlane } from 'agent-harness/builtins/account/hub';
import type { OpenCode, RemoteSessions } from 'agent-harness/builtins/desktop/remote';
import { admitGuest } from './relay-guest.ts';

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

/** Maximum delay in milliseconds of an acknowledgement without other content; usually the next frame contains it. */
const ackMs = 1_000;

/** Opens the code at the relay. Rejects with the control plane's error, or if its page is older. The session ends with the code. */
export async function openCloudCode(
  { code, role, expiresAt, signal }: OpenCode,
  { controlPlane, origin, remoteSessions, randomBytes, warn }: CloudCodeParts,
): Promise<CloudCode> {
  const secret = randomBytes(32);
  const refusing = new AbortController();
  const { url, tunnel, over } = await openRelaySession({
    ...{ code, role, secret, warn, signal: AbortSignal.any([signal, refusing.signal]) },
    ttlMs: Math.min(86_400_000, Math.max(1_000, Date.parse(expiresAt) - Date.now())),
    ask(request) {
      const base = origin();
      return controlPlane.request({ ...request, ...(base === undefined ? {} : { origin: base }) });
    },
    createEndpoint: (endpoint) =>
      createTunnelHost({
        ...{ ...endpoint, secret, role, ackMs },
        admit: (line, greeting) => admitGuest(line, greeting, { secret, code, remoteSessions, place: { ...endpoint, role } }),
      }),
    onBurned: () => warn('five attempts to join had a wrong link, so the code admits no further viewer. Create a new code for further viewers'),
  });
  if (tunnel !== tunnelVersion) {
    refusing.abort();
    throw new Error(
      `The page for viewers at ${new URL(url).origin} has another version than this server. Update the older of the two, then create a new code.`,
    );
  }
  return { url: `${url}#k=${secretText(secret)}`, over: over.then(() => undefined) };
}
