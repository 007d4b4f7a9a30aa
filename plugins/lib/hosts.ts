// Classifies host names and addresses without resolving names. Also runs in browsers.

/** Removes the brackets of an IPv6 address and a trailing dot, and converts to lower case. */
export function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** Converts an IPv4-mapped IPv6 address (`::ffff:192.0.2.7`) to IPv4; returns anything else unchanged. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Returns whether a host (a peer, a listen address, or the host of a URL) is a loopback name or address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(bareHost(host));
}

/** Returns whether a name is a reserved placeholder, which never resolves (RFC 6761). */
export function isPlaceholderName(hostname: string): boolean {
  return bareHost(hostname).endsWith('.invalid');
}

/** Returns whether the name itself shows that it belongs to this machine or a private network. */
export function isInsideName(hostname: string): boolean {
  const name = bareHost(hostname);
  return !name.includes('.') || /(^|\.)(localhost|local|internal|home\.arpa|lan)$/.test(name);
}

/**
 * Returns the network of a peer; for IPv6, the whole /64, which belongs to one customer. IPv6 is detected by the colon, because Node's own pattern takes a
 * millisecond to compile.
 */
export function networkOf(peer: string): string {
  if (!peer.includes(':')) return peer;
  const [head = '', tail] = peer.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ? tail.split(':') : [])];
  return all.slice(0, 4).join(':');
}

/** Returns whether the comma-separated list (`host` or `host:port`) contains the host of the URL. */
export function isListedHost(url: URL, list: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const names = list.toLowerCase().split(',').map((name) => name.trim()); // prettier-ignore
  return names.includes(url.hostname) || names.includes(`${url.hostname}:${port}`);
}

/** Returns whether the host name or address itself belongs to this machine or to a private or link-local network. Takes the host of a parsed URL. */
export function isLocalNetworkHost(hostname: string): boolean {
  const name = bareHost(hostname);
  if (name.includes(':')) return /^(::1$|::ffff:|f[cd]|fe[89ab])/.test(name);
  if (/^\d+(\.\d+){3}$/.test(name)) return /^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168)\./.test(name);
  return isInsideName(name);
}

/** Returns a URL for display, without user name, password, query and hash. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}
