// Which addresses may be connected to: public unicast, checked when the name has been resolved.
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { lookup } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import ipaddr from 'ipaddr.js';
import { addressRefusedCode } from './web-fault.ts';

/**
 * Whether an address in text form is public unicast. Ranges are the special-purpose registries of IANA as ipaddr.js
 * knows them; of IPv6 only 2000::/3 counts, so addresses that carry an IPv4 address inside are not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3);
}

/** The address in a URL's host, where it has one instead of a name. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

export interface Agents {
  /** @param mayBePrivate the host was allowed by a person */
  agentFor(url: URL, mayBePrivate: boolean): HttpAgent | HttpsAgent;
  /** Ends every connection. */
  destroy(): void;
}

/** Whoever makes them destroys them. */
export function createAgents(): Agents {
  const open = { http: new HttpAgent(), https: new HttpsAgent() };
  const guarded = { http: new HttpAgent({ lookup: lookUpPublic }), https: new HttpsAgent({ lookup: lookUpPublic }) };
  return {
    agentFor(url, mayBePrivate) {
      const pair = mayBePrivate ? open : guarded;
      return url.protocol === 'https:' ? pair.https : pair.http;
    },
    destroy() {
      for (const agent of [open.http, open.https, guarded.http, guarded.https]) agent.destroy();
    },
  };
}

/** The connection uses exactly what is answered here, so a name cannot change its address in between. */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(Object.assign(new Error(`${hostname} is not public.`), { code: addressRefusedCode }), '', 0);
    }
    return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};
