// Sends the messages of a relay guest: encrypts them as late as possible, in order, and repeats them until the host acknowledges them. Runs in browsers, too.
import type { RelayCall } from './relay-calls.ts';
import type { Sealer } from './sealed-link.ts';

export interface RelayOutbox<T> {
  add(message: T): void;
  /** Number of messages that are not yet encrypted. */
  readonly waiting: number;
  /** Milliseconds since the host's last acknowledgement of messages in transit; 0 if no messages are in transit. */
  readonly silentMs: number;
  /** Handles the host's acknowledgement of all messages up to that number. */
  taken(number: number): void;
  dispose(): void;
}

export interface RelayOutboxParts<T> {
  readonly calls: Pick<RelayCall, 'post'>;
  readonly sealer: Sealer;
  readonly encode: (message: T) => Uint8Array;
  /** Called if the relay no longer knows this guest. */
  readonly onRefused: () => void;
  /** Returns whether the later of two successive messages replaces the earlier one. */
  readonly replaces?: (last: T, next: T) => boolean;
  /** Number of messages beyond which new ones are dropped; left out: unlimited, and the caller checks {@link RelayOutbox.waiting}. */
  readonly mostWaiting?: number;
}

/** Maximum number of messages in transit, which is the limit of the relay. */
const maxSealed = 48;
const maxSealedBytes = 128 * 1024;
const againMs = 3_000;

/** Creates an outbox, which the caller must dispose. */
export function createRelayOutbox<T>({ calls, sealer, encode, onRefused, replaces, mostWaiting = Infinity }: RelayOutboxParts<T>): RelayOutbox<T> {
  const waiting: T[] = [];
  let sealed: { readonly number: number; readonly message: Uint8Array }[] = [];
  /** Time of the host's last acknowledgement, or of the last complete resend. */
  let doneAt = 0;
  let takenAt = 0;
  let sentUpTo = 0;
  let isSending = false;
  let isOver = false;
  let ticking: ReturnType<typeof setInterval> | undefined;

  async function flush(): Promise<void> {
    if (isSending || isOver) return;
    if (sealed.length === 0) doneAt = takenAt = Date.now();
    const bytes = (): number => sealed.reduce((sum, { message }) => sum + message.length, 0);
    while (waiting.length > 0 && sealed.length < maxSealed && bytes() < maxSealedBytes) {
      sealed.push({ message: sealer.seal(encode(waiting.shift() as T)), number: sealer.count });
    }
    if (sealed.length === 0) {
      clearInterval(ticking);
      ticking = undefined;
      return;
    }
    ticking ??= setInterval(() => void flush(), againMs);
    const isLate = Date.now() - doneAt >= againMs;
    const due = isLate ? sealed : sealed.filter(({ number }) => number > sentUpTo);
    if (due.length === 0) return;
    isSending = true;
    if (isLate) doneAt = Date.now();
    const reply = await calls.post('/api/remote/input', listOf(due)).catch(() => undefined);
    isSending = false;
    if (reply?.status === 401 || reply?.status === 403) return onRefused();
    if (!reply?.ok) return;
    sentUpTo = Math.max(sentUpTo, due.at(-1)?.number ?? 0);
    if (waiting.length > 0 && sealed.length < maxSealed) void flush();
  }

  return {
    get waiting() {
      return waiting.length;
    },
    get silentMs() {
      return sealed.length === 0 ? 0 : Date.now() - takenAt;
    },
    add(message) {
      const last = waiting.at(-1);
      if (last !== undefined && replaces?.(last, message)) waiting.pop();
      if (waiting.length >= mostWaiting) return;
      waiting.push(message);
      if (sealed.length < maxSealed) void flush();
    },
    taken(number) {
      const left = sealed.filter((one) => one.number > number);
      if (left.length < sealed.length) doneAt = takenAt = Date.now();
      sealed = left;
      void flush();
    },
    dispose() {
      isOver = true;
      clearInterval(ticking);
    },
  };
}

/** Concatenates the messages, each prefixed with its length. */
function listOf(messages: readonly { readonly message: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(messages.reduce((sum, { message }) => sum + 4 + message.length, 0));
  let at = 0;
  for (const { message } of messages) {
    new DataView(bytes.buffer).setUint32(at, message.length);
    bytes.set(message, at + 4);
    at += 4 + message.length;
  }
  return bytes;
}
