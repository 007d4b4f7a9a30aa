// Decides which addresses in a text may become links and images. All others stay text.

/** Returns the address of a link; `undefined` if it must not be clickable. Relative addresses are excluded, because they would point into the page itself. */
export function safeLink(href: string | undefined): string | undefined {
  const url = parse(href);
  if (!url) return undefined;
  return url.protocol === 'http:' || url.protocol === 'https:' || url.protocol === 'mailto:' ? url.href : undefined;
}

export type Picture =
  { readonly kind: 'shown'; readonly src: string } | { readonly kind: 'remote'; readonly src: string; readonly host: string } | { readonly kind: 'none' };

/** Classifies the address of an image: embedded images are shown, remote images are loaded on click. */
export function pictureOf(src: string | undefined): Picture {
  if (src !== undefined && /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+$/i.test(src)) return { kind: 'shown', src };
  const url = parse(src);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return { kind: 'none' };
  return { kind: 'remote', src: url.href, host: url.host };
}

function parse(address: string | undefined): URL | undefined {
  if (address === undefined || !/^[a-z][a-z0-9+.-]*:/i.test(address.trim())) return undefined;
  return URL.canParse(address) ? new URL(address) : undefined;
}
