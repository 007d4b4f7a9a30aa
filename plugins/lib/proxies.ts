// Which proxy holds for an address, by HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY. Loopback is always direct.
import { BlockList, isIP } from 'node:net';
import { bareHost, isLoopback } from './hosts.ts';
import { normalizeProxy } from './setting-texts.ts';

export type ProxyVariable = 'http_proxy' | 'https_proxy' | 'all_proxy' | 'no_proxy';

/** Returns the value of a variable, empty where it is unset. Throws where its value cannot be used. */
export type ReadProxyVariable = (name: ProxyVariable) => string;

export interface UsedProxy {
  /** May hold a user name and a password. */
  readonly url: URL;
  readonly variable: ProxyVariable;
}

let readVariable: ReadProxyVariable = readEnvironment;

/** Sets where the proxy variables are read: the process environment until then. Returns how to undo it. */
export function useProxies(read: ReadProxyVariable): () => void {
  const before = readVariable;
  readVariable = read;
  return () => {
    if (readVariable === read) readVariable = before;
  };
}

/** The proxy for an address, `undefined` where the connection is direct. Throws where the setting cannot be used. */
export function proxyFor(url: URL): UsedProxy | undefined {
  if (isThisMachine(url.hostname)) return undefined;
  const variables: readonly ProxyVariable[] = [url.protocol === 'https:' ? 'https_proxy' : 'http_proxy', 'all_proxy'];
  const variable = variables.find((name) => readVariable(name) !== '');
  if (variable === undefined || isExcepted(url, readVariable('no_proxy'))) return undefined;
  return { url: new URL(readVariable(variable)), variable };
}

/** A name of this machine, or one of its loopback addresses, in whatever form. */
function isThisMachine(hostname: string): boolean {
  const host = bareHost(hostname);
  return isLoopback(host) || host.endsWith('.localhost') || loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('0.0.0.0');
for (const address of ['::', '::1']) loopback.addAddress(address, 'ipv6');

/** @param list names (with their subdomains), addresses and networks, each perhaps with a port, separated by commas or blanks; `*` is all */
function isExcepted(url: URL, list: string): boolean {
  const host = bareHost(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list.toLowerCase().split(/[\s,]+/).some((entry) => entry !== '' && isListed(entry, host, port)); // prettier-ignore
}

function isListed(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, network = '', bits = ''] = /^([\d.]+|[\da-f:.]+)\/(\d+)$/.exec(entry) ?? [];
  if (network !== '') return isInNetwork(host, network, Number(bits));
  const [, bracketed, name = entry, ownPort] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  if (ownPort !== undefined && ownPort !== port) return false;
  const wanted = bareHost(bracketed ?? name).replace(/^\*?\./, '');
  return wanted !== '' && (host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`)));
}

function isInNetwork(host: string, network: string, bits: number): boolean {
  const [kind, ownKind] = [isIP(network), isIP(host)];
  if (kind === 0 || kind !== ownKind || bits > (kind === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const family = kind === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(network, bits, family);
  return list.check(host, family);
}

function readEnvironment(name: ProxyVariable): string {
  const text = process.env[name] || process.env[name.toUpperCase()] || '';
  return name === 'no_proxy' ? text : normalizeProxy(text);
}
