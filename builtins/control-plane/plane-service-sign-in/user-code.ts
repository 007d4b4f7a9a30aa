// The code that a person reads on one screen and types on another.
import { randomInt } from 'node:crypto';

/** No vowels, so that it is no word; nothing that looks like something else. 20^8 codes, ten minutes, ten tries a minute. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

export function createUserCode(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** As people type it: in lower case, with a dash or blanks. `undefined` for what is none. */
export function readUserCode(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, '').toUpperCase();
  return code.length === length && [...code].every((sign) => alphabet.includes(sign)) ? code : undefined;
}
