// Runs a command in an editor terminal: creates the terminal, shows it in the call's card, waits for the command, kills it if necessary, and releases the
// terminal.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerminalCommand, TerminalEnd } from 'agent-harness/builtins/tools/shell';
import { withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';
import { textStart } from '#lib/text';
import { isRecord } from '#lib/values';
import type { Peer } from '../wire/peer.ts';

export interface CommandParts {
  readonly peer: Pick<Peer, 'request'>;
  /** Resolves when the editor has been asked to show the terminal in the call's card. */
  show(chatId: string, callId: string, terminalId: string): Promise<void>;
}

type Ask = (method: string, more?: object, signal?: AbortSignal) => Promise<unknown>;

/** Time limit for a simple reply, in milliseconds. */
const answerLimit = 5_000;
/** Time limit for the command to end after a kill, in milliseconds. */
const endLimit = 500;
const createLimit = 30_000;

/** Rejects as described in {@link TerminalEnd}; the message completes a sentence. @param signal aborted when the command must end */
export async function runCommand({ peer, show }: CommandParts, chatId: string, command: TerminalCommand, signal: AbortSignal): Promise<TerminalEnd> {
  const script = await writeScript(command.command);
  const forever = new AbortController().signal;
  const call = (method: string, params: object, until: AbortSignal = forever): Promise<unknown> =>
    peer.request(`terminal/${method}`, { sessionId: chatId, ...params }, until);
  let ask: Ask | undefined;
  try {
    // Not cancelled: the editor may already have created the terminal, which can be killed only once its id is known.
    const made = call('create', {
      command: command.shell,
      args: [script.path],
      env: Object.entries(command.environment).map(([name, value]) => ({ name, value })),
      cwd: command.cwd,
      outputByteLimit: command.maxBytes,
    }).then(idOf);
    const terminalId = await within('it did not start the command', made, createLimit).catch((fault: unknown) => {
      made.then((late) => call('release', { terminalId: late })).catch(() => undefined); // the result is no longer needed
      throw fault;
    });
    ask = (method, more, until) => call(method, { terminalId, ...more }, until);
    const shown = show(chatId, command.callId, terminalId);
    const end = await follow(ask, command.maxBytes, signal);
    // Waits until the editor displays the terminal, because releasing it earlier discards its output.
    if (!signal.aborted) await shown;
    return end;
  } finally {
    if (ask) await within('it did not release the terminal', ask('release'), endLimit).catch(() => undefined);
    await script.remove();
  }
}

async function follow(ask: Ask, maxBytes: number, signal: AbortSignal): Promise<TerminalEnd> {
  const waited = await within('it did not wait for the end of the command', ask('wait_for_exit', {}, signal)).catch(async (fault: unknown) => {
    await within('it did not end the command', ask('kill'), endLimit).catch(() => undefined);
    if (!signal.aborted) throw fault;
  });
  const told = await within('it did not return the output of the command', ask('output'), signal.aborted ? endLimit : answerLimit);
  if (!isRecord(told) || typeof told['output'] !== 'string') throw new Error('its reply has no output of the command.');
  const end = endOf(waited) ?? endOf(told['exitStatus']);
  if (!end && !signal.aborted) throw new Error('it did not report how the command ended.');
  const bytes = Buffer.from(told['output']);
  const isLonger = bytes.length > maxBytes;
  return {
    ...(end ?? { exitCode: null, signal: null }),
    output: isLonger
      ? bytes
          .subarray(bytes.length - maxBytes)
          .toString()
          .replace(/^\uFFFD+/, '')
      : told['output'],
    isCut: isLonger || told['truncated'] === true,
  };
}

function idOf(made: unknown): string {
  const id = isRecord(made) ? made['terminalId'] : undefined;
  if (typeof id !== 'string' || id === '') throw new Error('its reply has no terminal.');
  return id;
}

function endOf(status: unknown): Pick<TerminalEnd, 'exitCode' | 'signal'> | undefined {
  if (!isRecord(status)) return undefined;
  const { exitCode, signal } = status;
  if (Number.isInteger(exitCode)) return { exitCode: exitCode as number, signal: null };
  return typeof signal === 'string' && signal !== '' ? { exitCode: null, signal: textStart(signal, 100) } : undefined;
}

/** Awaits an operation of the editor. Rejects with the name of the failed operation and the reason. @param ms timeout; default: unlimited */
async function within<T>(what: string, work: Promise<T>, ms?: number): Promise<T> {
  try {
    if (ms === undefined) return await work;
    return await withLimit(work, ms, () => {
      throw new Error(`no reply arrived within ${ms / 1_000} s`);
    });
  } catch (fault) {
    throw new Error(`${what}: ${messageOf(fault)}`, { cause: fault });
  }
}

/**
 * Writes the command line to a script file. Some editors run a program with arguments, others join them with spaces for a shell. A path without special
 * characters works in both, so exactly the approved line runs.
 */
async function writeScript(line: string): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-command-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'command');
  if (!/^[\w./+-]+$/.test(path)) {
    await remove();
    throw new Error(
      `it cannot receive the command: the path of the folder for temporary files, ${folder}, contains special characters of shells. Set TMPDIR to another folder.`,
    );
  }
  await writeFile(path, `${line}\n`, { mode: 0o600 });
  return { path, remove };
}
