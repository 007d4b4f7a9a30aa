// Detects the charset of a text as browsers do: from the byte order mark, then the header, then the declaration in the page.

/** Number of bytes of a page that are searched for a charset declaration (HTML, 13.2.3.2). */
const prescanBytes = 1024;

/** Returns a charset that `TextDecoder` supports; UTF-8 by default. */
export function charsetOf(bytes: Uint8Array, contentType: string, isHtml: boolean): string {
  const inHeader = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];
  return markedCharset(bytes) ?? known(inHeader) ?? prescan(bytes, isHtml) ?? 'utf-8';
}

/** Returns the charset that a byte order mark indicates; `undefined` if there is no mark. */
export function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/** Reads the charset from the `meta` element of a page or from an XML declaration; ignores comments. */
function prescan(bytes: Uint8Array, isHtml: boolean): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, prescanBytes))
    .toString('latin1')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const declared = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]+)/.exec(head)?.[1];
  for (const [tag] of isHtml ? head.matchAll(/<meta[\s/][^>]*>/gi) : []) {
    const found = known(/\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tag)?.[1]);
    // A page that could be read up to here is not in UTF-16, whatever it declares.
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
