// The charset of a text, found as browsers find it: byte order mark, then header, then what the page says of itself.

/** How far into a page its own word for it is looked for (HTML, 13.2.3.2). */
const prescanBytes = 1024;

/** A charset that `TextDecoder` takes; UTF-8 where nothing says another. */
export function charsetOf(bytes: Uint8Array, contentType: string, isHtml: boolean): string {
  const inHeader = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];
  return markedCharset(bytes) ?? known(inHeader) ?? prescan(bytes, isHtml) ?? 'utf-8';
}

/** By the byte order mark. */
export function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/** What `meta` of a page or an XML declaration say; comments do not count. */
function prescan(bytes: Uint8Array, isHtml: boolean): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, prescanBytes))
    .toString('latin1')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const declared = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]+)/.exec(head)?.[1];
  for (const [tag] of isHtml ? head.matchAll(/<meta[\s/][^>]*>/gi) : []) {
    const found = known(/\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tag)?.[1]);
    // A page that could be read so far is not in UTF-16, whatever it says.
    if (found) return found.startsWith('utf-16') ? 'utf-8' : found;
  }
  return known(declared);
}

function known(charset: string | undefined): string | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}
