// Checks by fixed rules, before the model is asked, that a command changes nothing and uses no network. A model cannot extend these rules.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CommandReading, PlainCommand } from 'agent-harness/builtins/tools/shell';
import { operandsOf } from '#lib/known-flags';
import type { ToolCall } from 'agent-harness/plugins/agent';
import { findTests, findValues, harmlessPrograms, type HarmlessProgram } from './harmless-commands.ts';

export async function isHarmlessCall({ tool, args, turn }: ToolCall, reading: CommandReading): Promise<boolean> {
  // Besides the command, only a folder and a time limit are harmless; all other arguments are refused.
  const { command, cwd, timeoutMs: _timeoutMs, ...others } = args;
  const isShell = tool.plugin === 'shell' && tool.name === 'run_command' && tool.effects?.join() === 'execute';
  if (!isShell || typeof command !== 'string' || process.platform === 'win32') return false;
  if (Object.values(others).some((value) => value !== false && value !== undefined)) return false;
  if (cwd !== undefined && typeof cwd !== 'string') return false;
  const commands = await reading.parse(command);
  const place = commands && (await reading.placeOf(cwd, turn.workspaceRoot));
  if (!commands || !place) return false;
  const bounds: Bounds = {
    isInside: (path) => reading.isInside(path, place),
    isFile: async (path) => (await stat(resolve(place.cwd, path)).catch(() => undefined))?.isFile() === true,
    isSystemProgram: (name) => reading.isSystemProgram(name, place),
  };
  for (const one of commands) if (!(await isHarmlessCommand(one, bounds))) return false;
  return true;
}

/** Limits for the paths that a command may read. */
interface Bounds {
  isInside(path: string): Promise<boolean>;
  isFile(path: string): Promise<boolean>;
  isSystemProgram(name: string): Promise<boolean>;
}

async function isHarmlessCommand([name = '', ...words]: PlainCommand, bounds: Bounds): Promise<boolean> {
  const program = Object.hasOwn(harmlessPrograms, name) ? harmlessPrograms[name] : undefined;
  if (!program || (program.needsFlag === true && words.length === 0)) return false;
  // The configuration of ripgrep can name a program to run.
  if (name === 'rg' && process.env['RIPGREP_CONFIG_PATH'] !== undefined) return false;
  return (await bounds.isSystemProgram(name)) && areHarmless(words, program, bounds);
}

async function areHarmless(words: readonly string[], program: HarmlessProgram, bounds: Bounds): Promise<boolean> {
  if (program.operands === 'find') return isHarmlessFind(words, bounds);
  const operands = operandsOf(words, program);
  if (!operands || program.operands === 'none') return operands?.length === 0;
  if (program.operands instanceof RegExp) return matchesAll(operands, program.operands);
  const isPattern = program.operands === 'pattern-paths';
  if (isPattern && operands.length === 0) return false;
  if (program.operands === 'files') for (const path of operands) if (!(await bounds.isFile(path))) return false;
  return areInside(isPattern ? operands.slice(1) : operands, bounds);
}

function matchesAll(operands: readonly string[], pattern: RegExp): boolean {
  return operands.every((operand) => pattern.test(operand));
}

async function isHarmlessFind(words: readonly string[], bounds: Bounds): Promise<boolean> {
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
  return areInside(words.slice(0, start), bounds);
}

async function areInside(paths: readonly string[], bounds: Bounds): Promise<boolean> {
  // Without a path, the program reads the working directory.
  for (const path of paths.length === 0 ? ['.'] : paths) if (!(await bounds.isInside(path))) return false;
  return true;
}
