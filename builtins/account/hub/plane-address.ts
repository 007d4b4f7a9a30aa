// Validates the address that may receive the license.
import { isLoopback, isPlaceholderName } from '#lib/hosts';

/** Why it may not be sent to that address, as a sentence without its end; `undefined` if it may. */
export function whyNotTo({ protocol, hostname, origin }: URL): string | undefined {
  if (isPlaceholderName(hostname)) return "no control plane is set: put its address into AGENT_HUB_SITE_URL, or run 'app login --site ADDRESS'";
  if (protocol !== 'https:' && !isLoopback(hostname)) return `${origin} is on another machine and speaks no TLS`;
  return undefined;
}
