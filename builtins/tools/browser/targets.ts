// Decides which targets pages may connect to: public addresses, checked after resolving the name, and targets from the settings.
import { bareHost } from '#lib/hosts';
import { addressesOf, isPublicAddress, type FoundAddress } from '#lib/net';
import { listIn } from '#lib/text';

export type Ruling = { readonly addresses: readonly FoundAddress[] } | { readonly why: string; readonly isRefused: boolean };

/**
 * Resolves a host and checks all its addresses; if any of them is not public, the host is refused.
 * @param allowed comma-separated list of `host` or `host:port`
 */
export async function judgeTarget(host: string, port: number, allowed: string): Promise<Ruling> {
  const name = bareHost(host);
  const isNamed = listIn(allowed.toLowerCase()).some(
    (entry) => entry === name || entry === `${name}:${port}` || entry === `[${name}]` || entry === `[${name}]:${port}`,
  );
  let addresses: readonly FoundAddress[];
  try {
    addresses = await addressesOf(name);
  } catch {
    return { why: `${name} has no address.`, isRefused: false };
  }
  if (isNamed) return { addresses };
  const refused = addresses.find(({ address }) => !isPublicAddress(address));
  if (!refused) return addresses.length > 0 ? { addresses } : { why: `${name} has no address.`, isRefused: false };
  const what = refused.address === name ? name : `${name} (${refused.address})`;
  return { why: `${what} is a private, loopback or reserved address, which pages may not access.`, isRefused: true };
}
