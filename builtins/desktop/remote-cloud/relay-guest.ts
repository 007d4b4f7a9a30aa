// Implements one relay guest on the host's side: decrypts its messages, and encrypts frames and texts for it, one packet at a time.
import { backoffMs } from '#lib/async';
import { recordIn } from '#lib/values';
import type { HostEndpoint, RelayedGuest } from '#lib/relay-host';
import { oneLine } from '#lib/text';
import type { AttachedGuest, RemoteSessions } from 'agent-harness/builtins/desktop/remote';
import { seqOf, writePacket } from './packet.ts';
import { createHostEnd, wordsOf, type SealedPlace } from './sealing.ts';

export interface RelayGuestParts {
  readonly secret: Uint8Array;
  readonly place: SealedPlace;
  readonly code: string;
  readonly remoteSessions: RemoteSessions;
  /** Resolves with the relay's information about the guest. */
  readonly post: (number: number, packet: Uint8Array) => Promise<Pick<RelayedGuest, 'has' | 'isWaiting'>>;
  /** Called when the session is over, so that the relay removes the guest. */
  readonly onOver: () => void;
  /** Called once per failed post. */
  readonly onFault: (fault: unknown) => void;
}

export type RelayGuest = HostEndpoint;

/** Minimum interval of frames in milliseconds: four frames per second. */
const frameMs = 250;
const tickMs = 1_000;
/** Delays in milliseconds before an unacknowledged packet is resent. */
const again = { first: 4_000, longest: 30_000 };
/** Time in milliseconds without a poll after which a guest counts as absent; longer than its polling interval. */
const awayMs = 20_000;
/** Heartbeat interval of the page in milliseconds; relay guests poll less often. */
const heartbeatMs = 20_000;
const lastWordsMs = 3_000;
const longestName = 60;
const mostTexts = 500;

interface Posted {
  readonly number: number;
  readonly lastText: number;
  readonly frameSeq: number | undefined;
}

/** Creates the guest. The caller must dispose it. */
export function createRelayGuest({ secret, place, code, remoteSessions, post, onOver, onFault }: RelayGuestParts): RelayGuest {
  const end = createHostEnd(secret, place);
  const texts: string[] = [];
  let firstText = 1;
  let frame: Uint8Array | undefined;
  let posted: Posted[] = [];
  let againAt = 0;
  let frameAt = 0;
  let tries = 0;
  let reportedTaken = 0;
  let isPosting = false;
  let isEnding = false;
  let isOver = false;
  let relayed: RelayedGuest = { address: '', has: 0, isWaiting: false, quietMs: 0 };
  let name: string | undefined;
  let attached: AttachedGuest | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;
  const ticking = setInterval(tick, tickMs);
  ticking.unref();

  function attach(): void {
    if (isOver || isEnding || attached || name === undefined) return;
    try {
      const guest = remoteSessions.attach({
        ...{ code, name, transport: 'cloud', send },
        address: relayed.address === '' ? 'unknown address' : relayed.address,
        ...(place.role === 'control' ? { words: wordsOf(secret, place) } : {}),
        get bufferedBytes() {
          return frame?.length ?? 0;
        },
      });
      attached = guest;
      if (guest.closed.aborted) return finish(guest);
      guest.closed.addEventListener('abort', () => finish(guest), { once: true });
    } catch {
      over();
    }
  }

  /** Sends the last messages before the guest is removed. */
  function finish(guest: AttachedGuest): void {
    if (attached !== guest) return;
    attached = undefined;
    name = undefined;
    isEnding = true;
    setTimeout(over, lastWordsMs).unref();
  }

  function over(): void {
    if (isOver) return;
    dispose();
    onOver();
  }

  function dispose(): void {
    isOver = true;
    clearInterval(ticking);
    clearTimeout(later);
    const guest = attached;
    attached = undefined;
    guest?.leave();
  }

  function send(content: string | Uint8Array): void {
    if (isOver) return;
    if (typeof content !== 'string') frame = content;
    else {
      const message = recordIn(content);
      if (message['type'] === 'pong' && message['at'] === ownPing) return;
      texts.push(message['type'] === 'welcome' ? JSON.stringify({ ...message, heartbeatMs }) : content);
      // Removes a guest that acknowledges nothing.
      if (texts.length > mostTexts) return over();
    }
    pump();
  }

  /** Posts new content once the guest received the previous packet. */
  function pump(): void {
    const inFlight = posted.length > 0;
    const isDue = inFlight && Date.now() >= againAt;
    const isNew = frame !== undefined || texts.length > 0;
    if (isOver || isPosting || (inFlight ? !isDue : !isNew)) return;
    const wait = frame && !inFlight ? frameAt + frameMs - Date.now() : 0;
    if (wait > 0) {
      clearTimeout(later);
      later = setTimeout(pump, wait);
      return;
    }
    tries = inFlight ? tries + 1 : 0;
    void postNow();
  }

  async function postNow(): Promise<void> {
    const packet = end.frames.seal(writePacket({ taken: end.inputs.count, firstText, texts, ...(frame ? { frame } : {}) }));
    const number = end.frames.count;
    againAt = Date.now() + backoffMs(tries, again);
    if (frame) frameAt = Date.now();
    reportedTaken = end.inputs.count;
    posted.push({ number, lastText: firstText + texts.length - 1, frameSeq: frame && seqOf(frame) });
    isPosting = true;
    try {
      const { has, isWaiting } = await post(number, packet);
      relayed = { ...relayed, isWaiting };
      received(has);
    } catch (fault) {
      onFault(fault);
    } finally {
      isPosting = false;
    }
    pump();
  }

  function received(has: number): void {
    const arrived = posted.filter(({ number }) => number <= has).at(-1);
    if (!arrived) return;
    // An older packet may still arrive first; it has the same content.
    posted = [];
    tries = 0;
    texts.splice(0, Math.max(0, arrived.lastText - firstText + 1));
    firstText = Math.max(firstText, arrived.lastText + 1);
    if (isEnding && texts.length === 0) return over();
    const { frameSeq } = arrived;
    if (frameSeq === undefined) return pump();
    if (frame && seqOf(frame) === frameSeq) frame = undefined;
    // Builds the next frame as late as possible.
    clearTimeout(later);
    later = setTimeout(
      () => {
        attached?.receive(JSON.stringify({ v: 1, type: 'ack', seq: frameSeq }));
        pump();
      },
      Math.max(0, frameAt + frameMs - Date.now()),
    );
    pump();
  }

  function tick(): void {
    if (!attached) return;
    attached.receive(JSON.stringify({ v: 1, type: 'ping', at: ownPing }));
    // Acknowledges inputs, so that the guest does not resend them.
    if (end.inputs.count > reportedTaken && posted.length === 0 && !isPosting) void postNow();
    pump();
  }

  return {
    get known() {
      return { taken: end.inputs.count, has: relayed.has };
    },
    take(number, message) {
      if (isOver || number <= end.inputs.count) return;
      const content = end.inputs.open(message);
      // The message is of another sender or session: the guest is not the one that the relay reports.
      if (!content) return over();
      const text = new TextDecoder().decode(content);
      if (number > 1) return attached?.receive(text);
      const given = recordIn(text)['name'];
      name = oneLine(typeof given === 'string' ? given : '', longestName) || 'Guest';
      attach();
    },
    tell(guest) {
      // Nodes may report the acknowledgement at different times.
      relayed = { ...guest, has: Math.max(guest.has, relayed.has) };
      if (guest.quietMs > awayMs && attached) {
        const away = attached;
        attached = undefined;
        away.leave();
      } else if (guest.quietMs <= awayMs) attach();
      received(guest.has);
      pump();
    },
    dispose,
  };
}

const ownPing = -1;
