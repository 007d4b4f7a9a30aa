// Matches globs against relative paths, in limited time for any pattern: uses no regular expressions, and does not backtrack over alternatives. Packages
// compile a pattern to a regular expression, which is unsafe because the model writes the pattern.

type Token = { readonly star: true } | { readonly star?: false; readonly matches: (char: string) => boolean };
type Segment = 'any-depth' | readonly Token[];

const maxAlternatives = 200;

/**
 * Creates a matcher that supports `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, and `**` for any number of folders. A pattern without a slash matches
 * the last component at any depth.
 */
export function createGlob(pattern: string): (path: string) => boolean {
  // An accented letter matches in its composed and its decomposed form.
  const alternatives = expandBraces(pattern.normalize('NFC').replace(/^\.?\//, '')).flatMap((one) => [
    parse(one),
    // A folder may be named `[slug]`, so a literal match is also accepted.
    ...(one.includes('[') ? [parse(one.replaceAll('[', '\\['))] : []),
  ]);
  const lastOnly = alternatives.flatMap(([first, last, ...more]) =>
    first === 'any-depth' && Array.isArray(last) && more.length === 0 ? [last as Token[]] : [],
  );
  // Most patterns match only the last component, and a search checks every file.
  const isLastOnly = lastOnly.length === alternatives.length;
  return (path) => {
    const whole = path.normalize('NFC');
    if (isLastOnly) {
      const last = whole.slice(whole.lastIndexOf('/') + 1);
      return lastOnly.some((tokens) => matchTokens(tokens, last));
    }
    const parts = whole.split('/');
    return alternatives.some((segments) => matchSegments(segments, parts));
  };
}

function parse(pattern: string): Segment[] {
  const parts = pattern.split('/').filter((part) => part !== '');
  const segments = parts.map((part): Segment => (/^\*{2,}$/.test(part) ? 'any-depth' : tokensOf(part)));
  return parts.length === 1 && segments[0] !== 'any-depth' ? ['any-depth', ...segments] : segments;
}

/** Matches row by row: `reached[i]` is true if the segments so far can match the first `i` parts. */
function matchSegments(segments: readonly Segment[], parts: readonly string[]): boolean {
  let reached = [true, ...parts.map(() => false)];
  for (const segment of segments) {
    const next = reached.map(() => false);
    for (let index = 0; index <= parts.length; index++) {
      if (segment === 'any-depth') next[index] = reached[index] === true || (index > 0 && next[index - 1] === true);
      else if (index > 0) next[index] = reached[index - 1] === true && matchTokens(segment, parts[index - 1] ?? '');
    }
    reached = next;
  }
  return reached[parts.length] === true;
}

/** Matches with the two-pointer algorithm, which backtracks only to the last star. */
function matchTokens(tokens: readonly Token[], text: string): boolean {
  let [at, token, starToken, starAt] = [0, 0, -1, 0];
  while (at < text.length) {
    const current = tokens[token];
    if (current?.star) {
      [starToken, starAt] = [token, at];
      token++;
    } else if (current?.matches(text[at] ?? '')) {
      at++;
      token++;
    } else if (starToken !== -1) {
      starAt++;
      [at, token] = [starAt, starToken + 1];
    } else return false;
  }
  return tokens.slice(token).every((one) => one.star);
}

function tokensOf(part: string): Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < part.length; index++) {
    const char = part[index] ?? '';
    const closing = char === '[' ? part.indexOf(']', index + (part[index + 1] === '!' || part[index + 1] === '^' ? 3 : 2)) : -1;
    if (char === '*') tokens.push({ star: true });
    else if (char === '?') tokens.push({ matches: () => true });
    else if (closing !== -1) {
      tokens.push({ matches: classOf(part.slice(index + 1, closing)) });
      index = closing;
    } else {
      const literal = char === '\\' && index + 1 < part.length ? (part[++index] ?? '') : char;
      tokens.push({ matches: (other) => other === literal });
    }
  }
  return tokens;
}

function classOf(body: string): (char: string) => boolean {
  const isNegated = body.startsWith('!') || body.startsWith('^');
  const members = isNegated ? body.slice(1) : body;
  const ranges: [string, string][] = [];
  for (let index = 0; index < members.length; index++) {
    const from = members[index] ?? '';
    const isRange = members[index + 1] === '-' && index + 2 < members.length;
    ranges.push([from, isRange ? (members[index + 2] ?? from) : from]);
    if (isRange) index += 2;
  }
  return (char) => ranges.some(([from, to]) => char >= from && char <= to) !== isNegated;
}

/** Expands braces, including nested ones: `a{b,c}d` → `abd`, `acd`. Braces without a comma or without a partner stay unchanged. */
function expandBraces(pattern: string): string[] {
  let done: string[] = [];
  let open = [pattern];
  while (open.length > 0 && done.length + open.length <= maxAlternatives) {
    const next: string[] = [];
    for (const one of open) {
      const match = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(one);
      if (!match) done.push(one);
      else next.push(...(match[2] ?? '').split(',').map((part) => `${match[1]}${part}${match[3]}`));
    }
    open = next;
  }
  done = [...done, ...open];
  return [...new Set(done)].slice(0, maxAlternatives);
}

/** Returns the reason, as a sentence, why a pattern cannot match anything. */
export function whyNothing(pattern: string): string | undefined {
  if (pattern.startsWith('!')) return 'A pattern cannot exclude files';
  if (/[/\\]$/.test(pattern)) return `This matches no file; try ${pattern}**`;
  return pattern.includes(',') && !pattern.includes('{') ? `Write several patterns in braces: {${pattern}}` : undefined;
}
