// Which addresses may be connected to: how far into this network one lies, judged at the moment of connecting, for the very connection.
import { lookup } from 'node:dns';
import type { Agent as HttpAgent } from 'node:http';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { errorOf } from './errors.ts';
import { bareHost, isInsideName } from './hosts.ts';
import { createOutgoingAgents } from './outgoing.ts';

/** How far into this network an address lies, from the outside in. */
export type Reach = 'public' | 'private' | 'machine';

export interface FoundAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name. Rejects as `dns.lookup` does. */
export type FindAddresses = (name: string) => Promise<readonly FoundAddress[]>;

/** Answers why nobody connects to an address. */
export type JudgeAddress = (address: string) => Error | undefined;

const order: readonly Reach[] = ['public', 'private', 'machine'];
/** Where machines in clouds are told their keys, at addresses that are not link-local. */
const cloudServices = new Set(['fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']);
/** Nobody has a server there: many machines, or the one that gives out keys in a cloud. */
const forbidden = new Set(['linkLocal', 'multicast', 'broadcast']);
/** Where peers are near. */
const nearby = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);
/** Systems take `0.0.0.0` and `::` for themselves. */
const ownRanges = new Set(['loopback', 'unspecified']);
/** RFC 4291, 2.4: of IPv6 only this is routed in the public network. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * How far in an address in text form lies; `undefined` where nobody connects to: link-local ones, services of clouds, groups,
 * what is none. What carries an IPv4 address inside counts as that one, and is never public.
 */
export function reachOf(address: string): Reach | undefined {
  const plain = address.split('%', 1)[0] ?? '';
  if (!ipaddr.isValid(plain)) return undefined;
  const parsed = ipaddr.parse(plain);
  const own = ownReach(parsed);
  const inner = parsed instanceof ipaddr.IPv6 ? carriedBy(parsed) : undefined;
  if (!inner || own === undefined || own === 'machine') return own;
  const reach = ownReach(inner);
  return reach === 'public' ? 'private' : reach;
}

/** Whether an address lies in the public network. */
export function isPublicAddress(address: string): boolean {
  return reachOf(address) === 'public';
}

/**
 * Whether somebody at the other end of a connection is on this machine, this link or a network of one's own, a VPN's included. By the range of the
 * address itself: whose address of IPv6 carries one of IPv4 (NAT64, 6to4, Teredo) came through the public network, whatever it carries.
 */
export function isNearby(peer: string): boolean {
  const plain = peer.split('%', 1)[0] ?? '';
  // What a socket of IPv6 calls a peer of IPv4 is that one.
  return ipaddr.isValid(plain) && nearby.has(ipaddr.process(plain).range());
}

/** Whether `reach` lies further into this network than `than`. */
export function isFurtherIn(reach: Reach, than: Reach): boolean {
  return order.indexOf(reach) > order.indexOf(than);
}

/** Of the addresses of one host: one that is partly outside counts as outside. */
export function outermostReach(addresses: readonly string[]): Reach {
  return order[Math.min(...addresses.map((address) => order.indexOf(reachOf(address) ?? 'public')))] ?? 'public';
}

/** The address in the host of a URL, where it has one in place of a name. For it nothing is looked up. */
export function literalAddress(hostname: string): string | undefined {
  const bare = bareHost(hostname);
  return ipaddr.isValid(bare) ? bare : undefined;
}

/** As the system looks them up. */
export const findAddresses: FindAddresses = (name) =>
  new Promise((resolve, reject) => lookup(name, { all: true }, (fault, found) => (fault ? reject(fault) : resolve(found))));

/** The addresses of a host, without a look-up where it is one. */
export async function addressesOf(hostname: string, find: FindAddresses = findAddresses): Promise<readonly FoundAddress[]> {
  const literal = literalAddress(hostname);
  if (literal === undefined) return find(bareHost(hostname));
  return [{ address: literal, family: ipaddr.parse(literal) instanceof ipaddr.IPv4 ? 4 : 6 }];
}

export interface GuardedAgents {
  /** Rejects with what the judge says of an address in place of a name. */
  agentFor(url: URL): Promise<HttpAgent>;
  /** Ends every connection. */
  destroy(): void;
}

/**
 * Connections to what was judged, and to nothing else. Through a proxy, the addresses of the name as this machine finds them are judged before
 * each connection; the proxy looks the name up again, so the address that it connects to cannot be held to them. A public name that this machine
 * cannot look up is left to the proxy. Whoever makes them destroys them.
 */
export function createGuardedAgents(judge: JudgeAddress, find: FindAddresses = findAddresses): GuardedAgents {
  const agents = createOutgoingAgents({ lookup: guardedLookup(judge, find), admit: (hostname) => admitThroughProxy(hostname, judge, find) });
  return {
    async agentFor(url) {
      const literal = literalAddress(url.hostname);
      const fault = literal === undefined ? undefined : judge(literal);
      if (fault) throw fault;
      return agents.agentFor(url);
    },
    destroy: () => agents.destroy(),
  };
}

async function admitThroughProxy(hostname: string, judge: JudgeAddress, find: FindAddresses): Promise<void> {
  const found = await addressesOf(hostname, find).catch((fault: unknown) => {
    if (isInsideName(hostname)) throw fault;
    return [];
  });
  for (const { address } of found) {
    const fault = judge(address);
    if (fault) throw fault;
  }
}

/** Hands out exactly what was judged, so that a name cannot change its address in between. One bad address refuses the name. */
export function guardedLookup(judge: JudgeAddress, find: FindAddresses = findAddresses): LookupFunction {
  return (name, options, answer) => {
    const judged = async (): Promise<readonly FoundAddress[]> => {
      const found = await find(name);
      for (const { address } of found) {
        const fault = judge(address);
        if (fault) throw fault;
      }
      const fitting = found.filter(({ family }) => ![4, 6].includes(Number(options.family)) || family === options.family);
      if (fitting.length === 0) throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
      return fitting;
    };
    judged().then(
      (found) => {
        const [first] = found;
        if (options.all === true) answer(null, [...found]);
        else answer(null, first?.address ?? '', first?.family ?? 0);
      },
      (fault: unknown) => answer(errorOf(fault), '', 0),
    );
  };
}

function ownReach(address: ipaddr.IPv4 | ipaddr.IPv6): Reach | undefined {
  const range = address.range();
  if (forbidden.has(range) || cloudServices.has(address.toString())) return undefined;
  if (ownRanges.has(range)) return 'machine';
  const isRouted = address instanceof ipaddr.IPv4 || address.match(...globalUnicast);
  return range === 'unicast' && isRouted ? 'public' : 'private';
}

/** Mapped, compatible (RFC 4291, 2.5.5), translated (RFC 6052, 8215, 7915), 6to4 (RFC 3056) and Teredo (RFC 4380). */
function carriedBy(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  const [first, second, third, fourth, fifth, sixth] = address.parts as [number, number, number, number, number, number];
  const tail = bytes.slice(12);
  if (first === 0x2002) return new ipaddr.IPv4(bytes.slice(2, 6));
  if (first === 0x2001 && second === 0) return new ipaddr.IPv4(tail.map((byte) => byte ^ 0xff));
  const isTranslated = first === 0x64 && second === 0xff9b;
  const isOld = [first, second, third, fourth].every((part) => part === 0) && [0, 0xffff].includes(fifth) && [0, 0xffff].includes(sixth);
  return isTranslated || isOld ? new ipaddr.IPv4(tail) : undefined;
}
