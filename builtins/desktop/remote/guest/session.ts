// Implements a guest's session with its host: connects, reconnects, receives frames, and tracks the status.
import {
  heartbeatMs,
  readFrameHeader,
  readHostMessage,
  frameHeaderBytes,
  writeMessage,
  type FrameHeader,
  type GuestMessage,
  type HostMessage,
} from '../guest-protocol.ts';
import type { Input } from './input-queue.ts';
import { clockOffset, deadMs, silentMs, waitBeforeTry, type LinkFacts } from './link-state.ts';
import type { Transport } from './transport.ts';

export interface SessionParts {
  readonly connect: () => Transport;
  /** ISO 8601 UTC expiry of the code. */
  readonly expiresAt: string;
  readonly onFrame: (header: FrameHeader, jpeg: Uint8Array) => void;
  readonly onMessage: (message: HostMessage) => void;
  /** Called when the result of {@link Session.facts} may have changed. */
  readonly onChange: () => void;
  /** Called when the token is no longer valid. */
  readonly onOver: () => void;
}

export interface SessionFacts extends LinkFacts {
  readonly mayControl: boolean;
  readonly mayDecide: boolean;
}

export interface Session {
  facts(): SessionFacts;
  /** Called when the decoding of a frame starts; the host may then send the next one. */
  taken(header: FrameHeader): void;
  /** Called when a frame has been displayed. */
  painted(header: FrameHeader): void;
  /** Sends an input and returns its number; `undefined` without a connection. */
  input(input: Input): number | undefined;
  /** Sets the display size of the image, so that still images are sharp. */
  view(width: number, height: number, dpr: number): void;
  /** Called when the page becomes visible again: reconnects immediately if the connection is lost. */
  wake(): void;
  leave(): void;
}

const tickMs = 500;
const refused = 'The host no longer admits this device: the code has expired, or the host ended the session. Ask for a new code.';

export function createSession({ connect, expiresAt, onFrame, onMessage, onChange, onOver }: SessionParts): Session {
  let link: Pick<LinkFacts, 'phase' | 'since' | 'reason'> = { phase: 'connecting', since: Date.now() };
  let host: SessionFacts['host'] = 'waiting';
  let may = { mayControl: false, mayDecide: false };
  let transport: Transport | undefined;
  let heardAt: number | undefined;
  let pictureAt: number | undefined;
  let offset: number | undefined;
  let seen = { seq: 0, geometry: 0 };
  let lastInput = 0;
  let failures = 0;
  let pingedAt = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let asked: GuestMessage | undefined;
  const timer = setInterval(tick, tickMs);

  function set(phase: LinkFacts['phase'], reason?: string): void {
    if (link.phase === 'over') return;
    link = { phase, since: Date.now(), reason };
    onChange();
  }

  function end(reason: string): void {
    if (link.phase === 'over') return;
    set('over', reason);
    stop();
    onOver();
  }

  function stop(): void {
    clearInterval(timer);
    clearTimeout(retry);
    drop();
  }

  /** Ignores further messages of the transport. */
  function drop(): void {
    const old = transport;
    transport = undefined;
    old?.close();
  }

  function open(): void {
    clearTimeout(retry);
    drop();
    const made = (transport = connect());
    const isNow = (): boolean => made === transport;
    made.onState((state, why) => {
      if (!isNow()) return;
      if (state === 'open') opened();
      else if (state === 'refused') end(why ?? refused);
      else if (state === 'closed') lost();
      else if (state === 'trying') {
        if (link.phase !== 'lost') set('lost');
      } else {
        host = 'gone';
        if (link.phase !== 'open') set('open');
      }
    });
    made.onBytes((bytes) => {
      if (!isNow()) return;
      heardAt = Date.now();
      const header = readFrameHeader(bytes);
      if (header) onFrame(header, bytes.subarray(frameHeaderBytes));
    });
    made.onText((text) => {
      if (!isNow()) return;
      heardAt = Date.now();
      const message = readHostMessage(text);
      if (message) heard(message);
    });
  }

  function opened(): void {
    heardAt = Date.now();
    set('open');
    ping();
    if (asked) send(asked);
  }

  function lost(): void {
    drop();
    if (link.phase !== 'lost') set('lost');
    clearTimeout(retry);
    retry = setTimeout(open, waitBeforeTry(failures));
    failures += 1;
  }

  function heard(message: HostMessage): void {
    // Only a response resets the number of failures, because a connection may open and close again.
    failures = 0;
    if (message.type === 'pong') offset = clockOffset(message.at, Date.now(), message.hostAt);
    if (message.type === 'state') {
      host = message.host;
      may = { mayControl: message.mayControl, mayDecide: message.mayDecide };
    }
    if (message.type === 'ended') end(message.reason);
    onMessage(message);
    onChange();
  }

  function send(message: GuestMessage): void {
    transport?.send(writeMessage(message));
  }

  function ping(): void {
    pingedAt = Date.now();
    send({ type: 'ping', at: pingedAt });
  }

  function tick(): void {
    const now = Date.now();
    if (now > Date.parse(expiresAt)) return end('The code has expired. Ask for a new one.');
    if (link.phase === 'open') {
      if (now - pingedAt >= heartbeatMs) ping();
      if (now - (heardAt ?? link.since) >= deadMs) return lost();
    }
    // Gives up on a connection that neither opens nor closes.
    if (link.phase !== 'open' && transport && now - link.since >= deadMs) {
      set('lost');
      return lost();
    }
    onChange();
  }

  open();
  return {
    facts: () => ({ ...link, heardAt, pictureAt, host, ...may }),
    taken: ({ seq }) => send({ type: 'ack', seq }),
    painted({ seq, geometry, capturedAt }) {
      seen = { seq, geometry };
      pictureAt = Math.min(Date.now(), offset === undefined ? Date.now() : capturedAt - offset);
      onChange();
    },
    input(input) {
      if (link.phase !== 'open') return undefined;
      lastInput += 1;
      send({ ...input, n: lastInput, ...seen });
      return lastInput;
    },
    view(width, height, dpr) {
      asked = { type: 'view', width, height, dpr };
      if (link.phase === 'open') send(asked);
    },
    wake() {
      if (link.phase === 'over') return;
      failures = 0;
      if (link.phase === 'lost' || Date.now() - (heardAt ?? link.since) >= silentMs) {
        set('lost');
        open();
      } else if (link.phase === 'open') ping();
    },
    leave: stop,
  };
}
