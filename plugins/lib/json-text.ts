// Inspects and repairs JSON text before it is parsed: nesting depth, duplicate names, and unpaired surrogates.

/** Maximum nesting depth of JSON: far more than any body of the product needs, and low enough for recursive code. */
export const maxJsonDepth = 500;

/** Returns whether JSON is nested more than `limit` levels deep. Accepts any text; the result is meaningless for invalid JSON. */
export function isNestedDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '[' || sign === '{') {
      if (++depth > limit) return true;
    } else if (sign === ']' || sign === '}') depth--;
  }
  return false;
}

/**
 * Returns a name that occurs twice in the outermost object; parsers differ in which value they use. Contract: the text is a JSON object, optionally surrounded
 * by white space.
 */
export function nameTwiceIn(text: string): string | undefined {
  const seen = new Set<string>();
  let depth = 0;
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      if (isName) {
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        if (seen.size === seen.add(name).size) return name;
      }
      isName = false;
      at = end;
    } else if (sign === '[' || sign === '{') isName = ++depth === 1;
    else if (sign === ']' || sign === '}') depth--;
    else if (sign === ',') isName = depth === 1;
  }
  return undefined;
}

/** Replaces each unpaired surrogate in a string or a name with U+FFFD, because providers reject requests that contain one. */
export function wellFormedJson(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|[^])/g, (sign) =>
      sign.length === 6 ? '\\ufffd' : sign,
    );
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
