// Starts the child process of one plugin: Node's permission model, a memory limit, and bubblewrap where it is available.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownSystem } from 'agent-harness/lib/bubblewrap';
import { textEnd, textStart } from 'agent-harness/lib/text';
import { threadFile } from 'agent-harness/lib/worker';
import type { Port } from './rpc.ts';

export interface ProcessPlace {
  /** Absolute paths of the plugin's files and of what else it may read. */
  readonly readable: readonly string[];
  /** Absolute paths of files and folders that it may read and write. */
  readonly writable: readonly string[];
  /** Limit of the old generation of its heap; buffers may take as much again. */
  readonly memoryMb: number;
}

export interface RunningProcess {
  readonly port: Port;
  /** Ends the process, also a busy one. */
  kill(): Promise<void>;
  /** Reports the reason where the process ended by itself. */
  onEnd(hear: (why: string) => void): void;
  onOutput(hear: (text: string) => void): void;
}

const program = 'plugin';
const leastOutsideMb = 128;
/** Node itself, its threads and the young generation of the heap. */
const ofProcessMb = 192;
/** From 13 on (Node 24) V8 reserves its code range as writable memory, which counts; measured as `VmData` of an empty process. */
const ofCodeMb = Number.parseInt(process.versions.v8, 10) >= 13 ? 512 : 0;

/** The caller owns the process and kills it. @param bubblewrap path of the program; `undefined` where it does not work on this machine */
export function launchPlugin({ readable, writable, memoryMb }: ProcessPlace, bubblewrap: string | undefined): RunningProcess {
  const guest = fileURLToPath(threadFile(program));
  // The build may put its code into shared files.
  const all = [dirname(dirname(guest)), ...readable, ...writable];
  const odd = all.find((one) => one.includes('*'));
  if (odd !== undefined) throw new Error(`The path '${odd}' has a star, which Node's permission model reads as any text. Rename it.`);
  const permission = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const flags = [
    ...[permission, '--no-warnings', `--max-old-space-size=${memoryMb}`],
    ...all.map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
  ];
  const command = [...limited(memoryMb + leastOutsideMb + ofProcessMb + ofCodeMb), process.execPath, ...flags, guest];
  const [file = '', ...args] = bubblewrap === undefined ? command : [bubblewrap, ...sandbox(all, writable), ...command];
  const child = spawn(file, args, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'pipe', 'ipc'], serialization: 'advanced' });
  child.unref();
  child.channel?.unref();
  let isKilled = false;
  let said = '';
  return {
    port: {
      // It may have ended since.
      post: (message) => void (child.connected && child.send(message as object, () => undefined)),
      onMessage: (hear) => void child.on('message', hear),
    },
    async kill() {
      isKilled = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      // Its pipes close before it ends: without a reference the server could exit before this promise resolves.
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
    onEnd(hear) {
      child.once('error', (fault) => hear(`it could not be started: ${fault.message}`));
      child.once('exit', (code, signal) => {
        const last = said.trim() === '' ? '' : ` (${lastLine(said)})`;
        if (!isKilled) hear(/out of memory|bad_alloc/.test(said) ? `it took more than ${memoryMb} MB` : `its process ended with ${signal ?? code}${last}`);
      });
    },
    onOutput(hear) {
      for (const stream of [child.stdout, child.stderr]) {
        (stream as unknown as { unref?(): void } | null)?.unref?.();
        stream?.on('data', (chunk: Buffer) => {
          said = textEnd(said + chunk.toString(), 4_000);
          hear(chunk.toString());
        });
      }
    },
  };
}

/**
 * A shell that sets a memory limit and executes the program. The limit counts writable memory (heap, buffers, stacks), not reserved address space, of which
 * V8 takes gigabytes. Linux only.
 */
function limited(mostMb: number): string[] {
  if (process.platform !== 'linux' || !existsSync(shell)) return [];
  return [shell, '-c', `ulimit -d ${mostMb * 1_024} 2>/dev/null; exec "$@"`, shell];
}

const shell = '/bin/sh';

/** Arguments of bubblewrap: no network, no other processes, the files of the product and of the plugin only. */
function sandbox(readable: readonly string[], writable: readonly string[]): string[] {
  const system = ['/usr', '/lib', '/lib64', '/bin', '/etc/ld.so.cache', dirname(process.execPath)];
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session'],
    ...[...system, ...readable].flatMap((path) => ['--ro-bind-try', path, path]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...[...ownSystem, '--chdir', '/'],
  ];
}

/** The thrown error within the output of Node, else the last line. */
function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  return textStart(
    lines.findLast((line) => /^(?:Uncaught |[A-Za-z]*Error\b)/.test(line)) ?? lines.findLast((line) => !/^Node\.js v|^\s*$/.test(line)) ?? '',
    300,
  );
}
