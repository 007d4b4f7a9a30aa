// Runs an isolated plugin in a child process with Node's permission model, a memory limit, bubblewrap if available, and limits on messages and CPU time.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { withLimit } from '#lib/async';
import { systemMountArgs } from '#lib/bubblewrap';
import { messageOf } from '#lib/errors';
import { textEnd, textStart } from '#lib/text';
import { threadFile } from '#lib/worker';
import { memoryRange } from './capabilities.ts';
import { channelNumber, openChannel } from './message-channel.ts';
import { createRpc } from './rpc.ts';
import { mostOf, parseMessage, type Held } from './rpc-codec.ts';

export type Callables = Readonly<Record<string, (...args: never[]) => unknown>>;

export interface ProcessPlace {
  /** Absolute paths of the plugin's files and of other readable files. */
  readonly readable: readonly string[];
  /** Absolute paths of files and folders that the plugin may read and write. */
  readonly writable: readonly string[];
  /** Maximum size of the old generation of the heap in MB; buffers may use as much again. */
  readonly memoryMb: number;
  /** Path of bubblewrap; `undefined` if it does not work on this machine. */
  readonly bubblewrap: string | undefined;
}

export interface ProcessParts {
  readonly place: ProcessPlace;
  /** Functions of the server that the process may call. */
  readonly doors?: Callables;
  /** Creates the stub of a function of the process. */
  readonly stub?: (id: string) => Held;
  /** Maximum time in milliseconds without a response to a pending call, after which the process is ended; default: no limit. */
  readonly timeMs?: number;
  readonly onOutput?: (text: string) => void;
  /** Called once when the process is lost. Returns the error for pending calls. */
  readonly onLost: (why: string, kind: 'crash' | 'stall') => Error;
}

export type PluginProcess = ReturnType<typeof startProcess>;

/** Time limit for reading a manifest, in milliseconds; shorter than the kernel's import limit, so that no process outlives a failed load. */
const readMs = 4_000;
/** Maximum number of messages per second; sequential calls reach a quarter of it. */
const mostMessages = 10_000;
/** Time in milliseconds per second that the server spends on the messages of one process; later messages wait for a second. */
const mostWorkMs = 250;
/** Maximum size in bytes of the messages that a process has not read. */
const mostUnread = 4 * mostOf.bytes;
/** Number of pings within the time limit. */
const pings = 4;

/** Reads the manifest of a plugin file in a child process. Rejects with the error of the file, or after {@link readMs}. */
export async function readManifest(path: string, readable: readonly string[], bubblewrap: string | undefined): Promise<unknown> {
  const place = { readable, writable: [], memoryMb: memoryRange.usual, bubblewrap };
  const { rpc, end } = startProcess({ place, onLost: (why) => new Error(why) });
  try {
    return await withLimit(rpc.call('manifest', [path]), readMs, () => {
      throw new Error(`importing it took longer than ${readMs / 1_000} s; a plugin must only declare at import and do its work on first use`);
    });
  } finally {
    await end(new Error('its manifest was read.'));
  }
}

/** Starts a process, which the caller must end. Throws if the process cannot be started. */
export function startProcess({ place, doors = {}, stub, timeMs, onOutput, onLost }: ProcessParts) {
  const child = launch(place);
  const messages = createBudget(mostMessages, 1_000);
  let isOver = false;
  let [workFrom, workMs] = [0, 0];
  let output = '';
  let pinging: NodeJS.Timeout | undefined;

  function lose(why: string, kind: 'crash' | 'stall' = 'crash'): void {
    if (isOver) return;
    isOver = true;
    rpc.close(onLost(why, kind));
    void kill(child);
  }

  function hear(text: string): void {
    if (isOver) return;
    if (!messages.take()) return lose(`it sent more than ${mostMessages} messages in a second`);
    const began = performance.now();
    if (began - workFrom > 1_000) [workFrom, workMs] = [began, 0];
    try {
      receive(parseMessage(text));
    } catch (fault) {
      lose(messageOf(fault));
    }
    workMs += performance.now() - began;
    if (workMs < mostWorkMs || channel?.isPaused() === true) return;
    channel?.pause();
    setTimeout(() => channel?.resume(), 1_000).unref();
  }

  function post(message: unknown): void {
    // The process may have ended in the meantime.
    if (!channel?.writable) return;
    send?.(JSON.stringify(message));
    if (channel.writableLength > mostUnread) lose('it did not read its messages', 'stall');
  }

  let receive: (message: unknown) => void = () => undefined;
  // Node creates no streams if no file descriptor is left.
  const channel = (child.stdio as ChildProcess['stdio'] | undefined)?.[channelNumber] as Socket | undefined;
  channel?.on('error', () => undefined).unref();
  const send = channel && openChannel(channel, mostOf.bytes, hear, lose);
  const rpc = createRpc({
    port: { post, onMessage: (listener) => void (receive = listener) },
    prefix: 'h',
    doors,
    onBroken: lose,
    ...(stub ? { stub } : {}),
  });
  child.once('error', (fault) => lose(`it could not be started: ${fault.message}`));
  child.once('exit', (code, signal) => {
    const last = output.trim() === '' ? '' : ` (${lastLine(output)})`;
    lose(/out of memory|bad_alloc/.test(output) ? `it used more than ${place.memoryMb} MB of memory` : `its process ended with ${signal ?? code}${last}`);
  });
  for (const stream of [child.stdout, child.stderr]) {
    (stream as unknown as { unref?(): void } | null)?.unref?.();
    stream?.on('data', (chunk: Buffer) => {
      output = textEnd(output + chunk.toString(), 4_000);
      onOutput?.(chunk.toString());
    });
  }

  /** Pings the process until no call is pending. Counts its own ticks instead of measuring time, because the server's event loop may itself be delayed. */
  function watch(limitMs: number): void {
    let unanswered = 0;
    pinging ??= setInterval(() => {
      if (isOver || rpc.waiting() === 0) pinging = void clearInterval(pinging);
      else if (unanswered++ >= pings) lose(`it blocked its process for more than ${limitMs / 1_000} s`, 'stall');
      else
        rpc.call('ping', []).then(
          () => (unanswered = 0),
          () => undefined,
        );
    }, limitMs / pings).unref();
  }

  return {
    rpc,
    /** Calls a function of the process, within the process's time limit. */
    call(target: string, args: readonly unknown[]): Promise<unknown> {
      if (timeMs !== undefined) watch(timeMs);
      return rpc.call(target, args);
    },
    /** Ends the process, even if it is busy, and rejects pending calls with the reason. */
    end(reason: Error): Promise<void> {
      isOver = true;
      rpc.close(reason);
      return kill(child);
    },
  };
}

const program = 'plugin';
const leastOutsideMb = 128;
/** Memory in MB for Node itself, its threads, and the young generation of the heap. */
const ofProcessMb = 192;
/** Memory in MB for V8's code range, which V8 13 (Node 24) and later reserve as writable memory. Measured as `VmData` of an empty process. */
const ofCodeMb = Number.parseInt(process.versions.v8, 10) >= 13 ? 512 : 0;

function launch({ readable, writable, memoryMb, bubblewrap }: ProcessPlace): ChildProcess {
  const guest = fileURLToPath(threadFile(program));
  // The build may put the code into shared files.
  const all = [dirname(dirname(guest)), ...readable, ...writable];
  const odd = all.find((one) => one.includes('*'));
  if (odd !== undefined) throw new Error(`The path '${odd}' contains '*', which Node's permission model treats as a wildcard. Rename it.`);
  const permission = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const flags = [
    ...[permission, '--no-warnings', `--max-old-space-size=${memoryMb}`],
    ...all.map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
  ];
  const command = [...limited(memoryMb + leastOutsideMb + ofProcessMb + ofCodeMb), process.execPath, ...flags, guest];
  const [file = '', ...args] = bubblewrap === undefined ? command : [bubblewrap, ...sandbox(all, writable), ...command];
  const child = spawn(file, args, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  child.unref();
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // Keeps a reference, because the pipes close before the process ends, and the server could otherwise exit before this promise resolves.
  child.ref();
  child.kill('SIGKILL');
  await ended;
}

/**
 * Returns a shell command that sets a memory limit and then executes the program. The limit counts writable memory (heap, buffers, stacks), but not reserved
 * address space, of which V8 uses gigabytes. Linux only.
 */
function limited(mostMb: number): string[] {
  if (process.platform !== 'linux' || !existsSync(shell)) return [];
  return [shell, '-c', `ulimit -d ${mostMb * 1_024} 2>/dev/null; exec "$@"`, shell];
}

const shell = '/bin/sh';

/** Returns the arguments of bubblewrap: no network, no other processes, and only the files of the product and the plugin. */
function sandbox(readable: readonly string[], writable: readonly string[]): string[] {
  const system = ['/usr', '/lib', '/lib64', '/bin', '/etc/ld.so.cache', dirname(process.execPath)];
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session'],
    ...[...system, ...readable].flatMap((path) => ['--ro-bind-try', path, path]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...[...systemMountArgs, '--chdir', '/'],
  ];
}

/** Returns the error that Node printed; otherwise the last line of the output. */
function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  return textStart(
    lines.findLast((line) => /^(?:Uncaught |[A-Za-z]*Error\b)/.test(line)) ?? lines.findLast((line) => !/^Node\.js v|^\s*$/.test(line)) ?? '',
    300,
  );
}

/** Creates a rate limit: `take` returns true up to `most` times in each window of `windowMs` milliseconds. */
export function createBudget(most: number, windowMs: number): { take(): boolean; readonly isFirstBeyond: boolean } {
  let began = 0;
  let count = 0;
  return {
    take() {
      const now = performance.now();
      if (now - began > windowMs) [began, count] = [now, 0];
      return ++count <= most;
    },
    get isFirstBeyond() {
      return count === most + 1;
    },
  };
}
