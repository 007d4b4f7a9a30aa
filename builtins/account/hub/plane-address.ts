// Where the license may go.
import { isLoopback } from 'agent-harness/lib/hosts';

/** Why it may not go to that address, as a sentence without its end; `undefined` where it may. */
export function whyNotTo({ protocol, hostname, origin }: URL): string | undefined {
  // Such names never lead anywhere (RFC 6761), so they stand for an address that nobody has set; nothing is asked about them.
  if (hostname.endsWith('.invalid')) return 'no control plane is set: AGENT_HUB_SITE_URL is a placeholder';
  if (protocol !== 'https:' && !isLoopback(hostname)) return `${origin} is on another machine and speaks no TLS`;
  return undefined;
}
