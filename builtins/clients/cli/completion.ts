// Completes a command line from the declarations of the commands.
import type { CliCommand, CliListing, CliOption, CliValues } from 'agent-harness/plugins/commands';

export interface Candidate {
  readonly word: string;
  /** Description, shown by shells that support it. */
  readonly text?: string;
}

/** Candidates, or a kind of argument that the shell completes itself. */
export type Completion = readonly Candidate[] | 'file' | 'folder';

export interface CompletionParts {
  readonly commands: readonly CliCommand[];
  /** Programs whose names can be completed in place of a command. */
  readonly programs: readonly { readonly name: string; readonly summary: string }[];
  /** Returns the rows of a listing; empty if the server does not respond. Contract: never rejects. */
  ask(listing: CliListing): Promise<readonly Candidate[]>;
}

/** One form of a command: its fixed first word, if any, and the arguments after it. */
interface Way {
  readonly action?: string;
  readonly places: readonly string[];
  /** Whether the last argument can be repeated. */
  readonly goesOn: boolean;
}

const help: Candidate = { word: '--help', text: 'Shows help.' };

/** @param words words after the program name; the last one is incomplete */
export async function complete(parts: CompletionParts, words: readonly string[]): Promise<Completion> {
  const [first = '', ...rest] = words;
  const current = words.at(-1) ?? '';
  const { commands } = parts;
  if (words.length <= 1 && !first.startsWith('-')) {
    const named = [...commands, ...parts.programs].map(({ name, summary }) => ({ word: name, text: summary }));
    return beginningWith(current, [...named, { word: 'help', text: 'Explains a command.' }]);
  }
  const isNamed = !first.startsWith('-');
  if (first === 'help') return beginningWith(current, rest.length > 1 ? [] : commands.map(({ name, summary }) => ({ word: name, text: summary })));
  const command = commands.find(({ name }) => name === (isNamed ? first : 'open'));
  if (!command) return [];
  const found = await completeCommand(parts, command, isNamed ? rest : words);
  return isNamed || typeof found === 'string' || !current.startsWith('-')
    ? found
    : [...found, ...beginningWith(current, [{ word: '--version', text: 'Shows the version.' }])];
}

async function completeCommand(parts: CompletionParts, command: CliCommand, words: readonly string[]): Promise<Completion> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const open = before.includes('--') ? undefined : optionNamed(command, before.at(-1) ?? '');
  if (open?.type === 'string') return valuesFor(parts, open.values, current);
  const assigned = /^(--[\w-]+=)(.*)$/su.exec(current);
  if (assigned) {
    const [, name = '', value = ''] = assigned;
    const found = await valuesFor(parts, optionNamed(command, name.slice(0, -1))?.values, value);
    return typeof found === 'string' ? found : found.map((one) => ({ ...one, word: name + one.word }));
  }
  if (current.startsWith('-') && !before.includes('--')) return beginningWith(current, [...optionsOf(command, before), help]);
  return completePlace(parts, command, wordsWithoutOptions(command, before), current);
}

/** @param before the complete arguments that precede the incomplete one */
async function completePlace(parts: CompletionParts, command: CliCommand, before: readonly string[], current: string): Promise<Completion> {
  const ways = waysOf(command.usage ?? '');
  const fitting = before.length === 0 ? ways : ways.filter(({ action }) => action === undefined || action === before[0]);
  const candidates: Candidate[] = [];
  for (const way of fitting) {
    const at = before.length - (way.action === undefined ? 0 : 1);
    if (at < 0) {
      candidates.push({ word: way.action ?? '' });
      continue;
    }
    const place = way.places[at] ?? (way.goesOn ? way.places.at(-1) : undefined);
    if (place === undefined) continue;
    const found = await valuesFor(parts, command.values?.[`${way.action ?? ''} ${place}`] ?? command.values?.[place], current);
    if (typeof found === 'string') return found;
    candidates.push(...found);
  }
  return beginningWith(current, candidates);
}

async function valuesFor(parts: CompletionParts, values: CliValues | undefined, current: string): Promise<Completion> {
  if (values === undefined) return [];
  if (typeof values === 'string') return values;
  return beginningWith(current, 'path' in values ? await parts.ask(values) : values.map((word) => ({ word })));
}

/** Parses `[list | show <id> | tag <id> <tag> …]`. Ignores text after the first group. */
export function waysOf(usage: string): Way[] {
  const group = usage.startsWith('[') ? usage.slice(1, usage.indexOf(']', usage.lastIndexOf('|')) >>> 0) : usage;
  return group.split(/\s*\|\s*/).flatMap((text) => {
    const tokens = text.trim().split(/\s+/).filter(Boolean);
    const action = /^[a-z][a-z-]*$/.test(tokens[0] ?? '') ? tokens[0] : undefined;
    const places = tokens.slice(action === undefined ? 0 : 1);
    const goesOn = places.at(-1) === '…';
    const named = (goesOn ? places.slice(0, -1) : places).map((place) => place.replace(/[<>[\]"]/g, ''));
    return tokens.length === 0 ? [] : [{ ...(action === undefined ? {} : { action }), places: named, goesOn }];
  });
}

function optionsOf(command: CliCommand, before: readonly string[]): Candidate[] {
  const named = Object.entries(command.options ?? {}).filter(([name, { multiple }]) => multiple === true || !before.includes(`--${name}`));
  return named.map(([name, { description }]) => ({ word: `--${name}`, text: description }));
}

function optionNamed({ options = {} }: CliCommand, word: string): CliOption | undefined {
  if (word.startsWith('--')) return Object.hasOwn(options, word.slice(2)) ? options[word.slice(2)] : undefined;
  return Object.values(options).find(({ short }) => short !== undefined && word === `-${short}`);
}

function wordsWithoutOptions(command: CliCommand, words: readonly string[]): string[] {
  const end = words.indexOf('--');
  return words.filter((word, at) => {
    if (end !== -1 && at >= end) return at > end;
    return !word.startsWith('-') && optionNamed(command, words[at - 1] ?? '')?.type !== 'string';
  });
}

const beginningWith = (start: string, candidates: readonly Candidate[]): Candidate[] => candidates.filter(({ word }) => word.startsWith(start));
