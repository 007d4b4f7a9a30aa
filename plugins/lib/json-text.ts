// Reads and mends JSON texts before they are parsed: how deep they are nested, which names they have twice, and halves of surrogate pairs.

/** No body of ours comes near it, and everything that walks, copies or prints a value can still go that deep. */
export const maxJsonDepth = 500;

/** Contract: any text; of one that is no JSON the answer means nothing. */
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
 * A name that the outermost object has twice: of two values readers take the first, the last, or none. Contract: the text is a JSON object, with
 * blanks around it or not.
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

/** The same JSON, with U+FFFD for each half of a surrogate pair that stands alone in a text or a name: no provider takes a request that holds one. */
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
