// Implements the approval rule of the shell: a command that only reads the workspace needs no approval.
import { realpath } from 'node:fs/promises';
import type { CommandPlace, CommandReading } from 'agent-harness/builtins/tools/shell';
import type { ApprovalRule } from 'agent-harness/plugins/policy';
import { harmlessCommands, harmlessGit, needsFlag, type HarmlessCommand } from './command-table.ts';
import { isGitHarmless } from './git-safety.ts';
import { findLinkedRepository } from './linked-repository.ts';
import { hasGroups } from './process-group.ts';

type Verdict = Awaited<ReturnType<ApprovalRule['decide']>>;

/** Returns the verdict; `undefined` if the effects of the command decide. */
export async function ruleFor(tool: string, args: Readonly<Record<string, unknown>>, workspaceRoot: string, reading: CommandReading): Promise<Verdict> {
  if (tool === 'stop_command') return { verdict: 'allow', reason: 'It ends a command that was started with an approval.' };
  if (tool !== 'run_command') return undefined;
  const { command, cwd, background, network, git, changesSettings } = args;
  const asked = [
    ...(network === true ? [networkReason] : []),
    ...(git === true ? [await repositoryReason(workspaceRoot)] : []),
    ...(changesSettings === true ? [settingsReason] : []),
  ];
  if (asked.length > 0) return { verdict: 'ask', reason: asked.join(' ') };
  // The table applies only to POSIX programs.
  if (background === true || typeof command !== 'string' || !hasGroups) return undefined;
  const place = await reading.placeOf(typeof cwd === 'string' ? cwd : undefined, workspaceRoot);
  const isFine = place && (await isHarmless(command, place, reading));
  return isFine ? { verdict: 'allow', reason: 'The command only reads the workspace.' } : undefined;
}

const networkReason = 'The command runs with network access: it can send the data that it reads to any host, and use local services of this machine.';

async function repositoryReason(workspaceRoot: string): Promise<string> {
  const found = await findLinkedRepository(await realpath(workspaceRoot));
  return found
    ? `The command may write to the git repository of this folder, outside the workspace: ${found.folder}. Its hooks and settings stay protected.`
    : 'The command requests write access to a git repository outside the workspace, but this folder belongs to none.';
}

const settingsReason =
  'The command may change files that control other programs, such as git hooks and editor settings. Their content can run later, outside the sandbox.';

/** Judges the parsed words; unknown words count as harmful. */
async function isHarmless(command: string, place: CommandPlace, reading: CommandReading): Promise<boolean> {
  const [words, ...others] = (await reading.parse(command)) ?? [];
  if (!words || others.length > 0) return false;
  const [name = '', ...rest] = words;
  if (!(await reading.isSystemProgram(name, place))) return false;
  if (name === 'git') return isHarmlessGit(rest, place, reading);
  const known = Object.hasOwn(harmlessCommands, name) ? harmlessCommands[name] : undefined;
  if (!known || (needsFlag.includes(name) && rest.length === 0)) return false;
  return areHarmless(rest, known, place, reading);
}

async function isHarmlessGit([subcommand = '', ...words]: readonly string[], place: CommandPlace, reading: CommandReading): Promise<boolean> {
  if (subcommand === '--version') return words.length === 0;
  const known = Object.hasOwn(harmlessGit, subcommand) ? harmlessGit[subcommand] : undefined;
  return known !== undefined && (await areHarmless(words, known, place, reading)) && (await isGitHarmless(place, reading));
}

async function areHarmless(words: readonly string[], { flags, operands }: HarmlessCommand, place: CommandPlace, reading: CommandReading): Promise<boolean> {
  const paths: string[] = [];
  for (const word of words) {
    if (word.startsWith('-')) {
      if (!flags.test(word)) return false;
    } else if (operands === 'paths') paths.push(word);
    else if (operands === 'none' || !operands.test(word)) return false;
  }
  if (operands !== 'paths') return true;
  // Without a path, the command reads the working directory.
  for (const path of paths.length === 0 ? ['.'] : paths) if (!(await reading.isInside(path, place))) return false;
  return true;
}
