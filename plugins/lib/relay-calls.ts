// Sends the requests of a guest of a relay session (a remote device), only to the relay and only with the guest's token. Runs in browsers, too.
import { deriveBytes, secretText } from './sealed-link.ts';
import { isRecord, recordIn } from './values.ts';

export interface RelayLink {
  readonly origin: string;
  readonly code: string;
  readonly secret: Uint8Array;
  readonly fetch?: typeof fetch;
}

/** Requests with the token of a guest. */
export interface RelayCalls {
  /** Sends a GET request. Rejects if there is no reply, and when the signal is aborted. */
  get(path: string, signal: AbortSignal): Promise<Response>;
  /** Sends a POST request: text as JSON, anything else as bytes. */
  post(path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response>;
  /** Ends the guest session, even while the page is closing. If the request is lost, the guest session ends with the relay session. */
  leave(): void;
}

/** The admission of a guest by the relay. */
export interface RelayEndpoint extends RelayCalls {
  /** Id of the guest. New for each attempt to join, because keys must never be reused and the reply to an earlier attempt may have been lost. */
  readonly guest: string;
  readonly token: string;
  readonly session: string;
  readonly role: string;
  /** End of the relay session, ISO 8601 UTC. */
  readonly expiresAt: string;
}

/** The relay rejected the guest; the message is a sentence for the user. */
export class JoinRefused extends Error {
  /** HTTP status; 0 if there was no reply. */
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.name = 'JoinRefused';
    this.status = status;
  }
}

/** Time limit of a request in milliseconds; longer than the relay's long-poll limit. */
const requestLimitMs = 40_000;

/** Returns the guest's proof for the relay, which reveals nothing about the secret. */
export function proofOf(secret: Uint8Array, code: string): string {
  return [...deriveBytes(secret, ['proof', code.toUpperCase()])].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Joins the relay. Rejects with {@link JoinRefused}. */
export async function joinRelay({ origin, code, secret, fetch: ask = (input, init) => fetch(input, init) }: RelayLink): Promise<RelayEndpoint> {
  const guest = `${secretText(crypto.getRandomValues(new Uint8Array(32))).slice(0, 21)}A`;
  const body = JSON.stringify({ code, proof: proofOf(secret, code), guest });
  const reply = await relayCalls(origin, ask)
    .post('/api/remote/join', body)
    .catch(() => {
      throw new JoinRefused('The relay cannot be reached. Try again in a moment.', 0);
    });
  const answer = recordIn(await reply.text());
  if (!reply.ok) {
    const { error } = answer;
    const said = isRecord(error) ? error['message'] : undefined;
    throw new JoinRefused(typeof said === 'string' ? said : `The relay rejected the request (status ${reply.status}).`, reply.status);
  }
  const [token = '', session = '', role = '', expiresAt = ''] = ['token', 'session', 'role', 'expiresAt'].map((name) => String(answer[name]));
  return { ...relayCalls(origin, ask, token), guest, token, session, role, expiresAt };
}

function relayCalls(origin: string, ask: typeof fetch, token?: string): RelayCalls {
  async function call(path: string, type: string | undefined, { signal, ...init }: RequestInit): Promise<Response> {
    const late = new AbortController();
    const stop = (): void => late.abort();
    const timer = setTimeout(stop, requestLimitMs);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    try {
      return await ask(origin + path, {
        ...init,
        headers: { ...(type === undefined ? {} : { 'content-type': type }), ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
        signal: late.signal,
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  return {
    get: (path, signal) => call(path, undefined, { signal }),
    post: (path, body) => call(path, typeof body === 'string' ? 'application/json' : 'application/octet-stream', { method: 'POST', body }),
    leave: () => void call('/api/remote/leave', 'application/json', { method: 'POST', body: '{}', keepalive: true }).catch(() => undefined),
  };
}
