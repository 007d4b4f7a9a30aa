// Parses slash commands in Markdown files, whose text for the model contains placeholders for the user's arguments.
import { basename } from 'node:path';
import { readFrontMatter } from './front-matter.ts';
import { firstLine, oneLine } from './text.ts';

export interface CommandFile {
  readonly path: string;
  /** Name of the command, without the slash. */
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
  /** Text for the model, with `$ARGUMENTS`, `$1` and so on for the user's arguments. */
  readonly text: string;
}

/** Maximum length of a command file in characters. */
export const maxCommandCharacters = 64 * 1024;
const commandName = /^[a-z][a-z0-9-]{0,31}$/;
const none: Readonly<Record<string, unknown>> = {};

export function isCommandName(name: string): boolean {
  return commandName.test(name);
}

const textIn = (field: unknown): string => (typeof field === 'string' ? field : '');

/** Parses a command file. Returns the reason, as a sentence, if the file is invalid. */
function readCommandFile(path: string, text: string): CommandFile | string {
  const name = basename(path, '.md').toLowerCase().replace(/[_ ]/g, '-');
  if (!isCommandName(name)) return `${path} cannot be a command: its name may contain only letters, digits and hyphens.`;
  if (text.length > maxCommandCharacters) return `${path} cannot be a command: it has more than ${maxCommandCharacters} characters.`;
  const read = readFrontMatter(text.replaceAll('\r\n', '\n'));
  if (typeof read === 'string' && read !== 'has no front matter') return `${path} ${read}.`;
  const { fields, body } = typeof read === 'string' ? { fields: none, body: text } : read;
  const start = oneLine(firstLine(body.trim()), 200) || oneLine(body, 200);
  if (start === '') return `${path} is empty.`;
  const { description, 'argument-hint': hint } = fields;
  const usage = oneLine(Array.isArray(hint) ? `[${hint.join(' ')}]` : textIn(hint), 100);
  return {
    path,
    name,
    summary: oneLine(textIn(description), 200) || start,
    ...(usage === '' ? {} : { usage }),
    text: body.trim(),
  };
}

/** Returns the commands in a folder, named after their files. @param texts contents of the files by path */
export function commandsIn(texts: ReadonlyMap<string, string>, folder: string): { readonly commands: readonly CommandFile[]; readonly leftOut: string[] } {
  const commands = new Map<string, CommandFile>();
  const leftOut: string[] = [];
  for (const [path, text] of texts) {
    if (!path.startsWith(folder) || !path.endsWith('.md')) continue;
    const read = readCommandFile(path, text);
    if (typeof read === 'string') leftOut.push(read);
    else if (commands.has(read.name)) leftOut.push(`${path} has the same name as another command, ${read.name}.`);
    else commands.set(read.name, read);
  }
  return { commands: [...commands.values()], leftOut };
}
