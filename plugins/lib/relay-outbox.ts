// What a guest of a relay says: sealed as late as it can be, sent in order, and again until the host says that it took it. Runs in browsers, too.
import type { RelayCall } from './relay-calls.ts';
import type { Sealer } from './sealed-link.ts';

export interface RelayOutbox<T> {
  add(message: T): void;
  /** Messages that are not sealed yet. */
  readonly waiting: number;
  /** Milliseconds since the host took something, of what is on its way; 0 where nothing is. */
  readonly silentMs: number;
  /** The host took all up to that number. */
  taken(number: number): void;
  dispose(): void;
}

export interface RelayOutboxParts<T> {
  readonly calls: Pick<RelayCall, 'post'>;
  readonly sealer: Sealer;
  readonly encode: (message: T) => Uint8Array;
  /** The relay does not know this guest any more. */
  readonly onRefused: () => void;
  /** Of two that come one after the other only the later one counts. */
  readonly replaces?: (last: T, next: T) => boolean;
  /** What comes on top is lost; all is kept when left out, and whoever adds looks at {@link RelayOutbox.waiting}. */
  readonly mostWaiting?: number;
}

/** At most so many are on their way; the relay keeps no more. */
const mostSealed = 48;
const mostSealedBytes = 128 * 1024;
const againMs = 3_000;

/** Whoever makes one disposes it. */
export function createRelayOutbox<T>({ calls, sealer, encode, onRefused, replaces, mostWaiting = Infinity }: RelayOutboxParts<T>): RelayOutbox<T> {
  const waiting: T[] = [];
  let sealed: { readonly number: number; readonly message: Uint8Array }[] = [];
  /** When the host took something last, or all was sent again. */
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
    while (waiting.length > 0 && sealed.length < mostSealed && bytes() < mostSealedBytes) {
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
    if (waiting.length > 0 && sealed.length < mostSealed) void flush();
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
      if (sealed.length < mostSealed) void flush();
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

/** Each after its length. */
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
