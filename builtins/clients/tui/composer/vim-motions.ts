// Computes the targets of vim motions and text objects. Offsets are in UTF-16 code units.

export const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

/** Returns the offset of the line end, or the length of the text. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/**
 * Returns the target of a motion. Inclusive motions (`e`, `$`, `f`, `t`) return the offset after their last character.
 * @returns undefined if the motion fails, as `fx` does without an x
 */
export function motionTarget(text: string, caret: number, motion: string, count: number): number | undefined {
  const sign = motion.slice(1);
  switch (motion[0]) {
    case '0':
      return lineStart(text, caret);
    case '^':
      return lineStart(text, caret) + (/^[^\S\n]*/.exec(text.slice(lineStart(text, caret)))?.[0].length ?? 0);
    case '$':
      return lineEnd(text, caret);
    case 'g':
      return 0;
    case 'G':
      return lineStart(text, text.length);
    case 'w':
    case 'W':
    case 'b':
    case 'B':
    case 'e':
    case 'E':
      return repeated(caret, count, (at) => wordTarget(text, at, motion));
    case 'f':
    case 't': {
      const found = repeated(caret, count, (at) => {
        const next = text.indexOf(sign, at + 1);
        return next < 0 || next >= lineEnd(text, caret) ? undefined : next;
      });
      return found === undefined ? undefined : motion[0] === 'f' ? found + sign.length : found;
    }
    case 'F':
    case 'T': {
      const found = repeated(caret, count, (at) => {
        const next = at === 0 ? -1 : text.lastIndexOf(sign, at - 1);
        return next < lineStart(text, caret) ? undefined : next;
      });
      return found === undefined ? undefined : motion[0] === 'F' ? found : found + sign.length;
    }
    default:
      return undefined;
  }
}

function repeated(from: number, count: number, step: (at: number) => number | undefined): number | undefined {
  let at: number | undefined = from;
  for (let done = 0; done < count && at !== undefined; done++) at = step(at);
  return at;
}

function wordTarget(text: string, at: number, motion: string): number {
  const word = motion === motion.toUpperCase() ? '(?:\\S+)' : '(?:[\\p{L}\\p{N}_]+|[^\\s\\p{L}\\p{N}_]+)';
  switch (motion.toLowerCase()) {
    case 'w':
      return at + (new RegExp(`^${word}?\\s*`, 'u').exec(text.slice(at))?.[0].length ?? 0);
    case 'e':
      return at + 1 + (new RegExp(`^\\s*${word}`, 'u').exec(text.slice(at + 1))?.[0].length ?? Math.max(0, text.length - at - 1));
    default:
      return new RegExp(`${word}\\s*$`, 'u').exec(text.slice(0, at))?.index ?? 0;
  }
}

/** Returns the start and end of the word at the caret: `iw`, or `aw` with the white space after it, or before it if there is none after it. */
export function wordAround(text: string, caret: number, object: string): readonly [from: number, to: number] {
  const kindOf = (at: number): string => {
    const sign = text[at] ?? '\n';
    if (sign === '\n') return 'line end';
    if (/\s/.test(sign)) return 'space';
    return object[1] === 'W' || /[\p{L}\p{N}_]/u.test(sign) ? 'word' : 'sign';
  };
  const grow = (at: number, kind: string): number => {
    while (kindOf(at) === kind) at++;
    return at;
  };
  const kind = kindOf(caret);
  if (kind === 'line end') return [caret, caret];
  let from = caret;
  while (from > 0 && kindOf(from - 1) === kind) from--;
  const to = grow(caret, kind);
  if (object[0] === 'i') return [from, to];
  const behind = grow(to, 'space');
  if (behind === to) while (from > 0 && kindOf(from - 1) === 'space') from--;
  return [from, behind];
}
