// Runs the host side of a relay session: opens the session under a code, polls its guests while the code is valid, and closes it. Waits while the relay is unreachable.
import { backoffMs, restUntil } from './async.ts';
import { sha256 } from './hash.ts';
import { proofOf } from './relay-calls.ts';
import type { Fields } from './tunnel-codec.ts';
import { createTunnelHost, type RelayedGuest, type TunnelHost, type TunnelLine, type TunnelUser } from './tunnel-host.ts';
import { isRecord } from './values.ts';

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
  /** Sends a request with the rights of the host. Rejects with control plane error codes. */
  readonly ask: (request: RelayRequest) => Promise<{ readonly body: unknown }>;
  /** Admits a guest of this version of the tunnel. @param greeting fields of the guest's first message */
  readonly admit: (line: TunnelLine, greeting: Fields, place: { readonly session: string; readonly guest: string }) => TunnelUser;
  /** Time in milliseconds after which messages of a guest are acknowledged even if there is nothing to send. */
  readonly ackMs?: number;
  /** Time in milliseconds without a poll after which a guest must join again; if omitted, a guest may always return. */
  readonly awayMs?: number;
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
  /** Sends a last message to all guests, then releases them. */
  finish(message: Uint8Array): void;
  /** Resolves when the session has ended and the relay is informed. */
  readonly over: Promise<void>;
}

/** Time limit of a poll in milliseconds; longer than the relay's long-poll limit. */
const pollMs = 40_000;
/** Default maximum number of guests over the whole session. Each guest has its own keys, which are never reused. */
const defaultGuests = 256;
/** A packet number higher than any real one, which acknowledges all packets of a removed guest. */
const beyond = 999_999_999_999;
const maxGoneReported = 16;
const backoff = { first: 250, longest: 15_000 };
const closeMs = 5_000;

/** Opens a session, which ends when the signal is aborted. Rejects with the errors of `ask`. */
export async function openRelaySession(parts: RelaySessionParts): Promise<RelaySession> {
  const { code, role, secret, ttlMs, signal, ask, admit, ackMs, awayMs, warn, onBurned, maxGuests = defaultGuests } = parts;
  const guests = new Map<string, TunnelHost>();
  /** Ids of removed guests, which are ignored even if the relay still lists them. */
  const gone = new Set<string>();
  const { body } = await ask({ method: 'POST', path: '/api/remote/sessions', body: { code, role, proofHash: sha256(proofOf(secret, code)), ttlMs }, signal });
  const { session, url, tunnel, error } = isRecord(body) ? body : {};
  if (typeof session !== 'string' || typeof url !== 'string')
    throw new Error(isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'The relay did not return the address for guests.');
  const path = `/api/remote/sessions/${session}`;
  let isBurnedTold = false;

  function guestOf(guest: string): TunnelHost | undefined {
    if (gone.has(guest)) return undefined;
    const known = guests.get(guest);
    if (known) return known;
    if (guests.size + gone.size >= maxGuests) return void letGo(guest);
    const made = createTunnelHost({
      ...{ secret, role, guest, ackMs, awayMs },
      post: (number, packet) => post(guest, number, packet),
      onOver: () => letGo(guest),
      admit: (line, greeting) => admit(line, greeting, { session: session as string, guest }),
    });
    guests.set(guest, made);
    return made;
  }

  function letGo(guest: string): void {
    gone.add(guest);
    guests.get(guest)?.dispose();
    guests.delete(guest);
    ask({ method: 'DELETE', path: `${path}/guests/${guest}`, timeoutMs: closeMs }).catch(() => undefined); // the guest is ignored either way
  }

  async function post(guest: string, number: number, bytes: Uint8Array): Promise<number> {
    const query = new URLSearchParams({ session: session as string, guest, number: String(number) });
    const { body: reply } = await ask({ method: 'POST', path: `/api/remote/frames?${query.toString()}`, bytes, signal });
    const has = isRecord(reply) ? reply['has'] : undefined;
    return typeof has === 'number' ? has : 0;
  }

  async function receive(): Promise<void> {
    // Acknowledges all packets of removed guests; otherwise, the relay would answer each poll immediately while it still lists them.
    const left = [...gone].slice(-maxGoneReported).map((guest) => `${guest}.${beyond}.${beyond}`);
    const known = [...[...guests].map(([guest, { known: one }]) => `${guest}.${one.taken}.${one.has}`), ...left].join(',');
    const query = new URLSearchParams({ session: session as string, ...(known === '' ? {} : { known }), ...(isBurnedTold ? { knowsBurned: 'yes' } : {}) });
    const { body: heard } = await ask({ method: 'GET', path: `/api/remote/inputs?${query.toString()}`, timeoutMs: pollMs, signal });
    if (!isRecord(heard)) return;
    if (heard['isBurned'] === true && !isBurnedTold) {
      isBurnedTold = true;
      onBurned();
    }
    for (const one of recordsIn<RelayedGuest & { guest: string }>(heard['guests']))
      if (typeof one.guest === 'string' && isGuest(one.guest)) guestOf(one.guest)?.tell(one);
    for (const { guest, number, message } of recordsIn<{ guest: string; number: number; message: string }>(heard['inputs'])) {
      if (!gone.has(guest)) guests.get(guest)?.take(number, Buffer.from(message, 'base64'));
    }
  }

  async function listen(): Promise<void> {
    for (let tries = 0; !signal.aborted;) {
      try {
        await receive();
        tries = 0;
      } catch (fault) {
        if (signal.aborted) break;
        const why = whyOver(fault);
        if (why !== undefined) {
          warn(why);
          break;
        }
        await restUntil(backoffMs(tries++, backoff), signal);
      }
    }
    for (const guest of guests.values()) guest.dispose();
    guests.clear();
    await ask({ method: 'DELETE', path, timeoutMs: closeMs }).catch(() => undefined); // if the request fails, the session expires at the relay
  }

  return {
    ...{ url, tunnel, over: listen() },
    finish(message) {
      for (const guest of [...guests.values()]) guest.finish(message);
    },
  };
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
