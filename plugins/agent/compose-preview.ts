// Follows the JSON text of a call while the model writes it, and gives out what is new of the file it will write.

/** What is new: `path` once it is known, and the characters that came in. */
export interface ComposeDelta {
  readonly path: string;
  readonly offset: number;
  readonly delta: string;
  readonly lines: number;
  readonly done: boolean;
}

type State = 'between' | 'key' | 'after-key' | 'string' | 'other' | 'end';

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', '\\': '\\', '/': '/' };

/** @returns a function that takes the next piece of JSON text and answers what it adds, if anything */
export function createComposeScanner(pathKey: string, contentKey: string): (piece: string) => ComposeDelta | undefined {
  let state: State = 'between';
  let depth = 0;
  let key = '';
  let path = '';
  let escape = '';
  let isNestedString = false;
  let offset = 0;
  let lines = 1;
  let isDone = false;

  /** One character inside a string: `undefined` while an escape is incomplete, `'end'` at its closing quote. */
  function decode(character: string): { text: string } | 'end' | undefined {
    if (escape !== '') {
      escape += character;
      if (escape[1] !== 'u') {
        const text = escapes[escape[1] ?? ''] ?? '';
        escape = '';
        return { text };
      }
      if (escape.length < 6) return undefined;
      const text = String.fromCharCode(Number.parseInt(escape.slice(2), 16) || 0xfffd);
      escape = '';
      return { text };
    }
    if (character === '\\') {
      escape = '\\';
      return undefined;
    }
    return character === '"' ? 'end' : { text: character };
  }

  /** A value that is no top-level string: skipped, with its own strings and brackets. */
  function skip(character: string): void {
    if (isNestedString) {
      if (decode(character) === 'end') isNestedString = false;
    } else if (character === '"') isNestedString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) state = 'end';
    } else if (character === ',' && depth === 1) state = 'between';
  }

  function take(character: string): string {
    switch (state) {
      case 'between':
        if (character === '{' && depth === 0) depth = 1;
        else if (character === '"') [state, key] = ['key', ''];
        else if (character === '}') state = 'end';
        return '';
      case 'key': {
        const decoded = decode(character);
        if (decoded === 'end') state = 'after-key';
        else if (decoded) key += decoded.text;
        return '';
      }
      case 'after-key':
        if (character === '"') state = 'string';
        else if (character !== ':' && character.trim() !== '') {
          state = 'other';
          skip(character);
        }
        return '';
      case 'string': {
        const decoded = decode(character);
        if (decoded === 'end') {
          if (key === contentKey) isDone = true;
          state = 'between';
          return '';
        }
        if (!decoded) return '';
        if (key === pathKey) path += decoded.text;
        return key === contentKey ? decoded.text : '';
      }
      case 'other':
        skip(character);
        return '';
      case 'end':
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
