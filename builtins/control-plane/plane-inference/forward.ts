// Forwards a call with reserved credit to the provider, relays the response, and settles its cost even if the caller disconnects.
import type { ServerResponse } from 'node:http';
import type { Call, Calls } from './calls.ts';
import type { Drains } from './drains.ts';
import type { MakeError } from './manifest.ts';
import type { Meter } from './meter.ts';
import { answerRefusal, passOn } from './relay.ts';
import type { Upstream } from './upstream.ts';

export interface ProxyParts {
  readonly calls: Calls;
  readonly upstream: Upstream;
  readonly drains: Drains;
  readonly makeError: MakeError;
  /** Read on every use. */
  readonly settings: { readonly upstreamUrl: string; readonly usualMaxTokens: number };
}

export interface Forwarding {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly meter: Meter;
  /** Headers that are added to those of the provider's response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Time in milliseconds without a byte from the provider after which a call fails; longer than any provider pauses between two chunks. */
const idleMs = 300_000;

/** Forwards a call, and settles or releases its reservation. Rejects with `UPSTREAM_…` before a response is sent. */
export async function forward(client: ServerResponse, call: Call, { path, contentType, body, meter, headers }: Forwarding, parts: ProxyParts): Promise<void> {
  const { upstream, drains, makeError } = parts;
  if (client.destroyed) return call.release();
  const drain = drains.watch(client);
  try {
    const answering = upstream.post({ path, contentType, body, signal: drain.signal, idleMs });
    call.began(() => meter.estimateMicro());
    const answer = await answering.catch((fault: unknown) => {
      // A caller that disconnects after the request was sent still pays for it.
      if (drain.hasLeft()) call.settle(meter.settlement('left'));
      else call.release();
      throw makeError('UPSTREAM_UNREACHABLE', { why: upstream.clean((fault as Error).message) }, fault);
    });
    const withReceipt = { 'x-hub-call': call.id, ...headers };
    if ((answer.statusCode ?? 500) >= 300) {
      call.release();
      return await answerRefusal(answer, client, withReceipt, upstream, makeError);
    }
    const ending = await passOn(answer, client, withReceipt, meter);
    if (meter.isVoid()) call.release();
    else call.settle(meter.settlement(drain.hasLeft() ? 'left' : ending));
    finish(client, ending);
  } finally {
    drain.dispose();
  }
}

/** Ends a complete response normally, and destroys a partial one, because a normal end would make it look complete. */
function finish(client: ServerResponse, ending: 'complete' | 'cut'): void {
  if (client.destroyed) return;
  if (ending === 'complete') client.end();
  else client.destroy();
}

export function assertConfigured({ settings, makeError }: Pick<ProxyParts, 'settings' | 'makeError'>): void {
  if (settings.upstreamUrl === '') throw makeError('NOT_CONFIGURED');
}

/** Returns the purpose that the caller states in the header; `usual` if the header is missing or invalid. */
export function purposeOf(header: unknown, usual: string): string {
  return typeof header === 'string' && /^[a-z][a-z0-9_-]{0,39}$/.test(header) ? header : usual;
}
