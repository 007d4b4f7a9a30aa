// Generates and parses the code that a user reads on one screen and enters on another.
import { randomInt } from 'node:crypto';

/** Consonants that do not look alike; without vowels, codes form no words. There are 20^8 codes, valid for ten minutes, with ten attempts per minute. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** Creates a random code for users to type. */
export function createUserCode(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Accepts lower case, a dash and spaces. Returns `undefined` for an invalid code. */
export function readUserCode(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, '').toUpperCase();
  return code.length === length && [...code].every((sign) => alphabet.includes(sign)) ? code : undefined;
}
