// Implements a paired device's session on the host: decrypts its messages in order and exactly once, and encrypts all messages that the device may lack
// into one batch.
import { randomBytes } from 'node:crypto';
import { backoffMs } from '#lib/async';
import type { HostEndpoint, HostEndpointParts } from '#lib/relay-host';
import { writeBatch } from '../link/batch.ts';
import { createHostKeys, epochBytes } from '../link/sealing.ts';

/** The consumer of a session, which receives the device's messages. */
export interface DeviceUser {
  /** Handles a message of the device. Contract: never throws. */
  take(message: Uint8Array): void;
  close(): void;
}

/** The connection to a device, as its consumer uses it. */
export interface DeviceLine {
  /** Queues a message to the device. */
  send(message: Uint8Array): void;
  /** Resolves when the send buffer has space. */
  room(): Promise<void>;
  /** Sends a last message, then releases the device. */
  finish(message?: Uint8Array): void;
}

export interface DeviceSessionParts extends HostEndpointParts {
  readonly secret: Uint8Array;
  readonly use: (line: DeviceLine) => DeviceUser;
}

/** Delay between two batches in milliseconds, which groups messages of nearly the same time. */
const paceMs = 25;
/** Maximum size in bytes of unacknowledged messages that are resent with new ones; beyond it, new messages wait for an acknowledgement. */
const smallBytes = 16 * 1024;
/** Maximum size of a batch in bytes, unless it contains a single message. */
const maxBatchBytes = 512 * 1024;
/** Size of the send buffer in bytes; beyond it, senders wait. */
const maxQueuedBytes = 512 * 1024;
/** Delays before unacknowledged messages are resent, in milliseconds. */
const resendDelays = { first: 3_000, longest: 30_000 };
/** Time without a poll, in milliseconds, after which a device must start a new session. */
const awayMs = 45_000;
/** Maximum time to deliver the last message, in milliseconds. */
const finishMs = 1_500;

/** Creates the session of a device. The caller must dispose it. */
export function createDeviceSession({ secret, guest, post, onOver, use }: DeviceSessionParts): HostEndpoint {
  const epoch = new Uint8Array(randomBytes(epochBytes));
  const { down, up } = createHostKeys(secret, { guest, epoch });
  /** Messages that the device did not acknowledge, starting with number `first`. */
  let messages: Uint8Array[] = [];
  let queuedBytes = 0;
  let first = 1;
  let posted: { readonly number: number; readonly last: number }[] = [];
  let postedUpTo = 0;
  let acknowledged = -1;
  let [againAt, postedAt, tries, has] = [0, 0, 0, 0];
  let [isPosting, isEnding, isOver] = [false, false, false];
  let later: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Set<() => void>();
  const user = use({
    send,
    room: () => (queuedBytes < maxQueuedBytes || isOver || isEnding ? Promise.resolve() : new Promise((resolve) => waiting.add(resolve))),
    finish,
  });

  function send(message: Uint8Array): void {
    if (isOver || isEnding) return;
    messages.push(message);
    queuedBytes += message.length;
    pump();
  }

  function finish(message?: Uint8Array): void {
    if (isOver || isEnding) return;
    if (message) send(message);
    isEnding = true;
    user.close();
    releaseWaiting();
    setTimeout(over, messages.length === 0 ? 0 : finishMs).unref();
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
    if (!isEnding) user.close();
  }

  function releaseWaiting(): void {
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  const bytesUpTo = (last: number): number => messages.slice(0, Math.max(0, last - first + 1)).reduce((sum, { length }) => sum + length, 0);

  /** Posts new messages unless too many bytes are unacknowledged, and resends lost ones. */
  function pump(): void {
    clearTimeout(later);
    if (isOver || isPosting) return;
    const now = Date.now();
    const inFlight = posted.length > 0;
    const isNew = up.count !== acknowledged || first + messages.length - 1 > postedUpTo;
    const mayFollow = isNew && (!inFlight || bytesUpTo(postedUpTo) < smallBytes);
    const dueAt = mayFollow ? postedAt + paceMs : inFlight ? againAt : undefined;
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
    for (let bytes = 0; count < messages.length && (count === 0 || bytes + (messages[count]?.length ?? 0) <= maxBatchBytes); count++) {
      bytes += messages[count]?.length ?? 0;
    }
    acknowledged = up.count;
    const sealed = down.seal(writeBatch({ taken: up.count, first, messages: messages.slice(0, count) }));
    const packet = new Uint8Array(epochBytes + sealed.length);
    packet.set(epoch);
    packet.set(sealed, epochBytes);
    postedAt = Date.now();
    againAt = postedAt + backoffMs(tries, resendDelays);
    postedUpTo = Math.max(postedUpTo, first + count - 1);
    posted.push({ number: down.count, last: first + count - 1 });
    isPosting = true;
    try {
      const answer = await post(down.count, packet);
      received(answer.has);
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
    messages = messages.slice(count);
    first += count;
    tries = 0;
    if (queuedBytes < maxQueuedBytes) releaseWaiting();
    if (isEnding && messages.length === 0) over();
  }

  return {
    get known() {
      return { taken: up.count, has };
    },
    take(number, message) {
      if (isOver || isEnding || number <= up.count) return;
      const content = up.open(message);
      // The message is replayed, from another sender, or of another session: data from this relay cannot be trusted.
      if (!content) return over();
      user.take(content);
      pump();
    },
    tell(heard) {
      // The message belongs to an earlier session; the device reconnects after its release.
      if (down.count === 0 && heard.has > 0) return over();
      if (heard.quietMs > awayMs) return over();
      received(heard.has);
      pump();
    },
    dispose,
  };
}
