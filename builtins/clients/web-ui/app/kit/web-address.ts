// Validates web addresses that were typed or received. Pure.
import { isPlaceholderName } from '#lib/hosts';

/** Returns whether an address is a placeholder; the default address of the account site never resolves. */
export function isPlaceholderSite(address: string): boolean {
  return !URL.canParse(address) || isPlaceholderName(new URL(address).hostname);
}

/** Returns whether an address is a web address; other addresses are not opened. */
export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
}
