// What the name or the address of a host tells by itself: nothing is looked up. Runs in browsers, too.

/** Without the brackets of an IPv6 address and the dot of the root, in lower case. */
export function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** The address of IPv4 that a socket of IPv6 gives its peer (`::ffff:192.0.2.7`) as such; anything else as it is. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Whether a host is this machine and nobody else reaches it there: of a peer, of an address to listen at, of a URL. */
export function isLoopback(host: string): boolean {
  return /^(localhost|::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(bareHost(host));
}

/** Whether a name stands for one that nobody has set: such names never lead anywhere (RFC 6761). */
export function isPlaceholderName(hostname: string): boolean {
  return bareHost(hostname).endsWith('.invalid');
}

/** Whether a name is one of this machine or of a network that the internet does not reach, as far as the name tells. */
export function isInsideName(hostname: string): boolean {
  const name = bareHost(hostname);
  return !name.includes('.') || /(^|\.)(localhost|local|internal|home\.arpa|lan)$/.test(name);
}

/** One IPv6 customer has a whole /64, so that counts as one peer. An address with a colon is one: node's own pattern takes a millisecond to compile. */
export function networkOf(peer: string): string {
  if (!peer.includes(':')) return peer;
  const [head = '', tail] = peer.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ? tail.split(':') : [])];
  return all.slice(0, 4).join(':');
}

/** Whether the list (`host` or `host:port`, with commas between) names the host of the address. */
export function isListedHost(url: URL, list: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const names = list.toLowerCase().split(',').map((name) => name.trim()); // prettier-ignore
  return names.includes(url.hostname) || names.includes(`${url.hostname}:${port}`);
}

/** Whether a host is on this machine or in a private or link-local network, as far as its name or address shows. Takes the host of a parsed URL. */
export function isLocalNetworkHost(hostname: string): boolean {
  const name = bareHost(hostname);
  if (name.includes(':')) return /^(::1$|::ffff:|f[cd]|fe[89ab])/.test(name);
  if (/^\d+(\.\d+){3}$/.test(name)) return /^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168)\./.test(name);
  return isInsideName(name);
}

/** An address as it may be shown: without user name, password, query and hash. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}
