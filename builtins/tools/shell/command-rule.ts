// The approval rule of the shell: commands that only look at the workspace go ahead without asking.
import { realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { ApprovalRule } from 'agent-harness/plugins/policy';
import { commandFolder, isWithin } from './command-folder.ts';
import { harmlessCommands, harmlessGit, needsFlag, type HarmlessCommand } from './command-table.ts';
import { isGitHarmless } from './git-safety.ts';
import { isInsideWorkspace } from './inside-workspace.ts';
import { parsePlainCommand } from './parse-command.ts';
import { hasGroups } from './process-group.ts';

type Verdict = Awaited<ReturnType<ApprovalRule['decide']>>;

/** `undefined`: nothing to say, so the command's effect asks. */
export async function ruleFor(tool: string, args: Readonly<Record<string, unknown>>, workspaceRoot: string, home: string): Promise<Verdict> {
  if (tool === 'stop_command') return { verdict: 'allow', reason: 'It ends what was started with approval.' };
  const { command, cwd, background, network } = args;
  if (tool === 'run_command' && network === true) return { verdict: 'ask', reason: 'The command runs with network: it can send what it reads to anybody.' };
  // The table speaks of POSIX programs.
  if (tool !== 'run_command' || background === true || typeof command !== 'string' || !hasGroups) return undefined;
  const folder = await commandFolder(typeof cwd === 'string' ? cwd : undefined, workspaceRoot);
  if ('why' in folder) return undefined;
  const isFine = await isHarmless(command, { cwd: folder.path, root: await realpath(workspaceRoot), home });
  return isFine ? { verdict: 'allow', reason: 'The command only looks at the workspace.' } : undefined;
}

interface Place {
  readonly cwd: string;
  readonly root: string;
  readonly home: string;
}

/** Decided over the parsed words; anything that is not known is not harmless. */
export async function isHarmless(command: string, place: Place): Promise<boolean> {
  const [name = '', ...words] = parsePlainCommand(command) ?? [];
  if (await isShadowed(name, place.root)) return false;
  if (name === 'git') return isHarmlessGit(words, place);
  const known = Object.hasOwn(harmlessCommands, name) ? harmlessCommands[name] : undefined;
  if (!known || (needsFlag.includes(name) && words.length === 0)) return false;
  return areHarmless(words, known, place);
}

/** A folder of PATH may lie in the workspace; then the name may mean anything. */
async function isShadowed(name: string, root: string): Promise<boolean> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const program = await realpath(join(folder, name)).catch(() => undefined);
    if (isAbsolute(folder) && program !== undefined && (isWithin(root, resolve(folder)) || isWithin(root, program))) return true;
  }
  return false;
}

async function isHarmlessGit([subcommand = '', ...words]: readonly string[], place: Place): Promise<boolean> {
  if (subcommand === '--version') return words.length === 0;
  const known = Object.hasOwn(harmlessGit, subcommand) ? harmlessGit[subcommand] : undefined;
  return known !== undefined && (await areHarmless(words, known, place)) && (await isGitHarmless(place.cwd, place.root));
}

async function areHarmless(words: readonly string[], known: HarmlessCommand, place: Place): Promise<boolean> {
  for (const word of words) {
    if (word.startsWith('-') ? !known.flags.test(word) : !(await isHarmlessOperand(word, known.operands, place))) return false;
  }
  return true;
}

async function isHarmlessOperand(word: string, operands: HarmlessCommand['operands'], { cwd, root, home }: Place): Promise<boolean> {
  if (operands === 'none') return false;
  return operands === 'paths' ? isInsideWorkspace(word, cwd, root, home) : operands.test(word);
}
