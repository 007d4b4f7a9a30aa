// How far into this network an address lies, and whether a server that lies so far itself may send us there.
import ipaddr from 'ipaddr.js';

/** From the outside in. */
export type Reach = 'public' | 'private' | 'machine';

const order: readonly Reach[] = ['public', 'private', 'machine'];
/** Where machines in clouds are told their keys, at addresses that are not link-local. */
const cloudServices = new Set(['fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']);
const privateRanges = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);

/** `undefined` for addresses that no server sends anybody to: link-local ones, services of clouds, groups, none at all. */
function judge(address: string): Reach | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  if (cloudServices.has(parsed.toString())) return undefined;
  const range = parsed.range();
  if (range === 'unicast') return 'public';
  if (range === 'loopback') return 'machine';
  return privateRanges.has(range) ? 'private' : undefined;
}

/** @param addresses of one host: one that is partly outside counts as outside */
export function reachOf(addresses: readonly string[]): Reach {
  const reaches = addresses.map((address) => order.indexOf(judge(address) ?? 'public'));
  return order[Math.min(...reaches)] ?? 'public';
}

/** What is wrong with going there, to be put after "which is". @param reach of the server that names the address */
export function whyRefused(address: string, reach: Reach, isEncrypted: boolean): string | undefined {
  const found = judge(address);
  if (found === undefined) return 'an address that no server may name';
  if (order.indexOf(found) > order.indexOf(reach)) return 'an address inside of this network';
  return found === 'public' && !isEncrypted ? 'not encrypted' : undefined;
}
