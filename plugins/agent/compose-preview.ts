// Parses the JSON text of a tool call while it streams, and emits each new part of the text that the tool will write to a file.

/** The new characters, and `path` once it is known. */
export interface ComposeDelta {
  readonly path: string;
  readonly offset: number;
  readonly delta: string;
  readonly lines: number;
  readonly done: boolean;
}

/** The meaning of the string being read. */
type Role = 'key' | 'path' | 'content' | 'other';

interface Container {
  readonly isObject: boolean;
  /** Key of the field being read; empty in a list. */
  key: string;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', '\\': '\\', '/': '/' };

/**
 * Creates the scanner of one tool call.
 * @param pathKey name of the field that contains the path of the file
 * @param contentKeys names of the fields that contain the text: `content`, or `edits.replace` for that field of each object in a list; line breaks separate
 * several texts
 * @returns a function that takes the next piece of JSON text and returns its delta, if there is one
 */
export function createComposeScanner(pathKey: string, contentKeys: readonly string[]): (piece: string) => ComposeDelta | undefined {
  const open: Container[] = [];
  let role: Role | undefined;
  let expectsKey = false;
  let text = '';
  let path = '';
  let escape = '';
  let offset = 0;
  let lines = 1;
  let hasContent = false;
  let isDone = false;

  /** Decodes one character inside a string. Returns `undefined` while an escape sequence is incomplete, and `'end'` at the closing quote. */
  function decode(character: string): { text: string } | 'end' | undefined {
    if (escape !== '') {
      escape += character;
      if (escape[1] !== 'u') {
        const decoded = escapes[escape[1] ?? ''] ?? '';
        escape = '';
        return { text: decoded };
      }
      if (escape.length < 6) return undefined;
      const decoded = String.fromCharCode(Number.parseInt(escape.slice(2), 16) || 0xfffd);
      escape = '';
      return { text: decoded };
    }
    if (character === '\\') {
      escape = '\\';
      return undefined;
    }
    return character === '"' ? 'end' : { text: character };
  }

  function keyPath(): string {
    return open
      .filter((container) => container.isObject)
      .map((container) => container.key)
      .join('.');
  }

  /** Returns the line break that precedes each text but the first. */
  function beginString(): string {
    const container = open.at(-1);
    text = '';
    if (expectsKey) role = 'key';
    else if (container?.isObject && keyPath() === pathKey) role = 'path';
    else if (container?.isObject && contentKeys.includes(keyPath())) role = 'content';
    else role = 'other';
    if (role !== 'content') return '';
    const separator = hasContent ? '\n' : '';
    hasContent = true;
    return separator;
  }

  function endString(): void {
    const container = open.at(-1);
    if (role === 'key' && container) container.key = text;
    if (role === 'content' && open.length === 1) isDone = true;
    expectsKey = false;
    role = undefined;
  }

  function takeInString(character: string): string {
    const decoded = decode(character);
    if (decoded === 'end') endString();
    else if (decoded && role === 'key') text += decoded.text;
    else if (decoded && role === 'path') path += decoded.text;
    else if (decoded && role === 'content') return decoded.text;
    return '';
  }

  function take(character: string): string {
    if (role !== undefined) return takeInString(character);
    switch (character) {
      case '"':
        return beginString();
      case '{':
      case '[':
        open.push({ isObject: character === '{', key: '' });
        expectsKey = character === '{';
        return '';
      case '}':
      case ']':
        open.pop();
        expectsKey = false;
        if (hasContent && open.length <= 1) isDone = true;
        return '';
      case ',':
        expectsKey = open.at(-1)?.isObject === true;
        return '';
      default:
        return '';
    }
  }

  return (piece) => {
    const wasDone = isDone;
    let delta = '';
    for (const character of piece) delta += take(character);
    if (delta === '' && isDone === wasDone) return undefined;
    for (const character of delta) if (character === '\n') lines++;
    const result = { path, offset, delta, lines, done: isDone };
    offset += delta.length;
    return result;
  };
}
