// Addresses of the web, as somebody typed or sent them. Pure.
import { isPlaceholderName } from 'agent-harness/lib/hosts';

/** The default address of the account site is a placeholder that leads nowhere. */
export function isPlaceholderSite(address: string): boolean {
  return !URL.canParse(address) || isPlaceholderName(new URL(address).hostname);
}

/** Only addresses of the web are opened. */
export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
}
