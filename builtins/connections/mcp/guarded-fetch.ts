// fetch for one server: its secrets go to its origin only, redirects are left alone, other addresses are checked, answers have an end.
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { largestMessage } from './limits.ts';

type FindAddresses = (host: string) => Promise<readonly string[]>;

/**
 * @param base the address that a person gave: it may be on this machine or in the private network
 * @param headers for that origin only
 */
export function createGuardedFetch(base: URL, headers: Readonly<Record<string, string>>, findAddresses: FindAddresses = resolveHost): FetchLike {
  return async (given, init = {}) => {
    const url = new URL(given);
    const isOwn = url.origin === base.origin;
    if (!isOwn) await checkForeign(url, base, findAddresses);
    const all = new Headers(init.headers);
    if (isOwn) for (const [name, value] of Object.entries(headers)) all.set(name, value);
    // Who follows a redirect, and only within the origin, is the caller.
    return limitAnswer(await fetch(url, { ...init, headers: all, redirect: 'manual' }));
  };
}

/** Addresses that the server named: where people sign in. They must not lead into the private network from outside of it. */
async function checkForeign(url: URL, base: URL, findAddresses: FindAddresses): Promise<void> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(`the server points to ${url.protocol}, which is not fetched`);
  if (await isPublic(url.hostname, findAddresses)) {
    if (url.protocol === 'https:') return;
    throw new Error(`the server points to ${url.origin}, which is not encrypted`);
  }
  if (await isPublic(base.hostname, findAddresses)) throw new Error(`the server points to ${url.origin}, which is an address inside of this network`);
}

async function isPublic(host: string, findAddresses: FindAddresses): Promise<boolean> {
  const bare = host.replace(/^\[|\]$/g, '');
  const addresses = ipaddr.isValid(bare) ? [bare] : await findAddresses(bare);
  return addresses.length > 0 && addresses.every((address) => ipaddr.process(address).range() === 'unicast');
}

async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** A document as a whole, a stream of events line by line. */
function limitAnswer(answer: Response): Response {
  if (!answer.body || [101, 204, 205, 304].includes(answer.status)) return answer;
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let length = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lastEnd = isStream ? chunk.lastIndexOf(10) : -1;
      length = lastEnd < 0 ? length + chunk.length : chunk.length - lastEnd;
      if (length > largestMessage) throw new Error(`the server sent a message of more than ${largestMessage / 1024 / 1024} MB`);
      controller.enqueue(chunk);
    },
  });
  return new Response(answer.body.pipeThrough(counter), { status: answer.status, statusText: answer.statusText, headers: answer.headers });
}
