// Validates the addresses to which the license may be sent.
import { isLoopback, isPlaceholderName } from '#lib/hosts';

/** Returns why the license must not be sent to the address, as a sentence without the final period; `undefined` if it may be sent. */
export function whyNotTo({ protocol, hostname, origin }: URL): string | undefined {
  if (isPlaceholderName(hostname)) return "no control plane is set: set AGENT_HUB_SITE_URL to its address, or run 'app login --site ADDRESS'";
  if (protocol !== 'https:' && !isLoopback(hostname)) return `${origin} is on another machine and does not use TLS`;
  return undefined;
}
