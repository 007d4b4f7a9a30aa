// Addresses of the web, as somebody typed or sent them. Pure.

/** The default address of the account site is a placeholder that leads nowhere. */
export function isPlaceholderSite(address: string): boolean {
  return !URL.canParse(address) || new URL(address).hostname.endsWith('.invalid');
}

/** Only addresses of the web are opened. */
export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
}
