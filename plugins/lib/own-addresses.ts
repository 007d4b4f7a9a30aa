// Lists the URLs at which other devices can reach a server, based on the address to which it is bound.
import { networkInterfaces } from 'node:os';
import { isLoopback } from './hosts.ts';

export interface BoundAddress {
  readonly host: string;
  readonly port: number;
  /** Bound address as a URL: `http://127.0.0.1:3001`. */
  readonly url: string;
}

export interface OwnAddresses {
  /** URLs of the server without a trailing slash; at least one. */
  readonly urls: readonly [string, ...string[]];
  /** Whether only this machine can reach the server. */
  readonly isLocalOnly: boolean;
}

const wildcards = ['0.0.0.0', '::'];

export function findOwnAddresses({ host, port, url }: BoundAddress, interfaces = networkInterfaces()): OwnAddresses {
  if (!wildcards.includes(host)) {
    return { urls: [url], isLocalOnly: isLoopback(new URL(url).hostname) };
  }
  const outside = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, address }) => !internal && (family === 'IPv4' || host === '::') && !address.startsWith('fe80:'))
    .sort((left, right) => left.family.localeCompare(right.family))
    .map(({ address }) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`);
  const [first = url, ...rest] = outside;
  return { urls: [first, ...rest], isLocalOnly: outside.length === 0 };
}
