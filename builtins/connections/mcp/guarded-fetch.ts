// fetch for one server: its secrets go to its origin only, redirects are left alone, other addresses are judged where they are connected to, answers have an end.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { lookup as resolveName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import fetchByNode from 'cross-fetch';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { reachOf, whyRefused, type Reach } from './address-reach.ts';
import { largestMessage } from './limits.ts';

/** As `dns.lookup` with all addresses. */
export type FindAddresses = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/**
 * @param base the address that a person gave: it may be on this machine or in the private network
 * @param headers for that origin only
 */
export function createGuardedFetch(base: URL, headers: Readonly<Record<string, string>>, findAddresses: FindAddresses = findByName): FetchLike {
  return async (given, init = {}) => {
    const url = new URL(given);
    if (url.origin !== base.origin) return fetchForeign(url, init, await reachOfHost(base.hostname, findAddresses), findAddresses);
    const all = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    // Who follows a redirect, and only within the origin, is the caller.
    return limitAnswer(await fetch(url, { ...init, headers: all, redirect: 'manual' }));
  };
}

/**
 * Addresses that the server named: where people sign in. They must not lead further into this network than the server itself
 * lies, and the connection goes to exactly the address that was judged: a name cannot change it in between.
 */
async function fetchForeign(url: URL, init: RequestInit, reach: Reach, findAddresses: FindAddresses): Promise<Response> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(`the server points to ${url.protocol}, which is not fetched`);
  const judge = (address: string): void => {
    const why = whyRefused(address, reach, url.protocol === 'https:');
    if (why !== undefined) throw new Error(`the server points to ${url.origin}, which is ${why}`);
  };
  const bare = bareHost(url.hostname);
  // For an address in place of a name nothing is looked up.
  if (isIP(bare) !== 0) judge(bare);
  const lookup: LookupFunction = (host, options, answer) => {
    findAddresses(host)
      .then((found) => {
        const [first] = found;
        if (!first) throw new Error(`the server points to ${url.origin}, which has no address`);
        for (const { address } of found) judge(address);
        if (options.all === true) answer(null, [...found]);
        else answer(null, first.address, first.family);
      })
      .catch((fault: unknown) => answer(fault instanceof Error ? fault : new Error(String(fault)), '', 0));
  };
  const agent = url.protocol === 'https:' ? new HttpsAgent({ lookup }) : new HttpAgent({ lookup });
  try {
    const answer = await fetchByNode(url.href, { ...init, headers: entriesOf(new Headers(init.headers)), redirect: 'manual', agent } as RequestInit);
    const body = [101, 204, 205, 304].includes(answer.status) ? null : await readLimited(answer.body as unknown as AsyncIterable<Buffer>);
    return new Response(body, { status: answer.status, statusText: answer.statusText, headers: entriesOf(answer.headers) });
  } catch (fault) {
    throw fault instanceof Error && fault.message.includes('the server points to')
      ? new Error(fault.message.replace(/^.*?(?=the server points to)/s, ''))
      : fault;
  } finally {
    agent.destroy();
  }
}

async function readLimited(body: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > largestMessage) throw tooLong();
  }
  return Uint8Array.from(Buffer.concat(chunks));
}

async function reachOfHost(host: string, findAddresses: FindAddresses): Promise<Reach> {
  const bare = bareHost(host);
  return reachOf(isIP(bare) === 0 ? (await findAddresses(bare)).map(({ address }) => address) : [bare]);
}

function entriesOf(headers: Headers): Record<string, string> {
  const entries: Record<string, string> = {};
  headers.forEach((value, name) => void (entries[name] = value));
  return entries;
}

function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function findByName(host: string): ReturnType<FindAddresses> {
  return new Promise((resolve, reject) => resolveName(host, { all: true }, (fault, found) => (fault ? reject(fault) : resolve(found))));
}

function tooLong(): Error {
  return new Error(`the server sent a message of more than ${largestMessage / 1024 / 1024} MB`);
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
      if (length > largestMessage) throw tooLong();
      controller.enqueue(chunk);
    },
  });
  return new Response(answer.body.pipeThrough(counter), { status: answer.status, statusText: answer.statusText, headers: answer.headers });
}
