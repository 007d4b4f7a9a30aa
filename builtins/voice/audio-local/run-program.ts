// Runs a program that reads its input from a pipe: limits it, tags it for cleanup, and ends it when its output is no longer needed.
import { spawn, type ChildProcess } from 'node:child_process';
import { textStart } from '#lib/text';
import type { KernelError } from 'agent-harness/kernel';
import type { Processes } from 'agent-harness/plugins/processes';

export interface ProgramParts {
  readonly processes: () => Processes;
  readonly makeError: (reason: 'PROGRAM_FAILED', details: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
}

export interface ProgramRun {
  readonly path: string;
  /** Contains no user text, which is passed through `input`. */
  readonly args: readonly string[];
  readonly input: string;
}

const mostErrorChars = 2_000;
/** Whether the process group can be ended, including children that cannot be listed. */
const hasGroups = process.platform !== 'win32';

/** Runs a program, and yields its output as it is written. Rejects if the program fails, and with the signal's reason. */
export async function* runProgram({ path, args, input }: ProgramRun, { processes, makeError }: ProgramParts, signal: AbortSignal): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  const { PATH = '', HOME = '' } = process.env;
  const mark = processes().createMark();
  const env = { PATH, HOME, LANG: 'C.UTF-8', ...mark.environment };
  const child = spawn(path, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: hasGroups, windowsHide: true });
  let isOver = false;
  /** Ends the program and its children, which would keep the pipes open. */
  const end = async (): Promise<void> => {
    endGroup(child);
    await processes().end(mark);
  };
  const onAbort = (): void => void end();
  signal.addEventListener('abort', onAbort, { once: true });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint = textStart(complaint + text, mostErrorChars)));
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (fault) => resolve(fault.message));
    child.once('close', () => (isOver = true));
    child.once('close', (code, by) => resolve(code === 0 ? undefined : complaint.trim() || (by ? `it was ended by ${by}` : `it ended with ${code}`)));
  });
  // If a program ended early, its exit code gives the reason.
  child.stdin.on('error', () => undefined).end(input);
  try {
    for await (const piece of child.stdout as AsyncIterable<Buffer>) yield piece;
    const why = await ended;
    signal.throwIfAborted();
    if (why !== undefined) throw makeError('PROGRAM_FAILED', { program: path, why });
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (!isOver) await end();
  }
}

function endGroup(child: ChildProcess): void {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process group is empty.
  }
  child.kill('SIGKILL');
}
