// Relays a provider's response to the caller chunk by chunk, at the caller's pace.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MakeError } from './manifest.ts';
import type { Upstream } from './upstream.ts';

/** Inspects the forwarded chunks; see `Meter`. */
export interface Watcher {
  begin(headers: IncomingMessage['headers']): void;
  take(chunk: Buffer): readonly Buffer[];
  end(): readonly Buffer[];
}

/** Response headers of the provider that are forwarded. */
const passed = ['content-type', 'x-request-id', 'retry-after'] as const;
/** Time without reading after which a caller counts as disconnected. */
const stallMs = 60_000;
const longestRefusal = 64 * 1024;

/** Resolves when the provider has finished or was disconnected. Leaves the caller's connection open. */
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
    const goOn = (): void => {
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
    client.on('drain', goOn).once('close', goOn);
    answer.on('data', (chunk: Buffer) => send(watcher.take(chunk)));
    answer.on('error', () => undefined);
    answer.once('close', () => {
      clearTimeout(stalled);
      client.off('drain', goOn);
      if (!answer.complete) send(watcher.end());
      resolve(answer.complete ? 'complete' : 'cut');
    });
    answer.once('end', () => send(watcher.end()));
  });
}

/** Forwards the provider's error, except for one about the control plane's own key, which a caller cannot fix. */
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
      if (size > longestRefusal) break;
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
  return Object.fromEntries(passed.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])));
}
