// Determines the client address of a request that may have passed through a proxy.
import { BlockList, isIP } from 'node:net';
import type { RouteContext } from 'agent-harness/plugins/http';
import { isLoopback, plainAddress } from '#lib/hosts';

/** Parses a comma-separated list of addresses and networks, such as `10.0.0.0/8, 192.0.2.7`. Reports the first invalid part. */
export function readNetworks(list: string): { readonly networks: BlockList; readonly fault?: string } {
  const networks = new BlockList();
  for (const part of list.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const [address = '', prefix] = part.split('/', 2);
    const family = isIP(address);
    const bits = prefix === undefined ? undefined : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (family === 0 || (bits !== undefined && !(bits <= (family === 4 ? 32 : 128)))) return { networks, fault: part };
    const kind = family === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) networks.addAddress(address, kind);
    else networks.addSubnet(address, bits, kind);
  }
  return { networks };
}

/**
 * If the socket's peer is a trusted proxy, returns the last address in `X-Forwarded-For` that is not a trusted proxy; otherwise returns the peer.
 * @param isBehindProxy whether a proxy on this machine is trusted
 */
export function clientAddress(
  { peer, headers }: Pick<RouteContext, 'peer' | 'headers'>,
  { isBehindProxy, networks }: { readonly isBehindProxy: boolean; readonly networks: BlockList },
): string {
  const isTrusted = (address: string): boolean => {
    const family = isIP(address);
    return family !== 0 && ((isBehindProxy && isLoopback(address)) || networks.check(address, family === 4 ? 'ipv4' : 'ipv6'));
  };
  const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  let client = peer;
  // Each proxy appends the address of its client, so entries before the first untrusted one may be forged.
  while (isTrusted(client)) {
    const next = plain(forwardedFor.pop()?.trim() ?? '');
    if (isIP(next) === 0) return client;
    client = next;
  }
  return client;
}

/** Returns an address without the brackets and the port that some proxies add. */
function plain(address: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(address) ?? [];
  const [, dotted] = /^(\d+(?:\.\d+){3}):\d+$/.exec(address) ?? [];
  return plainAddress(bracketed ?? dotted ?? address);
}
