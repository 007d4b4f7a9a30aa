// Starts one command in its own process group and follows it to its end.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { KeptOutput } from './kept-output.ts';
import { endGroup, hasGroups, isGroupAlive } from './process-group.ts';

export interface CommandEnd {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Something it had started was still running, and was ended. */
  readonly hadLeftovers: boolean;
  /** It could not be started. */
  readonly fault?: string;
}

export interface StartedCommand {
  /** Contract: never rejects. Resolves when its whole process group is gone. */
  readonly ended: Promise<CommandEnd>;
  /** Resolves when its whole process group is gone. */
  end(): Promise<void>;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly output: KeptOutput;
  onOutput?(chunk: Buffer): void;
}

/** For what is still in the pipes when the command itself has ended. */
const drainMs = 150;

export function startCommand(command: string, options: CommandOptions): StartedCommand {
  const [file, args] = shellFor(command);
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: options.env,
    detached: hasGroups,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    windowsVerbatimArguments: !hasGroups,
  });
  const take = (chunk: Buffer): void => {
    options.output.add(chunk);
    options.onOutput?.(chunk);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<Omit<CommandEnd, 'hadLeftovers'>>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    child.once('error', (fault) => resolve({ exitCode: null, signal: null, fault: fault.message }));
  });

  let ending: Promise<void> | undefined;
  let isOver = false;
  // Once it is over, its number may be somebody else's.
  const end = (): Promise<void> => (ending ??= isOver ? Promise.resolve() : endGroup(child));

  async function follow(): Promise<CommandEnd> {
    const exit = await exited;
    if (exit.fault !== undefined) return { ...exit, hadLeftovers: false };
    await Promise.race([closed, delay(drainMs)]);
    const hadLeftovers = ending === undefined && (await isGroupAlive(child.pid ?? 0));
    if (hadLeftovers || ending) await end();
    isOver = true;
    await Promise.race([closed, delay(drainMs)]);
    // A process that left the group may hold them open for ever.
    child.stdout.destroy();
    child.stderr.destroy();
    return { ...exit, hadLeftovers };
  }

  const ended = follow();
  return {
    ended,
    async end() {
      await end();
      await ended;
    },
  };
}

function shellFor(command: string): [file: string, args: string[]] {
  if (!hasGroups) return [process.env['COMSPEC'] ?? 'cmd.exe', ['/d', '/s', '/c', `"${command}"`]];
  const bash = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path));
  return bash ? [bash, ['--noprofile', '--norc', '-c', command]] : ['/bin/sh', ['-c', command]];
}
