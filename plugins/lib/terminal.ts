// Renders third-party terminal output as text: removes colours and all characters that are unsafe for a terminal, and applies overwriting. Also runs in
// browsers, which lack Node's function for removing escape sequences.

const special = /[\u001b\u009b\b\r]/;
const overwriting = /[\r\b]/;
/** Matches the "erase in line" sequence: to the end of the line (0 or no number), to its start (1), or the whole line (2). */
const eraseLine = /(?:\u001b\[|\u009b)([012]?)K/y;
/** Matches all other escape sequences, which have no width. */
const escape = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\-_]/y;
const escapes = new RegExp(`${escape.source}|[\\u001b\\u009b]`, 'g');

/**
 * Matches characters that could move the cursor, start a sequence, end a line in some terminals only, or change the reading direction. Does not match tabs and
 * line feeds. No other module may define such a table.
 */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const everyUnsafe = new RegExp(unsafe.source, 'g');

/** Removes all characters that a terminal would interpret. Text from models, tools and pages must not move the cursor or hide text that needs approval. */
export function makeSafe(text: string): string {
  return unsafe.test(text) ? text.replace(everyUnsafe, '') : text;
}

/** Renders output as text. Applies only the cursor movements within a line: carriage return and backspace. */
export function renderOutput(text: string): string {
  return special.test(text) ? text.split('\n').map(renderLine).join('\n') : text;
}

function renderLine(line: string): string {
  const ended = line.replace(/\r+$/, '');
  return (overwriting.test(ended) ? overwrite(ended) : ended).replace(escapes, '');
}

function overwrite(line: string): string {
  const cells: string[] = [];
  let column = 0;
  for (let at = 0; at < line.length;) {
    const erased = matchAt(eraseLine, line, at);
    const skipped = erased ?? matchAt(escape, line, at);
    if (skipped) {
      if (erased?.[1] === '1') cells.fill(' ', 0, column + 1);
      else if (erased?.[1] === '2') cells.fill(' ');
      else if (erased) cells.length = Math.min(cells.length, column);
      at += skipped[0].length;
      continue;
    }
    const char = String.fromCodePoint(line.codePointAt(at) ?? 0);
    if (char === '\r') column = 0;
    else if (char === '\b') column = Math.max(0, column - 1);
    else {
      while (cells.length < column) cells.push(' ');
      cells[column++] = char;
    }
    at += char.length;
  }
  return cells.join('').trimEnd();
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  if (text[at] !== '\u001b' && text[at] !== '\u009b') return null;
  pattern.lastIndex = at;
  return pattern.exec(text);
}
