// Sends requests to the inference provider: one address, one key, persistent connections.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { createOutgoingAgents } from '#lib/outgoing';

export interface UpstreamPost {
  /** Path below the provider's address, with a leading slash. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer | Readable;
  /** Aborts the request at any stage. */
  readonly signal: AbortSignal;
  /** Timeout in milliseconds for receiving the next byte. */
  readonly idleMs: number;
}

export interface Upstream {
  /** Resolves with the response headers. Rejects if there is no response; the message contains no secret. */
  post(post: UpstreamPost): Promise<IncomingMessage>;
  /** Removes the key from the provider's output. */
  clean(text: string): string;
  dispose(): void;
}

/** @param settings read on every use @param userAgent user agent that is sent to the provider */
export function createUpstream(settings: { readonly upstreamUrl: string; readonly upstreamKey: string }, userAgent: string): Upstream {
  // Node's own HTTP client adds the least delay between chunks and forwards them as they arrive.
  const agents = createOutgoingAgents({ agent: { keepAlive: true, maxFreeSockets: 64, noDelay: true } });

  return {
    async post({ path, contentType, body, signal, idleMs }) {
      const url = new URL(settings.upstreamUrl.replace(/\/+$/, '') + path);
      const agent = await agents.agentFor(url);
      const headers = {
        'content-type': contentType,
        accept: '*/*',
        // Compression may delay chunks.
        'accept-encoding': 'identity',
        'user-agent': userAgent,
        ...(settings.upstreamKey === '' ? {} : { authorization: `Bearer ${settings.upstreamKey}` }),
        ...(Buffer.isBuffer(body) ? { 'content-length': String(body.length) } : {}),
      };
      return new Promise((resolve, reject) => {
        const request = (url.protocol === 'http:' ? httpRequest : httpsRequest)(url, { method: 'POST', agent, headers });
        const end = (): void => void request.destroy(new Error('ended'));
        if (signal.aborted) end();
        signal.addEventListener('abort', end, { once: true });
        request.setTimeout(idleMs, () => request.destroy(new Error(`it sent nothing for ${Math.round(idleMs / 1_000)} s`)));
        request.once('close', () => signal.removeEventListener('abort', end));
        request.on('error', reject);
        request.once('response', resolve);
        if (Buffer.isBuffer(body)) request.end(body);
        else body.on('error', (fault) => request.destroy(fault)).pipe(request);
      });
    },
    clean: (text) => (settings.upstreamKey === '' ? text : text.replaceAll(settings.upstreamKey, '[key]')),
    dispose: () => agents.destroy(),
  };
}
