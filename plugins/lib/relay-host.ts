// Runs the host side of a relay session: opens the session under a code, polls its guests while the code is valid, and closes it. Waits while the relay is unreachable.
import { backoffMs, restUntil } from './async.ts';
import { sha256 } from './hash.ts';
import { proofOf } from './relay-calls.ts';
import { isRecord } from './values.ts';

/** The state of a guest as reported by the relay; affects only the pacing. */
export interface RelayedGuest {
  readonly address: string;
  /** Number of the newest packet that the relay has received. */
  readonly has: number;
  readonly quietMs: number;
}

/** The host's connection to one guest. */
export interface HostEndpoint {
  /** The host's state, in the form that the relay expects. */
  readonly known: { readonly taken: number; readonly has: number };
  take(number: number, message: Uint8Array): void;
  tell(guest: RelayedGuest): void;
  /** Called when the session has ended, or the guest has left permanently. */
  dispose(): void;
}

export interface HostEndpointParts {
  readonly session: string;
  readonly guest: string;
  /** Resolves with the number of the newest packet that the guest has received. */
  readonly post: (number: number, packet: Uint8Array) => Promise<Pick<RelayedGuest, 'has'>>;
  /** Removes the guest from the relay. */
  readonly onOver: () => void;
}

export interface RelayRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly bytes?: Uint8Array;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface RelaySessionParts {
  readonly code: string;
  readonly role: string;
  readonly secret: Uint8Array;
  readonly ttlMs: number;
  readonly signal: AbortSignal;
  /** Sends a request with the rights of the host. Rejects with codes of the control plane. */
  readonly ask: (request: RelayRequest) => Promise<{ readonly body: unknown }>;
  readonly createEndpoint: (parts: HostEndpointParts) => HostEndpoint;
  readonly warn: (message: string) => void;
  /** Called when the relay has closed the code after too many wrong proofs; no more guests can join. */
  readonly onBurned: () => void;
  /** Maximum number of guests over the whole session. */
  readonly maxGuests?: number;
}

export interface RelaySession {
  /** Join URL without the secret. */
  readonly url: string;
  /** Version of the tunnel in the pages that the relay serves; `undefined` for relays of agent-harness 0.2 and older. */
  readonly tunnel: unknown;
  /** Resolves when the session has ended and the relay is informed; `ended` by the host, or `lost` by the relay. */
  readonly over: Promise<'ended' | 'lost'>;
}

/** Time limit of a poll in milliseconds; longer than the relay's long-poll limit. */
const pollMs = 40_000;
/** Default maximum number of guests over the whole session. Each guest has its own keys, which are never reused. */
const defaultGuests = 256;
/** A packet number beyond all real ones, which acknowledges all packets of a removed guest. */
const beyond = 999_999_999_999;
const maxGoneReported = 16;
const backoff = { first: 250, longest: 15_000 };
const closeMs = 5_000;

/** Opens a session, which ends when the signal is aborted. Rejects with the errors of `ask`. */
export async function openRelaySession(parts: RelaySessionParts): Promise<RelaySession> {
  const { code, role, secret, ttlMs, signal, ask, createEndpoint, warn, onBurned, maxGuests = defaultGuests } = parts;
  const endpoints = new Map<string, HostEndpoint>();
  /** Ids of removed guests, which are ignored even if the relay still lists them. */
  const gone = new Set<string>();
  const { body } = await ask({ method: 'POST', path: '/api/remote/sessions', body: { code, role, proofHash: sha256(proofOf(secret, code)), ttlMs }, signal });
  const { session, url, tunnel, error } = isRecord(body) ? body : {};
  if (typeof session !== 'string' || typeof url !== 'string')
    throw new Error(isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'The relay did not return the address for guests.');
  const path = `/api/remote/sessions/${session}`;
  let isBurnedTold = false;

  function endpointOf(guest: string): HostEndpoint | undefined {
    if (gone.has(guest)) return undefined;
    const known = endpoints.get(guest);
    if (known) return known;
    if (endpoints.size + gone.size >= maxGuests) return void letGo(guest);
    const endpoint = createEndpoint({ session: session as string, guest, post: (number, packet) => post(guest, number, packet), onOver: () => letGo(guest) });
    endpoints.set(guest, endpoint);
    return endpoint;
  }

  function letGo(guest: string): void {
    gone.add(guest);
    endpoints.get(guest)?.dispose();
    endpoints.delete(guest);
    ask({ method: 'DELETE', path: `${path}/guests/${guest}`, timeoutMs: closeMs }).catch(() => undefined); // the guest is ignored from now on
  }

  async function post(guest: string, number: number, bytes: Uint8Array): Promise<{ has: number }> {
    const query = new URLSearchParams({ session: session as string, guest, number: String(number) });
    const { body: reply } = await ask({ method: 'POST', path: `/api/remote/frames?${query.toString()}`, bytes, signal });
    const has = isRecord(reply) ? reply['has'] : undefined;
    return { has: typeof has === 'number' ? has : 0 };
  }

  async function receive(): Promise<void> {
    // Acknowledges everything of removed guests; otherwise the relay would answer at once as long as it still lists them.
    const left = [...gone].slice(-maxGoneReported).map((guest) => `${guest}.${beyond}.${beyond}`);
    const known = [...[...endpoints].map(([guest, { known: one }]) => `${guest}.${one.taken}.${one.has}`), ...left].join(',');
    const query = new URLSearchParams({ session: session as string, ...(known === '' ? {} : { known }), ...(isBurnedTold ? { knowsBurned: 'yes' } : {}) });
    const { body: heard } = await ask({ method: 'GET', path: `/api/remote/inputs?${query.toString()}`, timeoutMs: pollMs, signal });
    if (!isRecord(heard)) return;
    if (heard['isBurned'] === true && !isBurnedTold) {
      isBurnedTold = true;
      onBurned();
    }
    for (const one of recordsIn<RelayedGuest & { guest: string }>(heard['guests']))
      if (typeof one.guest === 'string' && isGuest(one.guest)) endpointOf(one.guest)?.tell(one);
    for (const { guest, number, message } of recordsIn<{ guest: string; number: number; message: string }>(heard['inputs'])) {
      if (!gone.has(guest)) endpoints.get(guest)?.take(number, Buffer.from(message, 'base64'));
    }
  }

  async function listen(): Promise<'ended' | 'lost'> {
    let outcome: 'ended' | 'lost' = 'ended';
    for (let tries = 0; !signal.aborted;) {
      try {
        await receive();
        tries = 0;
      } catch (fault) {
        if (signal.aborted) break;
        const why = whyOver(fault);
        if (why !== undefined) {
          warn(why);
          outcome = 'lost';
          break;
        }
        await restUntil(backoffMs(tries++, backoff), signal);
      }
    }
    for (const endpoint of endpoints.values()) endpoint.dispose();
    endpoints.clear();
    await ask({ method: 'DELETE', path, timeoutMs: closeMs }).catch(() => undefined); // the session expires at the relay
    return outcome;
  }

  return { url, tunnel, over: listen() };
}

/** Returns a log message for a permanent fault; `undefined` for an unreachable relay, which may recover. */
function whyOver(fault: unknown): string | undefined {
  const { code, message, details } = fault as { readonly code?: unknown; readonly message?: unknown; readonly details?: { readonly status?: unknown } };
  if (code === 'HUB_ERR_SIGNED_OUT') return 'the cloud session ended because this machine was signed out';
  const isBusy = details?.status === 429;
  return code === 'HUB_ERR_PLANE_REFUSED' && !isBusy ? `the cloud session ended: ${String(message)}` : undefined;
}

const isGuest = (text: string): boolean => /^[\w-]{22}$/.test(text);

function recordsIn<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]).filter((one) => isRecord(one)) : [];
}
