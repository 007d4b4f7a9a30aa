// Implements the service `controlPlane`: requests, downloads and event streams.
import type { Readable } from 'node:stream';
import { codeOf } from '#lib/errors';
import { jsonOf } from '#lib/values';
import type { ControlPlane } from './contract.ts';
import { createPlaneConnection, readText, type ConnectionParts } from './plane-connection.ts';
import { followStream } from './plane-stream.ts';

export interface OpenControlPlane extends ControlPlane {
  /** Aborts all requests, downloads and streams. */
  dispose(): void;
}

/** Default timeout of a request in milliseconds. */
const defaultMs = 15_000;
/** Maximum size of a JSON response in bytes. */
const replyLimit = 64 * 1024 * 1024;
/** Maximum time between two chunks of a download in milliseconds. */
const chunkMs = 60_000;

/** Creates the service. The caller must dispose it. */
export function createControlPlane(parts: ConnectionParts): OpenControlPlane {
  const closed = new AbortController();
  const connection = createPlaneConnection(parts);
  const until = (signal: AbortSignal | undefined): AbortSignal => (signal ? AbortSignal.any([signal, closed.signal]) : closed.signal);

  return {
    async request({ signal, timeoutMs = defaultMs, ...request }) {
      const late = AbortSignal.timeout(timeoutMs);
      const over = AbortSignal.any([until(signal), late]);
      try {
        const answer = await connection.open({ ...request, signal: over, timeoutMs });
        const text = await readText(answer.body, replyLimit);
        return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : jsonOf(text) };
      } catch (fault) {
        until(signal).throwIfAborted();
        if (late.aborted) throw connection.unreachable(`it did not respond within ${Math.ceil(timeoutMs / 1_000)} s.`);
        throw isOwn(fault) ? fault : connection.unreachable(fault);
      }
    },
    async download({ path, headers, signal, timeoutMs = defaultMs }) {
      const over = until(signal);
      const { status, headers: given, body } = await connection.open({ method: 'GET', path, headers, signal: over, timeoutMs });
      return { status, headers: given, chunks: chunksOf(body, over, connection.unreachable) };
    },
    follow(stream) {
      void followStream(connection, stream, until(stream.signal));
    },
    dispose() {
      closed.abort(new Error('the plugin ended'));
      connection.dispose();
    },
  };
}

function isOwn(fault: unknown): boolean {
  return codeOf(fault)?.startsWith('HUB_ERR_') === true;
}

async function* chunksOf(body: Readable, signal: AbortSignal, unreachable: (fault: unknown) => Error): AsyncGenerator<Uint8Array, void, undefined> {
  const timer = setTimeout(() => body.destroy(new Error(`it sent nothing for ${chunkMs / 1_000} s.`)), chunkMs);
  timer.unref();
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      timer.refresh();
      yield chunk;
    }
  } catch (fault) {
    signal.throwIfAborted();
    throw unreachable(fault);
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
}
