// Restricts outgoing connections by the network zone of their address. The address is checked when connecting.
import { lookup } from 'node:dns';
import type { Agent as HttpAgent } from 'node:http';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { errorOf } from './errors.ts';
import { bareHost, isInsideName } from './hosts.ts';
import { createOutgoingAgents } from './outgoing.ts';

/** Network zone of an address, ordered from the public network to this machine. */
export type Reach = 'public' | 'private' | 'machine';

export interface FoundAddress {
  readonly address: string;
  readonly family: number;
}

/** Returns all addresses of a name. Rejects as `dns.lookup` does. */
export type FindAddresses = (name: string) => Promise<readonly FoundAddress[]>;

/** Returns an error if connections to the address are forbidden. */
export type JudgeAddress = (address: string) => Error | undefined;

const order: readonly Reach[] = ['public', 'private', 'machine'];
/** Cloud metadata services at addresses that are not link-local. */
const cloudServices = new Set(['fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']);
/** Ranges to which connections are always forbidden: multicast, broadcast, and link-local, which includes cloud metadata services. */
const forbidden = new Set(['linkLocal', 'multicast', 'broadcast']);
/** Ranges of peers on this machine, this link or a private network. */
const nearby = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);
/** Ranges of this machine; systems also treat `0.0.0.0` and `::` as this machine. */
const ownRanges = new Set(['loopback', 'unspecified']);
/** RFC 4291, 2.4: the only IPv6 range that is routed in the public network. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Returns the zone of an address in text form; `undefined` for forbidden addresses: link-local, cloud services, multicast, invalid text. An address that embeds
 * an IPv4 address has the zone of that address, but is never public.
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

export function isPublicAddress(address: string): boolean {
  return reachOf(address) === 'public';
}

/**
 * Returns whether the peer of a connection is on this machine, this link or a private network, including a VPN. Only the range of the address itself counts: a
 * peer whose IPv6 address embeds an IPv4 address (NAT64, 6to4, Teredo) came through the public network.
 */
export function isNearby(peer: string): boolean {
  const plain = peer.split('%', 1)[0] ?? '';
  // An IPv4-mapped address has the range of its IPv4 address.
  return ipaddr.isValid(plain) && nearby.has(ipaddr.process(plain).range());
}

/** Returns whether the zone `reach` is closer to this machine than the zone `than`. */
export function isFurtherIn(reach: Reach, than: Reach): boolean {
  return order.indexOf(reach) > order.indexOf(than);
}

/** Returns the most public zone of all addresses of a host. */
export function outermostReach(addresses: readonly string[]): Reach {
  return order[Math.min(...addresses.map((address) => order.indexOf(reachOf(address) ?? 'public')))] ?? 'public';
}

/** Returns the address if the host of a URL is a literal address, which needs no name resolution. */
export function literalAddress(hostname: string): string | undefined {
  const bare = bareHost(hostname);
  return ipaddr.isValid(bare) ? bare : undefined;
}

/** Resolves a name with the resolver of the system. */
export const findAddresses: FindAddresses = (name) =>
  new Promise((resolve, reject) => lookup(name, { all: true }, (fault, found) => (fault ? reject(fault) : resolve(found))));

/** Resolves a host name to its addresses; returns an IP address unchanged. */
export async function addressesOf(hostname: string, find: FindAddresses = findAddresses): Promise<readonly FoundAddress[]> {
  const literal = literalAddress(hostname);
  if (literal === undefined) return find(bareHost(hostname));
  return [{ address: literal, family: ipaddr.parse(literal) instanceof ipaddr.IPv4 ? 4 : 6 }];
}

export interface GuardedAgents {
  /** Returns the agent for a URL. Rejects with the judge's error if the host is a forbidden address. */
  agentFor(url: URL): Promise<HttpAgent>;
  /** Ends all connections. */
  destroy(): void;
}

/**
 * Creates agents that connect only to checked addresses. With a proxy, the addresses that this machine resolves are checked before each connection, but the
 * proxy resolves the name again, so the actual target cannot be enforced; names that this machine cannot resolve are left to the proxy. The caller must destroy
 * the agents.
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

/**
 * Creates a lookup function that returns exactly the checked addresses, so a name cannot resolve to another address after the check. If one address is
 * forbidden, the name is rejected.
 */
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

/**
 * Returns the IPv4 address embedded in an IPv6 address: mapped, compatible (RFC 4291, 2.5.5), translated (RFC 6052, 8215, 7915), 6to4 (RFC 3056), Teredo (RFC
 * 4380).
 */
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
