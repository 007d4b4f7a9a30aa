// Selects the proxy for a URL from HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY. Loopback addresses never use a proxy.
import { BlockList, isIP } from 'node:net';
import { bareHost, isLoopback } from './hosts.ts';
import { normalizeProxy, tryNormalize } from './setting-texts.ts';

export interface UsedProxy {
  /** Address of the proxy, which may contain a user name and a password. */
  readonly url: URL;
  readonly variable: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const names = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'] as const;

/** Returns the proxy for a URL; `undefined` for a direct connection. Throws `KRN_ERR_SETTING_UNUSABLE` if the setting is invalid. */
export function proxyFor(url: URL, environment: Environment = process.env): UsedProxy | undefined {
  if (isThisMachine(url.hostname)) return undefined;
  const found = read(environment, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? read(environment, 'all_proxy');
  if (!found || isExcepted(url, read(environment, 'no_proxy')?.text ?? '')) return undefined;
  const { name: variable, text } = found;
  const { text: proxy = '', fault } = tryNormalize(normalizeProxy, text);
  if (fault !== undefined) throw unusable(variable, fault);
  return proxy === '' ? undefined : { url: new URL(proxy), variable };
}

/** Copies the proxy variables of a `.env` file to the environment of the process, for its requests and for the programs that it starts. */
export function adoptProxies(dotenv: Environment, environment: Record<string, string | undefined> = process.env): void {
  for (const name of names) {
    const found = read(environment, name) ? undefined : read(dotenv, name);
    if (found) environment[found.name] = found.text;
  }
}

/** Returns the set variable; the lower-case name takes precedence. */
function read(environment: Environment, lower: (typeof names)[number]): { readonly name: string; readonly text: string } | undefined {
  const name = [lower, lower.toUpperCase()].find((one) => environment[one]);
  return name === undefined ? undefined : { name, text: environment[name] ?? '' };
}

/** Returns the kernel's error for an invalid required setting. */
function unusable(variable: string, fault: string): Error {
  const message = `${variable} cannot be used: its value ${fault} Correct ${variable} or remove it.`;
  return Object.assign(new Error(message), { code: 'KRN_ERR_SETTING_UNUSABLE' });
}

/** Returns whether the host is a name or a loopback address of this machine, in any form. */
function isThisMachine(hostname: string): boolean {
  const host = bareHost(hostname);
  return isLoopback(host) || host.endsWith('.localhost') || loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('0.0.0.0');
for (const address of ['::', '::1']) loopback.addAddress(address, 'ipv6');

/** Returns whether a host is reached without a proxy. @param list names (including subdomains), addresses and networks, each with an optional port, separated by commas or blanks; `*` matches all hosts */
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
