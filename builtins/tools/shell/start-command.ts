// Starts one command in its own tagged process group, and tracks it until it ends.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { withLimit } from '#lib/async';
import type { Processes } from 'agent-harness/plugins/processes';
import type { CommandLimits } from './command-limits.ts';
import type { OutputBuffer } from './output-buffer.ts';
import { reporting, signalOf } from './sandbox-exit.ts';
import type { Wrapper } from './sandbox.ts';
import { endGroup, hasGroups, isAlive, type Kin, type Politeness } from './process-group.ts';

export interface CommandEnd {
  /** Exit code; `null` if a signal ended the command. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether processes of the command were still running and had to be ended. */
  readonly hadLeftovers: boolean;
  /** Reason why the command could not be started. */
  readonly fault?: string;
  /** Sentence that names the exceeded limit; set if the command was ended because of it. */
  readonly excess?: string;
}

export interface StartedCommand {
  /** Resolves when all processes of the command have ended. Contract: never rejects. */
  readonly ended: Promise<CommandEnd>;
  /** Ends the command. Resolves when all its processes have ended. */
  end(): Promise<void>;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly output: OutputBuffer;
  readonly sandbox?: Wrapper;
  readonly processes: Processes;
  readonly limits: CommandLimits;
  onOutput?(chunk: Buffer): void;
  /** Receives standard error; if omitted, `output` contains it. */
  readonly errors?: OutputBuffer;
  /** Text for standard input; default: empty. */
  readonly input?: string;
}

/** Time in milliseconds to wait for remaining data in the pipes after the command has ended. */
const drainMs = 150;

export function startCommand(command: string, options: CommandOptions): StartedCommand {
  const { sandbox, processes, limits } = options;
  const mark = processes.createMark();
  // For a sandbox, no descendants are searched, because the operating system kills all processes of a sandbox.
  const { members } = processes;
  const kin: Kin = { members, ...(sandbox ? none : { find: () => processes.find(mark), end: () => processes.end(mark) }) };
  const [file, args] = sandbox ? within(sandbox, limited(limits, shellFor(command))) : limited(limits, shellFor(command));
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...options.env, ...mark.environment },
    detached: hasGroups,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', sandbox ? 'pipe' : 'ignore'],
    windowsHide: true,
    windowsVerbatimArguments: !hasGroups,
  });
  const take = (chunk: Buffer): void => {
    options.output.add(chunk);
    options.onOutput?.(chunk);
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', options.errors ? (chunk: Buffer) => options.errors?.add(chunk) : take);
  // The command may end without reading its input.
  child.stdin?.on('error', () => undefined).end(options.input);
  let reported = '';
  const report = child.stdio[3] instanceof Readable ? child.stdio[3] : undefined;
  report?.on('data', (chunk: Buffer) => (reported += chunk.toString()));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<Omit<CommandEnd, 'hadLeftovers'>>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve(sandbox ? signalOf(exitCode, signal) : { exitCode, signal }));
    child.once('error', (fault) => resolve({ exitCode: null, signal: null, fault: fault.message }));
  });

  // A signal to the sandbox would end it immediately, and a command that has not started yet cannot handle a signal.
  const politeness = (): Politeness => (!sandbox ? 'group' : reported === '' ? 'none' : 'members');
  let ending: Promise<void> | undefined;
  let isOver = false;
  // After the process has ended, its id may be reused.
  const end = (): Promise<void> => (ending ??= isOver ? Promise.resolve() : endGroup(child, politeness(), kin));

  let excess: string | undefined;
  const watching = limits.watch(mark, (why) => {
    excess = why;
    // Ends the processes without a grace period.
    ending ??= endGroup(child, 'none', kin);
  });

  async function follow(): Promise<CommandEnd> {
    const exit = await exited;
    if (exit.fault !== undefined) return { ...exit, hadLeftovers: false };
    await withLimit(closed, drainMs, () => undefined);
    const wasEnded = ending !== undefined;
    const isLeft = await isAlive(child.pid ?? 0, kin);
    if (isLeft || wasEnded) await end();
    isOver = true;
    await withLimit(closed, drainMs, () => undefined);
    // The system ends all processes of a sandbox, so only the sandbox can report leftovers.
    const hadLeftovers = !wasEnded && (sandbox ? reported.includes('left') : isLeft);
    // Processes outside the group that were not detected may keep the pipes open forever.
    for (const stream of [child.stdout, child.stderr, report]) stream?.destroy();
    return { ...exit, hadLeftovers, ...(excess === undefined ? {} : { excess }) };
  }

  const ended = follow().finally(() => watching.end());
  return {
    ended,
    async end() {
      await end();
      await ended;
    },
  };
}

const none: Omit<Kin, 'members'> = { find: () => Promise.resolve([]), end: () => Promise.resolve() };

function within({ program, args }: Wrapper, [file, rest]: [file: string, args: string[]]): [file: string, args: string[]] {
  return [program, [...args, ...reporting, file, ...rest]];
}

function limited(limits: CommandLimits, [file, rest]: [file: string, args: string[]]): [file: string, args: string[]] {
  const [first, ...others] = limits.prefix();
  return first === undefined ? [file, rest] : [first, [...others, file, ...rest]];
}

function shellFor(command: string): [file: string, args: string[]] {
  if (!hasGroups) return [process.env['COMSPEC'] ?? 'cmd.exe', ['/d', '/s', '/c', `"${command}"`]];
  const shell = posixShell();
  return shell === plainShell ? [shell, ['-c', command]] : [shell, ['--noprofile', '--norc', '-c', command]];
}

const plainShell = '/bin/sh';

/** Returns the path of bash if available, otherwise of sh. */
export function posixShell(): string {
  return ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path)) ?? plainShell;
}
