// How deep a JSON text is nested, found without building anything: what walks a value later does so level by level.

/** No body of ours comes near it, and everything that copies or prints a value can still go that deep. */
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

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
