// Connects a viewer to the host through a relay: joins by code and secret, receives texts and frames over a tunnel, and sends inputs.
import type { GuestTransport, Joined, Transport, TransportState } from '#guest/transport.ts';
import { joinRelay, type RelayLink } from '#lib/relay-calls';
import { spokenCheck } from '#lib/spoken-check';
import { encodeFrame, frameText, kinds, type Frame } from '#lib/tunnel-codec';
import { openTunnel, versionTexts, type TunnelGuest } from '#lib/tunnel-guest';
import { recordIn } from '#lib/values';

const retry = { first: 300, longest: 4_000 };
/** Maximum number of unacknowledged messages: beyond it, the host counts as disconnected and the messages as outdated. */
const maxWaiting = 200;
const ends: Readonly<Record<string, string>> = {
  ...versionTexts,
  // A host of version 0.2 sends nothing to this page.
  silent: 'The computer does not respond to this page. If it runs an older version than this page, update it. Then ask for a new link.',
  broken: 'Data from the relay was incomplete, so the session was ended. Open the link again.',
};
const ended = 'This session has ended. Ask for a new link.';

interface Listeners {
  bytes: (frame: Uint8Array) => void;
  text: (text: string) => void;
  state: (state: TransportState, why?: string) => void;
}

interface Viewer {
  readonly joined: Joined;
  /** Four words for comparison with those that the host shows. */
  readonly words: string;
  /** Replaces the listeners of the previous connection, and polls again immediately. */
  connect(): Transport;
  leave(): void;
}

const noListeners = (): Listeners => ({ bytes: () => undefined, text: () => undefined, state: () => undefined });

/** Creates the transport of one link. The keys of a session end with the page, so a reloaded page joins again. */
export function createRelayTransport(link: RelayLink): GuestTransport {
  let viewer: Viewer | undefined;
  return {
    code: link.code,
    words: () => viewer?.words,
    resume: () => undefined,
    async join(code, name) {
      viewer?.leave();
      viewer = await join({ ...link, code }, name);
      return viewer.joined;
    },
    connect() {
      if (!viewer) throw new Error('No viewer has joined.');
      return viewer.connect();
    },
    forget() {
      viewer?.leave();
      viewer = undefined;
    },
  };
}

/** Joins the session of a link. Rejects with an error whose message is a sentence for the user. */
async function join(link: RelayLink, name: string): Promise<Viewer> {
  const { secret } = link;
  const endpoint = await joinRelay(link);
  const { session, role, guest, token, expiresAt } = endpoint;
  let listeners = noListeners();
  let state: TransportState = 'trying';
  let why: string | undefined;
  /** Offset of the host's clock from the local one, in milliseconds. */
  let hostAhead = 0;
  let tunnel: TunnelGuest | undefined;

  function open(): TunnelGuest {
    const opened = openTunnel({
      ...{ secret, retry, endpoint, greeting: { name } },
      onGreeted({ hostAt }) {
        hostAhead = Number(hostAt) - Date.now();
        become('open');
      },
      take,
      onState: (next) => become(next === 'offline' ? 'trying' : next),
    });
    void opened.over.then((end) => become('refused', ends[end] ?? ended));
    return opened;
  }

  function become(next: TransportState, reason?: string): void {
    if (state === next) return;
    state = next;
    why = reason;
    listeners.state(next, reason);
  }

  function take(frame: Frame): void {
    if (frame.kind === kinds.text) listeners.text(frameText(frame));
    if (frame.kind === kinds.picture) listeners.bytes(frame.content);
  }

  /** Answers a ping of the page locally, because sending it through the relay would take two requests. */
  function answer(at: unknown): void {
    const pong = JSON.stringify({ v: 1, type: 'pong', at, hostAt: Date.now() + hostAhead });
    if (state === 'open') setTimeout(() => listeners.text(pong), 0);
  }

  return {
    joined: { token, role: role === 'control' ? 'control' : 'view', expiresAt },
    words: spokenCheck(secret, ['words', session, role, guest]),
    connect() {
      const own = (listeners = noListeners());
      // A tunnel without listeners would lose its first messages.
      if (tunnel) tunnel.wake();
      const current = (tunnel ??= open());
      // Reports the state after the caller has registered its listeners.
      setTimeout(() => state !== 'trying' && own.state(state, why), 0);
      return {
        send(text) {
          const { type, at } = recordIn(text);
          if (listeners !== own || type === 'ack') return;
          if (type === 'ping') answer(at);
          else if (current.waiting < maxWaiting) current.send(encodeFrame(kinds.text, 0, text), type === 'move' ? 'move' : undefined);
        },
        onBytes: (listener) => void (own.bytes = listener),
        onText: (listener) => void (own.text = listener),
        onState: (listener) => void (own.state = listener),
        close() {
          if (listeners === own) listeners = noListeners();
        },
      };
    },
    leave: () => (tunnel ? tunnel.close() : endpoint.leave()),
  };
}
