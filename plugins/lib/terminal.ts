// Text of others in a terminal: what it would show of an output, without colours and with what was written over something in its place,
// and what must never reach one. Runs in browsers, too, which have no function of node's that takes escapes out.

const special = /[\u001b\u009b\b\r]/;
const overwriting = /[\r\b]/;
/** Erase in line: to its end (also without a number), to its start, all of it. */
const eraseLine = /(?:\u001b\[|\u009b)([012]?)K/y;
/** Whatever else begins with an escape and has no width. */
const escape = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\-_]/y;
const escapes = new RegExp(`${escape.source}|[\\u001b\\u009b]`, 'g');

/**
 * What could move the cursor, begin a sequence, end a line in one terminal and not in another, or turn the reading order. The one table
 * of it. Tabs and line feeds are no part of it.
 */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const everyUnsafe = new RegExp(unsafe.source, 'g');

/** A text of models, tools and pages without anything that a terminal would obey: it must not move the cursor or hide what a person approves. */
export function makeSafe(text: string): string {
  return unsafe.test(text) ? text.replace(everyUnsafe, '') : text;
}

/** Of cursor movements only those within a line count: carriage return and backspace. */
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
