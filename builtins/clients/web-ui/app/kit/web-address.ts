// Validates typed or received web addresses. Pure.
import { isPlaceholderName } from '#lib/hosts';

/** The default address of the account site is a placeholder that never resolves. */
export function isPlaceholderSite(address: string): boolean {
  return !URL.canParse(address) || isPlaceholderName(new URL(address).hostname);
}

/** Only web addresses are opened. */
export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
}
