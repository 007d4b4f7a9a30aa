// Connects one viewer of the relay to the mirrored window: its texts, the frames for it, and its presence.
import { oneLine } from '#lib/text';
import { kinds, frameText, encodeFrame, encodeGreeting, type Fields } from '#lib/tunnel-codec';
import type { TunnelLine, TunnelUser } from '#lib/tunnel-host';
import { recordIn } from '#lib/values';
import type { AttachedGuest, RemoteSessions } from 'agent-harness/builtins/desktop/remote';
import { wordsOf, type ViewerPlace } from './words.ts';

export interface RelayGuestParts {
  readonly secret: Uint8Array;
  readonly place: ViewerPlace;
  readonly code: string;
  readonly remoteSessions: RemoteSessions;
}

/** Interval in milliseconds in which a connected viewer counts as heard; its page sends no pings through the relay. */
const pingMs = 5_000;
/** Time in milliseconds without a poll after which a viewer counts as absent; longer than its polling interval. */
const awayMs = 20_000;
const longestName = 60;
const ownPing = -1;

/** Admits a viewer. Contract of the line: its tunnel lasts as long as the code, so an absent viewer may return. */
export function admitGuest(line: TunnelLine, { name: given }: Fields, { secret, place, code, remoteSessions }: RelayGuestParts): TunnelUser {
  const name = oneLine(typeof given === 'string' ? given : '', longestName) || 'Guest';
  let attached: AttachedGuest | undefined;
  let isOver = false;
  let address = 'unknown address';
  const ticking = setInterval(() => attached?.receive(JSON.stringify({ v: 1, type: 'ping', at: ownPing })), pingMs);
  ticking.unref();
  line.send(encodeGreeting({ hostAt: Date.now() }));

  function attach(): void {
    if (isOver || attached) return;
    try {
      const words = place.role === 'control' ? { words: wordsOf(secret, place) } : {};
      const guest = (attached = remoteSessions.attach({ code, name, address, transport: 'cloud', send, ...words }));
      const onClosed = (): void => void (attached === guest && line.finish());
      if (guest.closed.aborted) onClosed();
      else guest.closed.addEventListener('abort', onClosed, { once: true });
    } catch {
      line.finish();
    }
  }

  function leave(): void {
    const guest = attached;
    attached = undefined;
    guest?.leave();
  }

  function send(content: string | Uint8Array): void {
    if (typeof content === 'string') {
      const { type, at } = recordIn(content);
      if (type !== 'pong' || at !== ownPing) line.send(encodeFrame(kinds.text, 0, content));
      return;
    }
    // The relay reports the arrival, so the page does not acknowledge frames.
    const seq = content.length < 8 ? 0 : new DataView(content.buffer, content.byteOffset, 8).getUint32(4, true);
    line.send(encodeFrame(kinds.picture, 0, content), () => attached?.receive(JSON.stringify({ v: 1, type: 'ack', seq })));
  }

  return {
    take(frame) {
      if (frame.kind === kinds.text) attached?.receive(frameText(frame));
    },
    tell(guest) {
      if (guest.address !== '') address = guest.address;
      if (guest.quietMs > awayMs) leave();
      else attach();
    },
    close() {
      isOver = true;
      clearInterval(ticking);
      leave();
    },
  };
}
