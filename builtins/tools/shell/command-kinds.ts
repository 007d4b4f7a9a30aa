// Determines the kinds of a command that an approval rule can cover, such as `npm run …`: the program and its subcommand.
import type { RunCommandArgs } from './inputs.ts';
import { operandsOf } from '#lib/known-flags';
import { knownCommands } from './kind-table.ts';
import { parseCommands } from './parse-commands.ts';

/** Matches a script, target or folder that can be part of a rule, such as `build:page`. */
const plainWord = /^[a-z][a-z0-9]*(?:[:_-][a-z0-9]+)*$/;

/**
 * Returns the kinds, narrowest first: `npm run build …`, `npm run …`. Only a single plain command has kinds: its program, flags and operands must be in the
 * table, and it must run within the normal limits of the sandbox, without network access, in the foreground, and without permission to change settings.
 */
export function kindsOf({ command, cwd, background, network, git, changesSettings }: RunCommandArgs): string[] {
  // Shells on Windows parse lines differently.
  if (process.platform === 'win32') return [];
  if (background === true || network === true || git === true || changesSettings === true) return [];
  const [words, ...others] = parseCommands(command) ?? [];
  if (!words || others.length > 0) return [];
  const head = [2, 1].map((count) => words.slice(0, count)).find((one) => Object.hasOwn(knownCommands, one.join(' ')) && !one.join().includes(' '));
  const found = head?.join(' ') ?? '';
  const known = head && knownCommands[found];
  const rest = words.slice(head?.length);
  const operands = known && operandsOf(rest, known);
  if (!operands || operands.length > (known.mostOperands ?? Infinity) || !operands.every((operand) => known.operands.test(operand))) return [];
  const [first = ''] = rest;
  // With several operands, as in `make docs deploy`, the first one does not describe the call.
  const kinds = operands.length === 1 && operands[0] === first && plainWord.test(first) ? [`${found} ${first}`, found] : [found];
  // The same command has different effects in another folder.
  const place = cwd === undefined || cwd === '.' ? '' : ` in ${cwd}`;
  return kinds.map((kind) => `${kind} …${place}`);
}
