// One guest that comes through the relay, as its host has it: opens what it says, and seals what it gets, one packet on its way at a time.
import { backoffMs } from 'agent-harness/lib/async';
import { recordIn } from 'agent-harness/lib/values';
import type { HostEndpoint, RelayedGuest } from 'agent-harness/lib/relay-host';
import { oneLine } from 'agent-harness/lib/text';
import type { AttachedGuest, RemoteSessions } from 'agent-harness/builtins/desktop/remote';
import { seqOf, writePacket } from './packet.ts';
import { createHostEnd, wordsOf, type SealedPlace } from './sealing.ts';

export interface RelayGuestParts {
  readonly secret: Uint8Array;
  readonly place: SealedPlace;
  readonly code: string;
  readonly remoteSessions: RemoteSessions;
  /** Resolves with what the relay says of the guest. */
  readonly post: (number: number, packet: Uint8Array) => Promise<Pick<RelayedGuest, 'has' | 'isWaiting'>>;
  /** It is over: the relay has to let it go. */
  readonly onOver: () => void;
  /** What could not be posted, once. */
  readonly onFault: (fault: unknown) => void;
}

export type RelayGuest = HostEndpoint;

/** Four frames a second. */
const frameMs = 250;
const tickMs = 1_000;
/** What did not arrive for so long is sent again. */
const again = { first: 4_000, longest: 30_000 };
/** Longer than a guest takes to ask again. */
const awayMs = 20_000;
/** Of the page between them: who watches through a relay asks less often. */
const heartbeatMs = 20_000;
const lastWordsMs = 3_000;
const longestName = 60;
const mostTexts = 500;

interface Posted {
  readonly number: number;
  readonly lastText: number;
  readonly frameSeq: number | undefined;
}

/** Whoever makes one disposes it. */
export function createRelayGuest({ secret, place, code, remoteSessions, post, onOver, onFault }: RelayGuestParts): RelayGuest {
  const end = createHostEnd(secret, place);
  const texts: string[] = [];
  let firstText = 1;
  let frame: Uint8Array | undefined;
  let posted: Posted[] = [];
  let againAt = 0;
  let frameAt = 0;
  let tries = 0;
  let toldTaken = 0;
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

  /** The last words are sent before it is let go. */
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
      // A guest that takes nothing for so long is none.
      if (texts.length > mostTexts) return over();
    }
    pump();
  }

  /** Posts what is new, once the guest has what was posted before. */
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
    toldTaken = end.inputs.count;
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
    // An older one on its way may still arrive first; it says the same.
    posted = [];
    tries = 0;
    texts.splice(0, Math.max(0, arrived.lastText - firstText + 1));
    firstText = Math.max(firstText, arrived.lastText + 1);
    if (isEnding && texts.length === 0) return over();
    const { frameSeq } = arrived;
    if (frameSeq === undefined) return pump();
    if (frame && seqOf(frame) === frameSeq) frame = undefined;
    // The next frame is as new as it can be when it goes.
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
    // So that it does not send again what was taken.
    if (end.inputs.count > toldTaken && posted.length === 0 && !isPosting) void postNow();
    pump();
  }

  return {
    get known() {
      return { taken: end.inputs.count, has: relayed.has };
    },
    take(number, message) {
      if (isOver || number <= end.inputs.count) return;
      const content = end.inputs.open(message);
      // Sealed by somebody else, or for another place: the guest that the relay speaks for is not who it says.
      if (!content) return over();
      const text = new TextDecoder().decode(content);
      if (number > 1) return attached?.receive(text);
      const given = recordIn(text)['name'];
      name = oneLine(typeof given === 'string' ? given : '', longestName) || 'Guest';
      attach();
    },
    tell(guest) {
      // Nodes that do not hear each other know it one later than the other.
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
