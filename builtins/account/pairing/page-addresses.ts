// Where other devices reach the page: the addresses of this machine that the server listens on.
import { networkInterfaces } from 'node:os';
import type { HttpAddress } from 'agent-harness/plugins/http';

export interface PageAddresses {
  /** Without a slash at the end; at least one. */
  readonly urls: readonly [string, ...string[]];
  /** Only from this machine. */
  readonly isLocalOnly: boolean;
}

const wildcards = ['0.0.0.0', '::'];

export function findPageAddresses({ host, port, url }: HttpAddress, interfaces = networkInterfaces()): PageAddresses {
  if (!wildcards.includes(host)) {
    const name = new URL(url).hostname;
    return { urls: [url], isLocalOnly: name === 'localhost' || name === '[::1]' || name.startsWith('127.') };
  }
  const outside = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, address }) => !internal && (family === 'IPv4' || host === '::') && !address.startsWith('fe80:'))
    .sort((left, right) => left.family.localeCompare(right.family))
    .map(({ address }) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`);
  const [first = url, ...rest] = outside;
  return { urls: [first, ...rest], isLocalOnly: outside.length === 0 };
}
