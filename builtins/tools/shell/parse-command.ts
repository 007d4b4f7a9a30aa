// Splits a command line into words, where it is so plain that every shell reads it the same way.
import { parse } from 'shell-quote';

// No operators, globs, substitutions, escapes, comments, braces or line breaks, not even inside of quotes.
const plain = /^[\p{L}\p{N}_./:=,@%+^~ '"-]+$/u;
const maxLength = 2000;

/** `undefined` where there is anything that a shell might give a meaning. */
export function parsePlainCommand(command: string): readonly string[] | undefined {
  const text = command.trim();
  if (text.length > maxLength || !plain.test(text) || !hasClosedQuotes(text)) return undefined;
  const words: string[] = [];
  for (const entry of parse(text)) {
    // ~ stands for a home folder at the start of a word, and of what looks like a value.
    if (typeof entry !== 'string' || entry === '' || /(^|[=:])~/.test(entry)) return undefined;
    words.push(entry);
  }
  const isAssignment = words[0]?.includes('=') === true;
  return words.length === 0 || isAssignment ? undefined : words;
}

function hasClosedQuotes(text: string): boolean {
  let open = '';
  for (const char of text) {
    if (open !== '') open = char === open ? '' : open;
    else if (char === '"' || char === "'") open = char;
  }
  return open === '';
}
