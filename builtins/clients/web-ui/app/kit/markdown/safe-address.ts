// Decides which addresses of a text may become links and pictures. All others stay text.

/** Returns the address of a link; `undefined` if it must not be clickable. Relative addresses would lead into the page itself, so they are excluded. */
export function safeLink(href: string | undefined): string | undefined {
  const url = parse(href);
  if (!url) return undefined;
  return url.protocol === 'http:' || url.protocol === 'https:' || url.protocol === 'mailto:' ? url.href : undefined;
}

export type Picture =
  { readonly kind: 'shown'; readonly src: string } | { readonly kind: 'remote'; readonly src: string; readonly host: string } | { readonly kind: 'none' };

/** Classifies the address of a picture: embedded pictures are shown, remote ones are loaded on click. */
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
