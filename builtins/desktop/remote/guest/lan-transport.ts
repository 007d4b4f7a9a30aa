// Connects to the host over the local network: exchanges a code for a token, then opens one WebSocket.
import type { GuestTransport, Joined, Transport, TransportState } from './transport.ts';

const kept = 'remote-guest';
const policyViolation = 1008;

/** Stores the token for the lifetime of the tab, so that the session continues after the page is reloaded. */
export function createLanTransport(place: Location, storage: Storage): GuestTransport {
  const code = decodeURIComponent(place.hash.slice(1)).replace(/^code=/, '');
  // Keeps the code out of the browser history and of screenshots.
  if (code !== '') history.replaceState(null, '', place.pathname);

  return {
    ...(code === '' ? {} : { code }),
    resume() {
      // A newly scanned code takes precedence.
      const joined = code === '' ? readJoined(storage.getItem(kept)) : undefined;
      if (!joined) storage.removeItem(kept);
      return joined;
    },
    async join(given, name) {
      const reply = await fetch('/remote/join', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: given, name }),
      }).catch(() => {
        throw new Error('The host does not respond. Both devices must be in the same network, and the session must be active.');
      });
      const answer = (await reply.json().catch(() => undefined)) as (Joined & { readonly error?: { readonly message?: string } }) | undefined;
      if (!reply.ok || !answer) throw new Error(answer?.error?.message ?? `The host refused the connection (status ${reply.status}).`);
      storage.setItem(kept, JSON.stringify(answer));
      return answer;
    },
    connect: ({ token }) => openSocket(`${place.origin.replace(/^http/, 'ws')}/remote/ui/stream?join=${encodeURIComponent(token)}`),
    forget: () => storage.removeItem(kept),
  };
}

function readJoined(text: string | null): Joined | undefined {
  try {
    const { token, role, expiresAt } = JSON.parse(text ?? '') as Partial<Joined>;
    const isGood = token !== undefined && (role === 'view' || role === 'control') && Date.parse(expiresAt ?? '') > Date.now();
    return isGood ? { token, role, expiresAt: expiresAt ?? '' } : undefined;
  } catch {
    return undefined;
  }
}

function openSocket(address: string): Transport {
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  let emitState: (state: TransportState) => void = () => undefined;
  let wasOpen = false;
  socket.addEventListener('open', () => {
    wasOpen = true;
    emitState('open');
  });
  socket.addEventListener('close', ({ code }) => {
    if (code === policyViolation) emitState('refused');
    else if (wasOpen) emitState('closed');
    // A browser cannot distinguish an unreachable host from a refused connection. If the host serves its page, it has refused the connection.
    else void answers(address).then((isThere) => emitState(isThere ? 'refused' : 'closed'));
  });
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    onBytes: (listener) =>
      socket.addEventListener('message', ({ data }) => {
        if (data instanceof ArrayBuffer) listener(new Uint8Array(data));
      }),
    onText: (listener) =>
      socket.addEventListener('message', ({ data }) => {
        if (typeof data === 'string') listener(data);
      }),
    onState: (listener) => (emitState = listener),
    close: () => socket.close(),
  };
}

async function answers(address: string): Promise<boolean> {
  try {
    const { origin } = new URL(address.replace(/^ws/, 'http'));
    return (await fetch(`${origin}/remote/join`, { cache: 'no-store', signal: AbortSignal.timeout(3_000) })).ok;
  } catch {
    return false;
  }
}
