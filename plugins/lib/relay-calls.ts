// Sends the requests of a guest of a relay session (a remote device), only to the relay and only with the guest's token. Runs in browsers, too.
import { deriveBytes, secretText } from './sealed-link.ts';
import { isRecord, recordIn } from './values.ts';

export interface RelayCall {
  token: string;
  /** Sends a GET request. Rejects if there is no reply, and when the signal is aborted. */
  get(path: string, signal: AbortSignal): Promise<Response>;
  /** Sends a POST request: text as JSON, anything else as bytes. */
  post(path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response>;
  /** Ends the guest session, even while the page closes. If the request does not arrive, the guest session ends with the relay session. */
  leave(): void;
}

/** The admission of a guest by the relay. */
export interface RelayEndpoint {
  /** Id of the guest. New for each attempt to join, because keys must never be reused and the reply to an earlier attempt may have been lost. */
  readonly guest: string;
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

/** Joins the relay; afterwards, the calls send the guest's token. Rejects with {@link JoinRefused}. */
export async function joinRelay(calls: RelayCall, code: string, secret: Uint8Array): Promise<RelayEndpoint> {
  const guest = `${secretText(crypto.getRandomValues(new Uint8Array(32))).slice(0, 21)}A`;
  const reply = await calls.post('/api/remote/join', JSON.stringify({ code, proof: proofOf(secret, code), guest })).catch(() => {
    throw new JoinRefused('The relay cannot be reached. Try again in a moment.', 0);
  });
  const answer = recordIn(await reply.text());
  if (!reply.ok) {
    const { error } = answer;
    const said = isRecord(error) ? error['message'] : undefined;
    throw new JoinRefused(typeof said === 'string' ? said : `The relay rejected the request (status ${reply.status}).`, reply.status);
  }
  calls.token = String(answer['token']);
  return { guest, session: String(answer['session']), role: String(answer['role']), expiresAt: String(answer['expiresAt']) };
}

export function createRelayCalls(origin: string, ask: typeof fetch): RelayCall {
  const calls: RelayCall = {
    token: '',
    get: (path, signal) => call(path, { signal }),
    post: (path, body) =>
      call(path, { method: 'POST', headers: { 'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream' }, body }),
    leave: () =>
      void call('/api/remote/leave', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}', keepalive: true }).catch(() => undefined),
  };

  async function call(path: string, { signal, headers, ...init }: RequestInit): Promise<Response> {
    const late = new AbortController();
    const stop = (): void => late.abort();
    const timer = setTimeout(stop, requestLimitMs);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    try {
      return await ask(origin + path, {
        ...init,
        headers: { ...(headers as Record<string, string> | undefined), ...(calls.token === '' ? {} : { authorization: `Bearer ${calls.token}` }) },
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

  return calls;
}
