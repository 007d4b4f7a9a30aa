// Sends requests to the server with its address and token, and converts every failure to a `CallError`.
import { messageOf } from '#lib/errors';
import { CallError, type ApiCall } from './api.ts';

export interface Requests<Call = ApiCall> {
  readonly call: Call;
  bytes(path: string): Promise<Blob>;
  /** Sends a raw request with the token; rejects as `fetch` does. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

export interface RequestsOptions {
  readonly origin: string | (() => string);
  readonly fetch: typeof globalThis.fetch;
  token(): string | undefined;
  /** Called with the state of the server after each response or failure. */
  onOutcome(outcome: 'up' | 'down' | 'refused'): void;
}

interface LooseInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** @typeParam Call type of the calls that the server supports */
export function createRequests<Call = ApiCall>({ origin, fetch, token, onOutcome }: RequestsOptions): Requests<Call> {
  function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const current = token();
    if (current !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${current}`);
    return fetch(`${typeof origin === 'function' ? origin() : origin}${path}`, { cache: 'no-store', ...init, headers });
  }

  /** Sends a request. Resolves only for successful responses. */
  async function ask(path: string, init: RequestInit): Promise<Response> {
    let reply: Response;
    const asked = token();
    try {
      reply = await send(path, init);
    } catch (fault) {
      if (init.signal?.aborted) throw new CallError('The request was cancelled.', 'aborted', 0);
      onOutcome('down');
      throw new CallError(`The server cannot be reached (${messageOf(fault)}).`, 'network', 0);
    }
    const isRefused = reply.status === 401;
    // A late 401 for a replaced token must not sign out the client.
    if (!isRefused || asked === token()) onOutcome(isRefused ? 'refused' : 'up');
    if (!reply.ok) throw await refusalOf(reply);
    return reply;
  }

  async function callLoosely(key: string, input: LooseInput = {}): Promise<unknown> {
    const [method = 'GET', pattern = '/'] = key.split(' ');
    // Changes must be sent as JSON, even without content.
    const body = input.body ?? (method === 'POST' || method === 'PUT' || method === 'PATCH' ? {} : undefined);
    const reply = await ask(addressOf(pattern, input), {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      ...(input.signal ? { signal: input.signal } : {}),
    });
    try {
      const text = await reply.text();
      return reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined;
    } catch (fault) {
      throw brokenOff(fault);
    }
  }

  return {
    call: callLoosely as Call,
    async bytes(path) {
      const reply = await ask(path, {});
      return reply.blob().catch((fault: unknown) => Promise.reject(brokenOff(fault)));
    },
    send,
  };
}

const brokenOff = (fault: unknown): CallError => new CallError(`The reply was incomplete (${String(fault)}).`, 'network', 0);

function addressOf(pattern: string, { params = {}, query = {} }: LooseInput): string {
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const fields = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return fields.length === 0 ? path : `${path}?${new URLSearchParams(fields).toString()}`;
}

async function refusalOf(reply: Response): Promise<CallError> {
  const body = (await reply.json().catch(() => undefined)) as
    { readonly error?: { readonly code?: string; readonly message?: string; readonly details?: Readonly<Record<string, unknown>> } } | undefined;
  const { code = 'unknown', message = `The server responded with status ${reply.status}.`, details } = body?.error ?? {};
  return new CallError(message, code, reply.status, details);
}
