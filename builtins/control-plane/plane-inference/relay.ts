// Relays a model provider's response to the caller chunk by chunk, at the caller's pace.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MakeError } from './manifest.ts';
import type { Upstream } from './upstream.ts';

/** Inspects the chunks that are forwarded; see `Meter`. */
export interface Watcher {
  begin(headers: IncomingMessage['headers']): void;
  take(chunk: Buffer): readonly Buffer[];
  end(): readonly Buffer[];
}

/** Response headers of the provider that are forwarded. */
const forwardedHeaders = ['content-type', 'x-request-id', 'retry-after'] as const;
/** Time in milliseconds after which a caller that reads nothing is treated as disconnected. */
const stallMs = 60_000;
/** Maximum size of a provider's error response in bytes. */
const maxErrorBytes = 64 * 1024;

/** Relays the response. Resolves when the provider has finished or was disconnected. The caller's connection stays open. */
export function passOn(
  answer: IncomingMessage,
  client: ServerResponse,
  headers: Readonly<Record<string, string>>,
  watcher: Watcher,
): Promise<'complete' | 'cut'> {
  watcher.begin(answer.headers);
  client.writeHead(answer.statusCode ?? 200, { ...headOf(answer), ...headers, 'x-accel-buffering': 'no' });
  client.flushHeaders();
  return new Promise((resolve) => {
    let stalled: NodeJS.Timeout | undefined;
    const resume = (): void => {
      clearTimeout(stalled);
      answer.resume();
    };
    const send = (parts: readonly Buffer[]): void => {
      for (const part of parts) {
        if (client.destroyed || client.write(part)) continue;
        answer.pause();
        stalled = setTimeout(() => client.destroy(), stallMs).unref();
      }
    };
    client.on('drain', resume).once('close', resume);
    answer.on('data', (chunk: Buffer) => send(watcher.take(chunk)));
    answer.on('error', () => undefined);
    answer.once('close', () => {
      clearTimeout(stalled);
      client.off('drain', resume);
      if (!answer.complete) send(watcher.end());
      resolve(answer.complete ? 'complete' : 'cut');
    });
    answer.once('end', () => send(watcher.end()));
  });
}

/** Forwards the provider's error, except an error about the control plane's own key, which a caller cannot fix. */
export async function answerRefusal(
  answer: IncomingMessage,
  client: ServerResponse,
  headers: Readonly<Record<string, string>>,
  upstream: Pick<Upstream, 'clean'>,
  makeError: MakeError,
): Promise<void> {
  const status = answer.statusCode ?? 502;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxErrorBytes) break;
      chunks.push(chunk);
    }
  } catch {
    // the status is sufficient
  }
  const isOurFault = status === 401 || status === 402 || status === 403 || status < 400;
  if (isOurFault) throw makeError('UPSTREAM_REFUSED', { status });
  if (client.destroyed) return;
  client.writeHead(status, { ...headOf(answer), ...headers });
  client.end(upstream.clean(Buffer.concat(chunks).toString('utf8')));
}

function headOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(forwardedHeaders.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])));
}
