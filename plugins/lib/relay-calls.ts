// The requests of a guest of a relay: to the relay alone, with its own token alone. Runs in browsers, too.
import { deriveBytes, secretText } from './sealed-link.ts';
import { isRecord, recordIn } from './values.ts';

export interface RelayCall {
  token: string;
  /** Rejects where nothing answers, and when the signal is aborted. */
  get(path: string, signal: AbortSignal): Promise<Response>;
  /** JSON as text, anything else as bytes. */
  post(path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response>;
  /** Outlives the page. Where it does not arrive, the seat ends with the session. */
  leave(): void;
}

/** As the relay let a guest in. */
export interface RelaySeat {
  /** Drawn anew at each joining: no keys are used twice, and an answer that was lost may have been given. */
  readonly guest: string;
  readonly session: string;
  readonly role: string;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
}

/** The relay did not let the guest in; the message is a sentence for the person. */
export class JoinRefused extends Error {
  /** 0 where nothing answered. */
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.name = 'JoinRefused';
    this.status = status;
  }
}

/** Longer than the relay lets anybody wait. */
const longestMs = 40_000;

/** What a guest shows the relay, which learns nothing of the secret by it. */
export function proofOf(secret: Uint8Array, code: string): string {
  return [...deriveBytes(secret, ['proof', code.toUpperCase()])].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** From then on the calls carry the token of the seat. Rejects with {@link JoinRefused}. */
export async function joinRelay(calls: RelayCall, code: string, secret: Uint8Array): Promise<RelaySeat> {
  const guest = `${secretText(crypto.getRandomValues(new Uint8Array(32))).slice(0, 21)}A`;
  const reply = await calls.post('/api/remote/join', JSON.stringify({ code, proof: proofOf(secret, code), guest })).catch(() => {
    throw new JoinRefused('The relay does not answer. Try again in a moment.', 0);
  });
  const answer = recordIn(await reply.text());
  if (!reply.ok) {
    const { error } = answer;
    const said = isRecord(error) ? error['message'] : undefined;
    throw new JoinRefused(typeof said === 'string' ? said : `The relay refused (${reply.status}).`, reply.status);
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
    const timer = setTimeout(stop, longestMs);
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
