// Masks redacted words and machine-specific names in a support bundle. Texts keep their length. Pure.
import { homedir, hostname, userInfo } from 'node:os';

/** Common user names, which identify no person. */
const common: ReadonlySet<string> = new Set(['root', 'admin', 'user', 'ubuntu', 'node', 'runner', 'localhost', 'app', 'home']);

export interface Place {
  readonly text: string;
  /** Name in the placeholder, as in `<home>`. */
  readonly name: 'workspace' | 'home' | 'user' | 'host';
}

/** Returns the texts to mask. @param workspaceRoot absolute path @param home absolute path of the product's home folder */
export function placesOf(workspaceRoot: string, home: string): Place[] {
  const folders: Place[] = [
    { text: workspaceRoot, name: 'workspace' },
    { text: home, name: 'home' },
    { text: homedir(), name: 'home' },
  ];
  const names: Place[] = [
    { text: userName(), name: 'user' },
    { text: hostname(), name: 'host' },
  ];
  // Longer folders come first, because one folder may contain another.
  const found = folders.filter(({ text }) => text.length > 1).toSorted((one, other) => other.text.length - one.text.length);
  return [...found, ...names.filter(({ text }) => text.length > 2 && !common.has(text.toLowerCase()))];
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return ''; // the account has no name
  }
}

const shortest = 3;
const longest = 200;

/** Returns the end of a sentence that states why a word cannot be redacted; `undefined` if it can. */
export function whyNotStruck(word: string): string | undefined {
  if (word.length < shortest) return `it has fewer than ${shortest} characters`;
  if (word.length > longest) return `it has more than ${longest} characters`;
  return /["\\\p{Cc}]/u.test(word) ? 'it contains quotes, backslashes or control characters' : undefined;
}

/** @param struck words to redact, case-insensitive */
export function createMask(places: readonly Place[], struck: readonly string[]): (text: string) => string {
  const words = struck.flatMap((word) => [word, inJson(word)]).map(escaped);
  const changes: (readonly [RegExp, (found: string) => string])[] = [
    ...(words.length > 0 ? [[new RegExp(words.join('|'), 'giu'), covered] as const] : []),
    ...places.map(({ text, name }) => {
      const isFolder = name === 'workspace' || name === 'home';
      const pattern = isFolder ? `${escaped(text)}(?![\\p{L}\\p{N}_-])` : `(?<![\\p{L}\\p{N}])${escaped(text)}(?![\\p{L}\\p{N}])`;
      return [new RegExp(pattern, isFolder ? 'gu' : 'giu'), (found: string) => placeholder(name, found.length)] as const;
    }),
  ];
  return (text) => changes.reduce((clean, [pattern, change]) => clean.replace(pattern, change), text);
}

const covered = (found: string): string => '•'.repeat(found.length);
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\\-/g, '\\x2d');
/** Escapes non-ASCII characters as some models do. */
const inJson = (text: string): string => text.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns a placeholder such as `<home>`, padded to the given length. */
function placeholder(name: string, length: number): string {
  return length < 3 ? covered('•'.repeat(length)) : `<${name.slice(0, length - 2).padEnd(length - 2, '-')}>`;
}
