// Where pages may connect to: public addresses, after the name was resolved, and what the settings name.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Address {
  readonly address: string;
  readonly family: number;
}

export type Ruling = { readonly addresses: readonly Address[] } | { readonly why: string; readonly isRefused: boolean };

/**
 * Resolves a host and judges every address it has: one that is not public refuses the host.
 * @param allowed comma list of `host` or `host:port`
 */
export async function judgeTarget(host: string, port: number, allowed: string): Promise<Ruling> {
  const name = plainHost(host);
  const isNamed = listOf(allowed).some((entry) => entry === name || entry === `${name}:${port}` || entry === `[${name}]` || entry === `[${name}]:${port}`);
  const literal = isIP(name);
  let addresses: readonly Address[];
  try {
    addresses = literal === 0 ? await lookup(name, { all: true }) : [{ address: name, family: literal }];
  } catch {
    return { why: `${name} has no address.`, isRefused: false };
  }
  if (isNamed) return { addresses };
  const refused = addresses.find(({ address }) => !isPublic(address));
  if (!refused) return addresses.length > 0 ? { addresses } : { why: `${name} has no address.`, isRefused: false };
  const what = refused.address === name ? name : `${name} (${refused.address})`;
  return { why: `${what} is a private, loopback or reserved address, which pages may not reach.`, isRefused: true };
}

/** Only what is routed in the public network; an IPv4 address inside an IPv6 one counts as what it is. */
export function isPublic(address: string): boolean {
  const plain = address.split('%', 1)[0] ?? '';
  return ipaddr.isValid(plain) && ipaddr.process(plain).range() === 'unicast';
}

function plainHost(host: string): string {
  return host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function listOf(allowed: string): string[] {
  return allowed
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
}
