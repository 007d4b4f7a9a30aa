// Runs the guest's end of a sealed tunnel at a relay: polls for packets, and sends messages in order until the host acknowledges them. Runs in browsers, too.
import { backoffMs, restUntil, type Backoff } from './async.ts';
import type { RelayCalls, RelayEndpoint } from './relay-calls.ts';
import {
  createTunnelKeys,
  decodeBatch,
  decodeFrame,
  encodeGreeting,
  encodeList,
  epochBytes,
  fieldsOf,
  kinds,
  tunnelVersion,
  type Fields,
  type Frame,
} from './tunnel-codec.ts';

/**
 * Reason why the tunnel ended: the page closed the tunnel (`left`), the relay no longer knows this guest (`unknown`), a packet was forged or incomplete
 * (`broken`), a connected host sent no packet (`silent`), the host or the page has an older version (`old-host`, `old-page`), or a reason that the host sent.
 */
export type TunnelEnd = 'left' | 'unknown' | 'broken' | 'silent' | 'old-host' | 'old-page' | (string & {});
/** Reasons after which joining again may help. */
export const passingEnds: readonly TunnelEnd[] = ['left', 'unknown', 'broken', 'silent'];

/** Page texts for the end reasons that a user can resolve only with an update. */
export const versionTexts: Readonly<Record<string, string>> = {
  'old-host': 'The computer runs an older version than this page. Update it, then connect again.',
  'old-page': 'This page has an older version than the computer. Reload it. If this message remains, the operator of this site must update the control plane.',
};

export interface TunnelGuestParts {
  readonly endpoint: RelayCalls & Pick<RelayEndpoint, 'guest' | 'role'>;
  readonly secret: Uint8Array;
  /** Fields of the first message to the host. */
  readonly greeting: Fields;
  /** Called with the host's reply to the greeting. */
  readonly onGreeted: (fields: Fields) => void;
  readonly take: (frame: Frame) => void;
  /** `away`: the host does not respond. `offline`: the relay does not respond. */
  readonly onState: (state: 'open' | 'away' | 'offline') => void;
  readonly retry?: Backoff;
}

export interface TunnelGuest {
  /** Queues a message. @param slot a message that is not yet encrypted is replaced by the next one with the same slot */
  send(message: Uint8Array, slot?: string): void;
  /** Resolves when the host has acknowledged enough messages. */
  room(): Promise<void>;
  /** Number of messages that are not yet encrypted. */
  readonly waiting: number;
  /** Polls again immediately, even if a request is in progress. */
  wake(): void;
  close(): void;
  readonly over: Promise<TunnelEnd>;
}

/** Default retry delays in milliseconds. */
export const tunnelRetry: Backoff = { first: 300, longest: 15_000 };
/** Maximum number of unencrypted messages; beyond it, senders that use `room` wait. */
const maxWaiting = 24;
/** Time without a response, in milliseconds, after which a host is treated as away. */
const silenceMs = 8_000;
/** Time in milliseconds within which a connected host must send its first packet. */
const firstPacketMs = 20_000;

/** Maximum number of messages in transit, which is the limit of the relay. */
const maxSealed = 48;
const maxSealedBytes = 128 * 1024;
/** Time without an acknowledgement, in milliseconds, after which messages in transit are sent again. */
const againMs = 3_000;

/** Opens the guest's end. The caller must close it. */
export function openTunnel({ endpoint, secret, greeting, onGreeted, take, onState, retry = tunnelRetry }: TunnelGuestParts): TunnelGuest {
  let keys: ReturnType<typeof createTunnelKeys> | undefined;
  let epoch: Uint8Array = new Uint8Array();
  let received = 0;
  /** Messages that are encrypted as late as possible. */
  const waiting: { readonly message: Uint8Array; readonly slot: string | undefined }[] = [{ message: encodeGreeting(greeting), slot: undefined }];
  /** Messages in transit. */
  let sealed: { readonly number: number; readonly message: Uint8Array }[] = [];
  let sentUpTo = 0;
  /** Time of the host's last acknowledgement, or of the last complete resend. */
  let doneAt = 0;
  let takenAt = 0;
  let [isSending, isGreeted, isHostHere, isOver] = [false, false, false, false];
  let request = new AbortController();
  let end: (end: TunnelEnd) => void;
  const over = new Promise<TunnelEnd>((resolve) => (end = resolve));
  const free = new Set<() => void>();
  const joinedAt = Date.now();
  const isSilent = (): boolean => (isGreeted ? sealed.length > 0 && Date.now() - takenAt > silenceMs : Date.now() - joinedAt > silenceMs);
  const watching = setInterval(() => {
    if (!keys && isHostHere && Date.now() - joinedAt > firstPacketMs) return finish('silent');
    if (isSilent()) onState('away');
    if (sealed.length > 0 && Date.now() - doneAt >= againMs) void flush();
  }, 1_000);

  function finish(why: TunnelEnd): void {
    if (isOver) return;
    isOver = true;
    clearInterval(watching);
    request.abort();
    releaseWaiting();
    if (why !== 'unknown') endpoint.leave();
    end(why);
  }

  function releaseWaiting(): void {
    for (const resolve of free) resolve();
    free.clear();
  }

  /** Encrypts and sends messages up to the limits, and resends all messages in transit that are overdue. */
  async function flush(): Promise<void> {
    if (!keys || isSending || isOver) return;
    if (sealed.length === 0) doneAt = takenAt = Date.now();
    const bytes = (): number => sealed.reduce((sum, { message }) => sum + message.length, 0);
    while (sealed.length < maxSealed && bytes() < maxSealedBytes) {
      const next = waiting.shift();
      if (!next) break;
      sealed.push({ message: keys.sealer.seal(next.message), number: keys.sealer.count });
    }
    const isLate = Date.now() - doneAt >= againMs;
    const due = isLate ? sealed : sealed.filter(({ number }) => number > sentUpTo);
    if (due.length === 0) return;
    isSending = true;
    if (isLate) doneAt = Date.now();
    const reply = await endpoint.post('/api/remote/input', encodeList(due.map(({ message }) => message))).catch(() => undefined);
    isSending = false;
    if (reply?.status === 401 || reply?.status === 403) return finish('unknown');
    if (!reply?.ok) return;
    sentUpTo = Math.max(sentUpTo, due.at(-1)?.number ?? 0);
    if (waiting.length > 0 && sealed.length < maxSealed) void flush();
  }

  /** Handles the host's acknowledgement of all messages up to a number. */
  function acknowledge(number: number): void {
    const left = sealed.filter((one) => one.number > number);
    if (left.length < sealed.length) doneAt = takenAt = Date.now();
    sealed = left;
    void flush();
    if (waiting.length < maxWaiting) releaseWaiting();
  }

  async function run(): Promise<void> {
    for (let tries = 0; !isOver;) {
      request = new AbortController();
      try {
        await poll(request.signal);
        tries = 0;
      } catch {
        if (isOver || request.signal.aborted) continue;
        onState('offline');
        await restUntil(backoffMs(tries++, retry), request.signal);
      }
    }
  }

  async function poll(signal: AbortSignal): Promise<void> {
    const reply = await endpoint.get(`/api/remote/poll?after=${keys?.opener.count ?? 0}`, signal);
    if (reply.status === 401 || reply.status === 403) return finish('unknown');
    if (!reply.ok) throw new Error(`the relay responded with status ${reply.status}`);
    const packet = reply.status === 204 ? undefined : new Uint8Array(await reply.arrayBuffer());
    if (isOver) return;
    isHostHere = reply.headers.get('x-relay-host') !== 'away';
    if (packet && !takePacket(packet)) return finish('broken');
    if (isOver) return;
    if (!isHostHere) onState('away');
    else if (isGreeted && !isSilent()) onState('open');
  }

  /** Returns whether the packet continues this session: it is encrypted by the host, unchanged, and without a gap. */
  function takePacket(packet: Uint8Array): boolean {
    const drawn = packet.slice(0, epochBytes);
    if (!keys) {
      epoch = drawn;
      keys = createTunnelKeys('guest', secret, { role: endpoint.role, guest: endpoint.guest, epoch });
    }
    const content = drawn.every((byte, at) => byte === epoch[at]) ? keys.opener.open(packet.subarray(epochBytes)) : undefined;
    const batch = content && decodeBatch(content);
    if (!batch || batch.first > received + 1) return false;
    acknowledge(batch.taken);
    for (const [at, message] of batch.messages.entries()) {
      if (batch.first + at <= received || isOver) continue;
      received = batch.first + at;
      const frame = decodeFrame(message);
      if (frame) receive(frame);
    }
    return true;
  }

  function receive(frame: Frame): void {
    if (frame.kind !== kinds.greeting && frame.kind !== kinds.goodbye) return take(frame);
    const { v, why, ...fields } = fieldsOf(frame);
    if (why === 'version' || (frame.kind === kinds.greeting && v !== tunnelVersion)) return finish(Number(v) > tunnelVersion ? 'old-page' : 'old-host');
    if (frame.kind === kinds.goodbye) return finish(String(why));
    isGreeted = true;
    onGreeted(fields);
  }

  void run();
  return {
    send(message, slot) {
      if (slot !== undefined && waiting.at(-1)?.slot === slot) waiting.pop();
      waiting.push({ message, slot });
      if (sealed.length < maxSealed) void flush();
    },
    room: () => (waiting.length < maxWaiting || isOver ? Promise.resolve() : new Promise((resolve) => free.add(resolve))),
    get waiting() {
      return waiting.length;
    },
    wake: () => request.abort(),
    close: () => finish('left'),
    over,
  };
}
