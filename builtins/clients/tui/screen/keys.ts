// Parses terminal input into keys, pastes and replies. A chunk may end anywhere, even inside a sequence.

export interface Key {
  readonly kind: 'key';
  /** `enter`, `tab`, `escape`, `backspace`, `delete`, `up`, `home`, `page-up`, …; otherwise the character itself. */
  readonly name: string;
  /** The text that the key enters; empty for other keys. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** The terminal's cursor position report, from 1. */
export interface CursorReport {
  readonly kind: 'cursor';
  readonly row: number;
  readonly column: number;
}

export type Input = Key | CursorReport | { readonly kind: 'paste'; readonly text: string } | { readonly kind: 'focus'; readonly isFocused: boolean };

export interface KeyReader {
  /** Returns the inputs that are complete so far, in order. */
  feed(text: string): Input[];
  /** Whether an escape character waits for the rest of a sequence. */
  readonly isWaiting: boolean;
  /** Ends a pending sequence: the user pressed the escape key. */
  flush(): Input[];
}

const finals: Readonly<Record<string, string>> = {
  ...{ A: 'up', B: 'down', C: 'right', D: 'left', F: 'end', H: 'home', P: 'f1', Q: 'f2', R: 'f3', S: 'f4', Z: 'tab', E: 'begin', M: 'enter' },
};
const numbered: Readonly<Record<string, string>> = {
  ...{ 1: 'home', 2: 'insert', 3: 'delete', 4: 'end', 5: 'page-up', 6: 'page-down', 7: 'home', 8: 'end' },
  ...{ 11: 'f1', 12: 'f2', 13: 'f3', 14: 'f4', 15: 'f5', 17: 'f6', 18: 'f7', 19: 'f8', 20: 'f9', 21: 'f10', 23: 'f11', 24: 'f12' },
};
const byCode: Readonly<Record<number, string>> = { 9: 'tab', 13: 'enter', 27: 'escape', 127: 'backspace', 8: 'backspace', 32: ' ' };
const pasteEnd = '\u001b[201~';
/** Matches text after a line end in one chunk. It arrived too fast to be typed, so it is a paste in a terminal without bracketed paste. */
const unmarkedPaste =
  /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*[\r\n][^\r\n\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f][^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/;
/** Maximum length of a sequence; longer ones are dropped. */
const longestSequence = 64;

export function createKeyReader(): KeyReader {
  let rest = '';
  let pasted: string | undefined;

  function take(inputs: Input[]): boolean {
    if (pasted !== undefined) return takePaste(inputs);
    if (rest === '') return false;
    if (rest[0] !== '\u001b') {
      const sign = String.fromCodePoint(rest.codePointAt(0) ?? 0);
      rest = rest.slice(sign.length);
      inputs.push(plainKey(sign, false));
      return true;
    }
    return takeEscape(inputs);
  }

  function takePaste(inputs: Input[]): boolean {
    const all = (pasted ?? '') + rest;
    const end = all.indexOf(pasteEnd);
    if (end < 0) {
      pasted = all;
      rest = '';
      return false;
    }
    inputs.push({ kind: 'paste', text: all.slice(0, end).replace(/\r\n?/g, '\n') });
    rest = all.slice(end + pasteEnd.length);
    pasted = undefined;
    return true;
  }

  function takeEscape(inputs: Input[]): boolean {
    // A reply to our query or a control string, not typed input.
    const string = /^\u001b[\]P_^X]/.test(rest);
    const ended = string
      ? /^\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)/.exec(rest)
      : /^\u001b(?:\[([?<=>]?)([\d;:]*)([ -/]*)([@-~])|O([A-Za-z]))/.exec(rest);
    if (ended) {
      rest = rest.slice(ended[0].length);
      if (string) return true;
      const [, mark = '', parameters = '', , final = '', short] = ended;
      if (short !== undefined) inputs.push(named(finals[short] ?? '', 1));
      else if (mark === '' && final === '~' && parameters === '200') pasted = '';
      else if (mark === '' && (final === 'I' || final === 'O') && parameters === '') inputs.push({ kind: 'focus', isFocused: final === 'I' });
      else if (mark === '' && final === 'R' && /^\d+;\d+$/.test(parameters)) inputs.push(reportOf(parameters));
      else if (mark === '') inputs.push(...sequenceKey(parameters, final));
      return true;
    }
    if (rest.length > longestSequence) {
      rest = rest.slice(1);
      return true;
    }
    if (string || rest === '\u001b' || /^\u001b(?:\[[?<=>]?[\d;:]*[ -/]*|O)$/.test(rest)) return false;
    if (rest.startsWith('\u001b\u001b')) {
      rest = rest.slice(1);
      inputs.push(named('escape', 1));
      return true;
    }
    const sign = String.fromCodePoint(rest.codePointAt(1) ?? 0);
    rest = rest.slice(1 + sign.length);
    inputs.push(plainKey(sign, true));
    return true;
  }

  return {
    feed(text) {
      if (pasted === undefined && rest === '' && unmarkedPaste.test(text)) return [{ kind: 'paste', text: text.replace(/\r\n?/g, '\n') }];
      rest += text;
      const inputs: Input[] = [];
      while (take(inputs));
      return inputs.filter((input) => input.kind !== 'key' || input.name !== '');
    },
    get isWaiting() {
      return pasted === undefined && rest !== '';
    },
    flush() {
      const text = rest;
      rest = '';
      if (text === '\u001b') return [named('escape', 1)];
      return /^\u001b[[O]$/.test(text) ? [{ ...plainKey(text[1] ?? '', true) }] : [];
    },
  };
}

function plainKey(sign: string, alt: boolean): Key {
  const code = sign.codePointAt(0) ?? 0;
  const none = { kind: 'key', text: '', ctrl: false, alt, shift: false } as const;
  if (sign === '\r') return { ...none, name: 'enter' };
  if (sign === '\n') return { ...none, name: 'j', ctrl: true };
  if (sign === '\t') return { ...none, name: 'tab' };
  if (code === 127 || code === 8) return { ...none, name: 'backspace' };
  if (code === 0) return { ...none, name: ' ', ctrl: true };
  if (code < 27) return { ...none, name: String.fromCharCode(code + 96), ctrl: true };
  if (code < 32) return { ...none, name: String.fromCharCode(code + 64), ctrl: true };
  return { ...none, name: sign, text: alt ? '' : sign };
}

/** @param modifiers bits plus one: 1 shift, 2 alt, 4 ctrl */
function named(name: string, modifiers: number): Key {
  const bits = modifiers - 1;
  return { kind: 'key', name, text: '', shift: (bits & 1) > 0, alt: (bits & 2) > 0, ctrl: (bits & 4) > 0 };
}

function reportOf(parameters: string): CursorReport {
  const [row, column] = parameters.split(';').map(Number);
  return { kind: 'cursor', row: row ?? 1, column: column ?? 1 };
}

function sequenceKey(parameters: string, final: string): Key[] {
  const [first = '', second = ''] = parameters.split(';');
  const modifiers = Number(second.split(':')[0]) || 1;
  // A key release.
  if (second.split(':')[1] === '3') return [];
  if (final === 'Z') return [{ ...named('tab', 2) }];
  if (final === '~') return first === '27' ? modified(Number(parameters.split(';')[2]), modifiers) : [named(numbered[first] ?? '', modifiers)];
  if (final === 'u') return modified(Number(first.split(':')[0]), modifiers);
  return [named(finals[final] ?? '', modifiers)];
}

/** Parses the format of the kitty protocol and modifyOtherKeys: a character code and modifiers. */
function modified(code: number, modifiers: number): Key[] {
  if (!Number.isInteger(code) || code <= 0 || code > 0x10ffff || (code >= 57_344 && code <= 63_743)) return [];
  const name = byCode[code] ?? String.fromCodePoint(code);
  const key = named(name, modifiers);
  return [key.ctrl || key.alt || name.length > 1 ? key : { ...key, text: name }];
}
