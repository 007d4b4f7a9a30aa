// Runs the host's end of a sealed tunnel: decrypts the guest's messages in order and exactly once, and encrypts all messages that the guest may lack into one
// batch.
import { randomBytes } from 'node:crypto';
import { backoffMs } from './async.ts';
import {
  createTunnelKeys,
  decodeFrame,
  encodeBatch,
  encodeGoodbye,
  epochBytes,
  fieldsOf,
  kinds,
  tunnelVersion,
  type Fields,
  type Frame,
} from './tunnel-codec.ts';

/** Receives the guest's messages after its greeting. Contract: no function throws. */
export interface TunnelUser {
  take(frame: Frame): void;
  /** Handles the state of the guest at the relay. */
  tell?(guest: RelayedGuest): void;
  close(): void;
}

/** The connection to a guest, for use by its {@link TunnelUser}. */
export interface TunnelLine {
  /** Queues a message. @param onArrived called when the guest has received it */
  send(message: Uint8Array, onArrived?: () => void): void;
  /** Resolves when the send buffer has space. */
  room(): Promise<void>;
  /** Sends a last message, closes the {@link TunnelUser}, then releases the guest. */
  finish(message?: Uint8Array): void;
}

/** The state of a guest as reported by the relay; affects only the pacing. */
export interface RelayedGuest {
  readonly address: string;
  /** Number of the newest packet that the relay has received. */
  readonly has: number;
  readonly quietMs: number;
}

export interface TunnelHost {
  /** The host's state, in the form that the relay expects. */
  readonly known: { readonly taken: number; readonly has: number };
  take(number: number, message: Uint8Array): void;
  tell(guest: RelayedGuest): void;
  finish: TunnelLine['finish'];
  /** Called when the session has ended, or the guest has left permanently. */
  dispose(): void;
}

export interface TunnelHostParts {
  readonly secret: Uint8Array;
  readonly role: string;
  readonly guest: string;
  /** Resolves with the number of the newest packet that the guest has received. */
  readonly post: (number: number, packet: Uint8Array) => Promise<number>;
  /** Removes the guest from the relay. */
  readonly onOver: () => void;
  readonly admit: (line: TunnelLine, greeting: Fields) => TunnelUser;
  readonly ackMs?: number | undefined;
  readonly awayMs?: number | undefined;
}

/** Delay between two batches in milliseconds, which groups messages sent at nearly the same time. */
const paceMs = 25;
/** Maximum size in bytes of unacknowledged messages that are resent with new ones; beyond it, new messages wait for an acknowledgement. */
const smallBytes = 16 * 1024;
/** Maximum size of a batch in bytes, unless it contains a single message. */
const maxBatchBytes = 512 * 1024;
/** Size of the send buffer in bytes; beyond it, senders that use `room` wait. */
const maxQueuedBytes = 512 * 1024;
/** Size in bytes of messages that the guest did not receive, beyond which the guest is released. */
const maxUnreceivedBytes = 4 * 1024 * 1024;
/** Delays before unacknowledged messages are resent, in milliseconds. */
const resendDelays = { first: 3_000, longest: 30_000 };
/** Maximum time to deliver the last messages, in milliseconds. */
const finishMs = 2_000;

interface Queued {
  readonly bytes: Uint8Array;
  readonly onArrived: (() => void) | undefined;
}

/** Creates the host's end. The caller must dispose it. */
export function createTunnelHost({ secret, role, guest, post, onOver, admit, ackMs = paceMs, awayMs = Infinity }: TunnelHostParts): TunnelHost {
  const epoch = new Uint8Array(randomBytes(epochBytes));
  const { sealer, opener } = createTunnelKeys('host', secret, { role, guest, epoch });
  /** Messages that the guest did not acknowledge, starting with number `first`. */
  let queue: Queued[] = [];
  let queuedBytes = 0;
  let first = 1;
  let posted: { readonly number: number; readonly last: number }[] = [];
  let postedUpTo = 0;
  let acknowledged = -1;
  let [againAt, postedAt, tries, has] = [0, 0, 0, 0];
  let [isPosting, isEnding, isOver] = [false, false, false];
  let later: ReturnType<typeof setTimeout> | undefined;
  let user: TunnelUser | undefined;
  let relayed: RelayedGuest | undefined;
  const waiting = new Set<() => void>();
  const line: TunnelLine = {
    send,
    room: () => (queuedBytes < maxQueuedBytes || isOver || isEnding ? Promise.resolve() : new Promise((resolve) => waiting.add(resolve))),
    finish,
  };

  function send(bytes: Uint8Array, onArrived?: () => void): void {
    if (isOver || isEnding) return;
    queue.push({ bytes, onArrived });
    queuedBytes += bytes.length;
    if (queuedBytes > maxUnreceivedBytes) return over();
    pump();
  }

  function finish(message?: Uint8Array): void {
    if (isOver || isEnding) return;
    if (message) send(message);
    isEnding = true;
    user?.close();
    releaseWaiting();
    setTimeout(over, queue.length === 0 ? 0 : finishMs).unref();
  }

  function over(): void {
    if (isOver) return;
    dispose();
    onOver();
  }

  function dispose(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(later);
    releaseWaiting();
    if (!isEnding) user?.close();
  }

  function releaseWaiting(): void {
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  const bytesUpTo = (last: number): number => queue.slice(0, Math.max(0, last - first + 1)).reduce((sum, { bytes }) => sum + bytes.length, 0);

  /** Posts new messages unless too many bytes are unacknowledged, and resends lost ones. */
  function pump(): void {
    clearTimeout(later);
    if (isOver || isPosting) return;
    const now = Date.now();
    const inFlight = posted.length > 0;
    const hasNew = first + queue.length - 1 > postedUpTo;
    const mayFollow = (hasNew || opener.count !== acknowledged) && (!inFlight || bytesUpTo(postedUpTo) < smallBytes);
    const dueAt = mayFollow ? postedAt + (hasNew ? paceMs : ackMs) : inFlight ? againAt : undefined;
    if (dueAt === undefined) return;
    if (dueAt > now) {
      later = setTimeout(pump, dueAt - now).unref();
      return;
    }
    tries = inFlight && !mayFollow ? tries + 1 : 0;
    void postNow();
  }

  async function postNow(): Promise<void> {
    let count = 0;
    for (let bytes = 0; count < queue.length && (count === 0 || bytes + (queue[count]?.bytes.length ?? 0) <= maxBatchBytes); count++) {
      bytes += queue[count]?.bytes.length ?? 0;
    }
    acknowledged = opener.count;
    const sealed = sealer.seal(encodeBatch({ taken: opener.count, first, messages: queue.slice(0, count).map(({ bytes }) => bytes) }));
    const packet = new Uint8Array(epochBytes + sealed.length);
    packet.set(epoch);
    packet.set(sealed, epochBytes);
    postedAt = Date.now();
    againAt = postedAt + backoffMs(tries, resendDelays);
    postedUpTo = Math.max(postedUpTo, first + count - 1);
    posted.push({ number: sealer.count, last: first + count - 1 });
    isPosting = true;
    try {
      received(await post(sealer.count, packet));
    } catch {
      // the message is resent, and the listener reports the problem
    } finally {
      isPosting = false;
    }
    pump();
  }

  function received(number: number): void {
    has = Math.max(has, number);
    const arrived = posted.filter((one) => one.number <= has).at(-1);
    if (!arrived) return;
    posted = posted.filter((one) => one.number > has && one.last > arrived.last);
    const count = Math.max(0, arrived.last - first + 1);
    queuedBytes -= bytesUpTo(arrived.last);
    const gone = queue.slice(0, count);
    queue = queue.slice(count);
    first += count;
    tries = 0;
    for (const { onArrived } of gone) onArrived?.();
    if (queuedBytes < maxQueuedBytes) releaseWaiting();
    if (isEnding && queue.length === 0) over();
  }

  /** Handles the guest's first message. */
  function greet(frame: Frame): void {
    if (frame.kind !== kinds.greeting) return over();
    const greeting = fieldsOf(frame);
    if (greeting['v'] !== tunnelVersion) return finish(encodeGoodbye('version'));
    user = admit(line, greeting);
    // The user may have finished the session meanwhile.
    if (isOver || isEnding) user.close();
    else if (relayed) user.tell?.(relayed);
  }

  return {
    get known() {
      return { taken: opener.count, has };
    },
    take(number, message) {
      if (isOver || isEnding || number <= opener.count) return;
      const content = opener.open(message);
      const frame = content && decodeFrame(content);
      // The message was replayed, or comes from another sender or session: data from this relay cannot be trusted.
      if (!frame) return over();
      if (user) user.take(frame);
      else greet(frame);
      pump();
    },
    tell(heard) {
      // The guest belongs to an earlier session; it reconnects after its release.
      if (sealer.count === 0 && heard.has > 0) return over();
      if (heard.quietMs > awayMs) return over();
      relayed = heard;
      received(heard.has);
      user?.tell?.(heard);
      pump();
    },
    finish,
    dispose,
  };
}
