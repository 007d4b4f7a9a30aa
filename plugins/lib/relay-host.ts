// What a host does at a relay: opens a session under a code, hears its guests for as long as it counts, and closes it. A relay that is away is waited for.
import { backoffMs } from './async.ts';
import { sha256 } from './hash.ts';
import { proofOf } from './relay-calls.ts';
import { isRecord } from './values.ts';

/** What the relay says of a guest, which nothing but the pace depends on. */
export interface RelayedGuest {
  readonly address: string;
  /** The newest packet that it has. */
  readonly has: number;
  readonly isWaiting: boolean;
  readonly quietMs: number;
}

/** One guest, as its host has it. */
export interface HostSeat {
  /** As the relay wants to hear it. */
  readonly known: { readonly taken: number; readonly has: number };
  take(number: number, message: Uint8Array): void;
  tell(guest: RelayedGuest): void;
  /** The host goes, or the guest is gone for good. */
  dispose(): void;
}

export interface HostSeatParts {
  readonly session: string;
  readonly guest: string;
  /** Resolves with what the relay says of the guest. */
  readonly post: (number: number, packet: Uint8Array) => Promise<Pick<RelayedGuest, 'has' | 'isWaiting'>>;
  /** The relay has to let it go. */
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
  /** With the rights of the host. Rejects with codes of the control plane. */
  readonly ask: (request: RelayRequest) => Promise<{ readonly body: unknown }>;
  readonly createSeat: (parts: HostSeatParts) => HostSeat;
  readonly warn: (message: string) => void;
  /** Too many came with a wrong proof: nobody else can join. */
  readonly onBurned: () => void;
  /** Seats over all of its time. */
  readonly mostSeats?: number;
}

export interface RelaySession {
  /** Where guests come in, without the secret. */
  readonly url: string;
  /** Resolves when it is over, and the relay knows; whether the host ended it, or the relay does not know it any more. */
  readonly over: Promise<'ended' | 'lost'>;
}

/** Longer than the relay lets anybody wait. */
const hearMs = 40_000;
/** Guests of one code, over all of its time: each has keys of its own, which are never used again. */
const usualSeats = 256;
/** Of a guest that was let go: more than it can have said or heard. */
const beyond = 999_999_999_999;
const mostGoneTold = 16;
const backoff = { first: 250, longest: 15_000 };
const closeMs = 5_000;

/** Rejects as the control plane does. Ends with its signal. */
export async function openRelaySession(parts: RelaySessionParts): Promise<RelaySession> {
  const { code, role, secret, ttlMs, signal, ask, createSeat, warn, onBurned, mostSeats = usualSeats } = parts;
  const seats = new Map<string, HostSeat>();
  /** Not to be heard again, whatever the relay says. */
  const gone = new Set<string>();
  const { body } = await ask({ method: 'POST', path: '/api/remote/sessions', body: { code, role, proofHash: sha256(proofOf(secret, code)), ttlMs }, signal });
  const { session, url, error } = isRecord(body) ? body : {};
  if (typeof session !== 'string' || typeof url !== 'string')
    throw new Error(isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'The relay did not say where guests come in.');
  const path = `/api/remote/sessions/${session}`;
  let isBurnedTold = false;

  function seatOf(guest: string): HostSeat | undefined {
    if (gone.has(guest)) return undefined;
    const known = seats.get(guest);
    if (known) return known;
    if (seats.size + gone.size >= mostSeats) return void letGo(guest);
    const seat = createSeat({ session: session as string, guest, post: (number, packet) => post(guest, number, packet), onOver: () => letGo(guest) });
    seats.set(guest, seat);
    return seat;
  }

  function letGo(guest: string): void {
    gone.add(guest);
    seats.get(guest)?.dispose();
    seats.delete(guest);
    ask({ method: 'DELETE', path: `${path}/guests/${guest}`, timeoutMs: closeMs }).catch(() => undefined); // it is not heard any more
  }

  async function post(guest: string, number: number, bytes: Uint8Array): Promise<{ has: number; isWaiting: boolean }> {
    const query = new URLSearchParams({ session: session as string, guest, number: String(number) });
    const { body: reply } = await ask({ method: 'POST', path: `/api/remote/frames?${query.toString()}`, bytes, signal });
    const { has, isWaiting } = isRecord(reply) ? reply : {};
    return { has: typeof has === 'number' ? has : 0, isWaiting: isWaiting === true };
  }

  async function hear(): Promise<void> {
    // Those that were let go are no news, also where the relay still has them.
    const left = [...gone].slice(-mostGoneTold).map((guest) => `${guest}.${beyond}.${beyond}`);
    const known = [...[...seats].map(([guest, { known: one }]) => `${guest}.${one.taken}.${one.has}`), ...left].join(',');
    const query = new URLSearchParams({ session: session as string, ...(known === '' ? {} : { known }), ...(isBurnedTold ? { knowsBurned: 'yes' } : {}) });
    const { body: heard } = await ask({ method: 'GET', path: `/api/remote/inputs?${query.toString()}`, timeoutMs: hearMs, signal });
    if (!isRecord(heard)) return;
    if (heard['isBurned'] === true && !isBurnedTold) {
      isBurnedTold = true;
      onBurned();
    }
    for (const one of recordsIn<RelayedGuest & { guest: string }>(heard['guests']))
      if (typeof one.guest === 'string' && isGuest(one.guest)) seatOf(one.guest)?.tell(one);
    for (const { guest, number, message } of recordsIn<{ guest: string; number: number; message: string }>(heard['inputs'])) {
      if (!gone.has(guest)) seats.get(guest)?.take(number, Buffer.from(message, 'base64'));
    }
  }

  async function listen(): Promise<'ended' | 'lost'> {
    let outcome: 'ended' | 'lost' = 'ended';
    for (let tries = 0; !signal.aborted;) {
      try {
        await hear();
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
    for (const seat of seats.values()) seat.dispose();
    seats.clear();
    await ask({ method: 'DELETE', path, timeoutMs: closeMs }).catch(() => undefined); // it ends there with its time
    return outcome;
  }

  return { url, over: listen() };
}

/** As a sentence for the log where it will not work again; a relay that cannot be reached may come back. */
function whyOver(fault: unknown): string | undefined {
  const { code, message, details } = fault as { readonly code?: unknown; readonly message?: unknown; readonly details?: { readonly status?: unknown } };
  if (code === 'HUB_ERR_SIGNED_OUT') return 'the cloud session is over, as this machine is signed out';
  const isBusy = details?.status === 429;
  return code === 'HUB_ERR_PLANE_REFUSED' && !isBusy ? `the cloud session is over: ${String(message)}` : undefined;
}

const isGuest = (text: string): boolean => /^[\w-]{22}$/.test(text);

function recordsIn<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]).filter((one) => isRecord(one)) : [];
}

/** Resolves at the latest when the signal is aborted. */
export function restUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
