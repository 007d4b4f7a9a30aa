// Implements fetch for one server: sends its secrets only to its origin, follows no redirects, checks other addresses at connection time, and limits responses.
import { headerFields, fetchGuarded, responseOf } from '#lib/guarded-fetch';
import { addressesOf, findAddresses, isFurtherIn, outermostReach, reachOf, type FindAddresses, type Reach } from '#lib/net';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { bodiless, fetchOutgoing } from '#lib/complete-fetch';
import { largestMessage } from '../limits.ts';

/**
 * @param base address that the user entered; it may be local or in a private network
 * @param headers headers that are sent only to that origin
 */
export function createGuardedFetch(base: URL, headers: Readonly<Record<string, string>>, find: FindAddresses = findAddresses): FetchLike {
  return async (given, init = {}) => {
    const url = new URL(given);
    if (url.origin !== base.origin) return fetchForeign(url, init, await reachOfHost(base.hostname, find), find);
    const all = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    // The caller follows redirects within the origin only.
    return limitAnswer(await fetchOutgoing(url, { ...init, headers: all, redirect: 'manual' }));
  };
}

/**
 * Fetches addresses that the server named, such as those of the sign-in. They must not reach further into the network than the server's own address. The
 * connection uses exactly the address that was checked, so DNS cannot change it.
 */
async function fetchForeign(url: URL, init: RequestInit, reach: Reach, find: FindAddresses): Promise<Response> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(`the server points to ${url.protocol}, which is not fetched`);
  let refused: Error | undefined;
  const refuse = (why: string): Error => (refused = new Error(`the server points to ${url.origin}, which ${why}`));
  const guard = {
    limit: largestMessage,
    judge: (address: string) => {
      const why = whyRefused(address, reach, url.protocol === 'https:');
      return why === undefined ? undefined : refuse(`is ${why}`);
    },
    find: async (name: string) => {
      const found = await find(name);
      if (found.length === 0) throw refuse('has no address');
      return found;
    },
  };
  try {
    const { method = 'GET', body = null, signal = null } = init;
    const answer = await fetchGuarded(url, { method, body, signal, headers: headerFields(new Headers(init.headers)) }, guard);
    if (answer.isCut) throw tooLong();
    return responseOf(answer);
  } catch (fault) {
    // Throws the original reason, because the client would add a prefix to it.
    throw refused ?? fault;
  }
}

/** Returns why an address is refused, as text that follows "which is". @param reach network reach of the server that named the address */
function whyRefused(address: string, reach: Reach, isEncrypted: boolean): string | undefined {
  const found = reachOf(address);
  if (found === undefined) return 'an address that servers may not name';
  if (isFurtherIn(found, reach)) return 'an address in this network';
  return found === 'public' && !isEncrypted ? 'not encrypted' : undefined;
}

async function reachOfHost(hostname: string, find: FindAddresses): Promise<Reach> {
  return outermostReach((await addressesOf(hostname, find)).map(({ address }) => address));
}

function tooLong(): Error {
  return new Error(`the server sent a message of more than ${largestMessage / 1024 / 1024} MB`);
}

/** Limits the size of a response: a document as a whole, an event stream per line. */
function limitAnswer(answer: Response): Response {
  if (!answer.body || bodiless.has(answer.status)) return answer;
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let length = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lastEnd = isStream ? chunk.lastIndexOf(10) : -1;
      length = lastEnd < 0 ? length + chunk.length : chunk.length - lastEnd;
      if (length > largestMessage) throw tooLong();
      controller.enqueue(chunk);
    },
  });
  return new Response(answer.body.pipeThrough(counter), { status: answer.status, statusText: answer.statusText, headers: answer.headers });
}
