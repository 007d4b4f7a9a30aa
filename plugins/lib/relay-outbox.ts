// Sends the messages of a relay guest: encrypts them as late as possible, in order, and repeats them until the host acknowledges them. Runs in browsers, too.
import type { RelayCalls } from './relay-calls.ts';
import type { Sealer } from './sealed-link.ts';
import { encodeList } from './tunnel-codec.ts';

export interface RelayOutbox {
  /** Queues a message. @param slot the last message that is not yet encrypted is replaced by the next one if both have this slot */
  add(message: Uint8Array, slot?: string): void;
  /** Number of messages that are not yet encrypted. */
  readonly waiting: number;
  /** Milliseconds since the host's last acknowledgement of messages in transit; 0 if no messages are in transit. */
  readonly silentMs: number;
  /** Handles the host's acknowledgement of all messages up to that number. */
  taken(number: number): void;
  dispose(): void;
}

export interface RelayOutboxParts {
  readonly calls: Pick<RelayCalls, 'post'>;
  readonly sealer: Sealer;
  /** Called if the relay no longer knows this guest. */
  readonly onRefused: () => void;
}

/** Maximum number of messages in transit, which is the limit of the relay. */
const maxSealed = 48;
const maxSealedBytes = 128 * 1024;
const againMs = 3_000;

/** Creates an outbox, which the caller must dispose. */
export function createRelayOutbox({ calls, sealer, onRefused }: RelayOutboxParts): RelayOutbox {
  const waiting: { readonly message: Uint8Array; readonly slot: string | undefined }[] = [];
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
    while (sealed.length < maxSealed && bytes() < maxSealedBytes) {
      const next = waiting.shift();
      if (!next) break;
      sealed.push({ message: sealer.seal(next.message), number: sealer.count });
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
    const reply = await calls.post('/api/remote/input', encodeList(due.map(({ message }) => message))).catch(() => undefined);
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
    add(message, slot) {
      if (slot !== undefined && waiting.at(-1)?.slot === slot) waiting.pop();
      waiting.push({ message, slot });
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
