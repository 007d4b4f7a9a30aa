// The rules before the model: only what is known to change nothing and to reach nobody passes. No model can widen this.
import type { ToolCall } from 'agent-harness/plugins/agent';
import { findTests, findValues, harmlessPrograms, type HarmlessProgram } from './harmless-commands.ts';
import { parseCommands, type PlainCommand } from './parse-command.ts';
import { isInsideWorkspace, isSystemProgram, placeOf, type Place } from './workspace-paths.ts';

/** @param home the product's home folder */
export async function isHarmlessCall({ tool, args, turn }: ToolCall, home: string): Promise<boolean> {
  // What else a command may have been given: a folder and a time limit change nothing, all other arguments do.
  const { command, cwd, timeoutMs: _timeoutMs, ...others } = args;
  const isShell = tool.plugin === 'shell' && tool.name === 'run_command' && tool.effects?.join() === 'execute';
  if (!isShell || typeof command !== 'string' || process.platform === 'win32') return false;
  if (Object.values(others).some((value) => value !== false && value !== undefined)) return false;
  const commands = parseCommands(command);
  const place = commands && (await placeOf(cwd, turn.workspaceRoot, home));
  if (!commands || !place) return false;
  for (const one of commands) if (!(await isHarmlessCommand(one, place))) return false;
  return true;
}

async function isHarmlessCommand([name = '', ...words]: PlainCommand, place: Place): Promise<boolean> {
  const program = Object.hasOwn(harmlessPrograms, name) ? harmlessPrograms[name] : undefined;
  if (!program || (program.needsFlag === true && words.length === 0)) return false;
  // Its settings can name a program to run.
  if (name === 'rg' && process.env['RIPGREP_CONFIG_PATH'] !== undefined) return false;
  return (await isSystemProgram(name, place)) && areHarmless(words, program, place);
}

async function areHarmless(words: readonly string[], program: HarmlessProgram, place: Place): Promise<boolean> {
  if (program.operands === 'find') return isHarmlessFind(words, place);
  const operands = operandsOf(words, program);
  if (!operands || program.operands === 'none') return operands?.length === 0;
  if (program.operands instanceof RegExp) return matchesAll(operands, program.operands);
  const isPattern = program.operands === 'pattern-paths';
  if (isPattern && operands.length === 0) return false;
  return areInside(isPattern ? operands.slice(1) : operands, place);
}

function matchesAll(operands: readonly string[], pattern: RegExp): boolean {
  return operands.every((operand) => pattern.test(operand));
}

/** Words that are neither flags nor their values; `undefined` where a flag is unknown. */
function operandsOf(words: readonly string[], { flags, valued = [] }: HarmlessProgram): string[] | undefined {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const value = valued.find(([flag]) => flag.test(word))?.[1];
    if (value) {
      at++;
      if (!value.test(words[at] ?? '\0')) return undefined;
    } else if (!word.startsWith('-')) operands.push(word);
    else if (!flags.test(word)) return undefined;
  }
  return operands;
}

async function isHarmlessFind(words: readonly string[], place: Place): Promise<boolean> {
  const firstTest = words.findIndex((word) => word.startsWith('-'));
  const start = firstTest === -1 ? words.length : firstTest;
  for (let at = start; at < words.length; at++) {
    const word = words[at] ?? '';
    const value = Object.hasOwn(findValues, word) ? findValues[word] : undefined;
    if (value) {
      at++;
      if (!value.test(words[at] ?? '\0')) return false;
    } else if (!findTests.includes(word)) return false;
  }
  return areInside(words.slice(0, start), place);
}

async function areInside(paths: readonly string[], place: Place): Promise<boolean> {
  // Without a path it is the folder that the command runs in.
  for (const path of paths.length === 0 ? ['.'] : paths) if (!(await isInsideWorkspace(path, place))) return false;
  return true;
}
