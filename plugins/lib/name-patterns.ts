// Matches names against wildcard patterns. Also runs in browsers.

/** Returns whether a name matches a pattern in which `*` stands for any text. The time is proportional to at most the name length times the pattern length. */
export function fitsPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}
