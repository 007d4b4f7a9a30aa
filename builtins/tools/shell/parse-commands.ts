// Splits a command line into plain commands if all shells parse it the same way. Implemented here because libraries accept lines that shells parse
// differently; tests compare this parser with real shells.
import type { PlainCommand } from 'agent-harness/builtins/tools/shell';

type Token = { readonly word: string } | { readonly op: string };

const maxLength = 2_000;
/** Matches a character outside quotes: no substitutions, globs, braces, redirections, escapes, comments, home folders, history or line breaks. */
const plain = /^[A-Za-z0-9_./:=,@%+^-]$/;
const operators: readonly string[] = ['|', '||', '&&', ';'];
/** Matches a printable character in single quotes: letters and digits of any script, but no marks, invisible characters or other spaces. */
const inSingle = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N} -&(-~]$/u;
/** Matches a character that has no meaning for shells in double quotes. */
const inDouble = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N} #%-[\]^_a-~]$/u;

/**
 * Returns the commands of a line that are joined by pipes, `;`, `&&` or `||`, each as its words; `undefined` if the line contains anything else that has a
 * meaning in some shell.
 */
export function parseCommands(line: string): readonly PlainCommand[] | undefined {
  const tokens = line.length > maxLength ? undefined : scan(line);
  if (!tokens) return undefined;
  const commands: string[][] = [[]];
  for (const token of tokens) {
    if ('op' in token) commands.push([]);
    else commands.at(-1)?.push(token.word);
  }
  return commands.every((words) => words.length > 0 && !words.includes('')) ? commands : undefined;
}

function scan(line: string): Token[] | undefined {
  const tokens: Token[] = [];
  const chars = [...line];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) tokens.push({ word });
    word = undefined;
  };
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    if (char === "'" || char === '"') {
      const end = chars.indexOf(char, at + 1);
      const quoted = chars.slice(at + 1, end);
      const allowed = char === "'" ? inSingle : inDouble;
      if (end === -1 || !quoted.every((one) => allowed.test(one))) return undefined;
      word = (word ?? '') + quoted.join('');
      at = end;
    } else if (char === ' ') endWord();
    else if (plain.test(char) || (char === '~' && isInWord(word))) word = (word ?? '') + char;
    else {
      endWord();
      const op = operatorAt(chars, at);
      if (op === undefined) return undefined;
      tokens.push({ op });
      at += op.length - 1;
    }
  }
  endWord();
  return tokens;
}

/** Returns whether `~` is inside a word, where it is literal. At the start of a word, or of what looks like an assigned value, it means a home folder. */
function isInWord(word = ''): boolean {
  return word !== '' && !/[=:]$/.test(word);
}

/** Returns the operator at a position. A complete run of operator characters must be a single operator; `|&` and `;;` are not. */
function operatorAt(chars: readonly string[], at: number): string | undefined {
  let end = at;
  while (['|', '&', ';'].includes(chars[end] ?? '')) end++;
  const run = chars.slice(at, end).join('');
  return operators.includes(run) ? run : undefined;
}
