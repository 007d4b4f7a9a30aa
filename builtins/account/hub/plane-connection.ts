// Implements one request to the control plane: checks the address before it sends the license, and interprets the response.
import type { Readable } from 'node:stream';
import type { KernelError, Logger } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import { codeOf, errorOf } from '#lib/errors';
import { createOutgoingAgents } from '#lib/outgoing';
import { textStart } from '#lib/text';
import { isRecord, recordIn } from '#lib/values';
import { fetchComplete } from '#lib/complete-fetch';
import type { License } from 'agent-harness/plugins/licensing';
import type { HubSite } from './contract.ts';
import { whyNotTo } from './plane-address.ts';

export interface ConnectionParts {
  readonly license: License;
  readonly hubSite: HubSite;
  readonly log: Logger;
  readonly makeError: (
    reason: 'SIGNED_OUT' | 'PLANE_UNREACHABLE' | 'PLANE_REFUSED',
    details?: Readonly<Record<string, unknown>>,
    cause?: unknown,
  ) => KernelError;
  /** Renews the license; resolves with `true` if another license is active afterwards. */
  readonly renew: (signal: AbortSignal) => Promise<boolean>;
}

export interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly bytes?: Uint8Array | undefined;
  readonly origin?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal: AbortSignal;
  /** Timeout of the response headers in milliseconds. */
  readonly timeoutMs: number;
}

export interface Incoming {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Contract: the caller reads the body to its end or destroys it. */
  readonly body: Readable;
}

export interface PlaneConnection {
  /** Resolves with a response of status 2xx, 304 or 409; rejects as {@link ControlPlane.request} does. */
  open(outgoing: Outgoing): Promise<Incoming>;
  /** Builds a `PLANE_UNREACHABLE` error that contains no secret. */
  unreachable(fault: unknown): KernelError;
  /** Closes every connection. */
  dispose(): void;
}

/** Maximum size of an error response in bytes. */
const refusalLimit = 64 * 1024;
/** Maximum time to read an error response in milliseconds. */
const refusalMs = 5_000;

/** Creates the connection. The caller must dispose it. */
export function createPlaneConnection(parts: ConnectionParts): PlaneConnection {
  const agents = createOutgoingAgents({ agent: { keepAlive: true } });
  const { license, hubSite, log, makeError, renew } = parts;
  /** Removes licenses from texts that the control plane returns. */
  const scrub = (text: string): string => text.replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '…');
  const unreachable = (fault: unknown): KernelError => makeError('PLANE_UNREACHABLE', { why: scrub(typeof fault === 'string' ? fault : whyOf(fault)) });

  function urlOf(path: string, base = hubSite.controlPlane()): URL {
    const url = new URL(base + path);
    if (!path.startsWith('/') || url.origin !== new URL(base).origin) throw unreachable(`'${path}' is not one of its paths.`);
    const why = whyNotTo(url);
    if (why !== undefined) throw unreachable(`${why}.`);
    return url;
  }

  async function send({ method, path, body, bytes, origin, headers, signal, timeoutMs }: Outgoing, token: string): Promise<Incoming> {
    const url = urlOf(path, origin);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      const reply = await fetchComplete(url.href, {
        agent: await agents.agentFor(url),
        method,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          ...(bytes ? { 'content-type': 'application/octet-stream' } : body === undefined && method === 'GET' ? {} : { 'content-type': 'application/json' }),
          ...headers,
          authorization: `Bearer ${token}`,
        },
        ...(method === 'GET' ? {} : { body: bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : JSON.stringify(body ?? {}) }),
        redirect: 'manual',
        signal: AbortSignal.any([signal, late.signal]),
      });
      const given: Record<string, string> = {};
      reply.headers.forEach((value, name) => (given[name] = value));
      return { status: reply.status, headers: given, body: reply.body };
    } catch (fault) {
      signal.throwIfAborted();
      throw unreachable(late.signal.aborted ? `it did not respond within ${Math.ceil(timeoutMs / 1_000)} s.` : fault);
    } finally {
      clearTimeout(timer);
    }
  }

  async function refusalOf({ status, body }: Incoming, signal: AbortSignal): Promise<{ readonly code: string; readonly message: string }> {
    const text = await withLimit(readText(body, refusalLimit), refusalMs, () => '').catch(() => '');
    body.destroy();
    signal.throwIfAborted();
    const { error } = recordIn(text);
    const { code, message } = isRecord(error) ? error : {};
    return {
      code: typeof code === 'string' ? textStart(scrub(code), 100) : 'unknown',
      message: textStart(scrub(typeof message === 'string' ? message : `it responded with status ${status}.`), 1_000),
    };
  }

  async function open(outgoing: Outgoing, isRenewed = false): Promise<Incoming> {
    const { signal } = outgoing;
    signal.throwIfAborted();
    const token = await license.token();
    if (token === undefined) throw makeError('SIGNED_OUT');
    const answer = await send(outgoing, token);
    const { status } = answer;
    if ((status >= 200 && status < 300) || status === 304 || status === 409) return answer;
    const { code, message } = await refusalOf(answer, signal);
    if (status >= 500 || status < 400) throw unreachable(`it responded with status ${status}${code === 'unknown' ? '' : ` (${code})`}.`);
    if (status === 401 && code === 'token_expired' && !isRenewed && (await renew(signal))) return open(outgoing, true);
    // A user who signed in again during the request stays signed in with the new license.
    if (status === 401 && code === 'token_revoked' && (await license.token()) === token) {
      log.warn('the license was revoked by the control plane, so this machine is signed out');
      await license.clear();
    }
    throw makeError('PLANE_REFUSED', { status, code, message });
  }

  return {
    open: (outgoing) => open(outgoing),
    unreachable,
    dispose: () => agents.destroy(),
  };
}

/** Returns the reason for a failed fetch without the address. If several addresses failed, only the error code contains the reason. */
function whyOf(fault: unknown): string {
  const { message } = errorOf(fault);
  return message.replace(/^request to .* failed, reason: /, '') || (codeOf(fault) ?? message);
}

/** Reads a stream as text. Rejects if the text exceeds the limit or the stream is interrupted. @param limit maximum size in bytes */
export async function readText(body: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new Error(`its response has more than ${limit} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}
