// Starts the thread or the child process in which one plugin runs, with as little as can be.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from 'agent-harness/lib/errors';
import { ownSystem } from 'agent-harness/lib/bubblewrap';
import { textEnd, textStart } from 'agent-harness/lib/text';
import { startThread, threadFile } from 'agent-harness/lib/worker';
import type { Walls } from './guest-walls.ts';
import type { Port } from './membrane.ts';
import { threadWords, type ThreadMemory } from './thread-memory.ts';

export type Tier = 'worker' | 'child';

export interface GuestPlace {
  /** The plugin's file, and what else it may read. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Of the old generation of its heap; as much again, and some more for a process, outside of it. */
  readonly memoryMb: number;
  /** Sees to what threads take outside of their heaps. */
  readonly threads?: ThreadMemory;
}

export interface RunningGuest {
  readonly port: Port;
  /** Ends it; it may be busy. */
  kill(): Promise<void>;
  /** Why it ended by itself. */
  onEnd(hear: (why: string) => void): void;
  onOutput(hear: (text: string) => void): void;
  /** Of a thread that does not answer: what it takes meanwhile, where that is much; as the end of a sentence. */
  growth?(): string | undefined;
}

/** What a thread of a plugin is given. */
export interface ThreadStart {
  readonly walls: Walls;
  /** It tells of itself there: {@link threadWords}. */
  readonly words: Int32Array;
}

const thread = 'plugin';
const leastOutsideMb = 128;
/** Node itself, its threads and the young generation of the heap. */
const ofProcessMb = 192;
/** From 13 on (node 24) V8 reserves the place of its code as memory that can be written, which counts; measured as `VmData` of an empty process. */
const ofCodeMb = Number.parseInt(process.versions.v8, 10) >= 13 ? 512 : 0;
/** Whoever launches one kills it. @param bubblewrap the program, where it works here */
export function launchGuest(tier: Tier, place: GuestPlace, bubblewrap: string | undefined): RunningGuest {
  return tier === 'worker' ? launchThread(place) : launchChild(place, bubblewrap);
}

function launchThread({ readable, writable, memoryMb, threads }: GuestPlace): RunningGuest {
  const words = new Int32Array(new SharedArrayBuffer(threadWords.length * Int32Array.BYTES_PER_ELEMENT));
  const data: ThreadStart = { walls: { readable, writable }, words };
  const worker = startThread(thread, { data, maxHeapMb: memoryMb });
  worker.unref();
  let isKilled = false;
  let tooMuch: string | undefined;
  const watched = threads?.watch({
    words,
    mostMb: Math.max(memoryMb, leastOutsideMb),
    activeMs: () => worker.performance.eventLoopUtilization().active,
    end(why) {
      tooMuch ??= why;
      void worker.terminate();
    },
  });
  worker.once('exit', () => void watched?.dispose());
  return {
    port: { post: (message) => worker.postMessage(message), onMessage: (hear) => void worker.on('message', hear) },
    growth: () => watched?.growth,
    async kill() {
      isKilled = true;
      await worker.terminate();
    },
    onEnd(hear) {
      let why = 'its thread ended';
      worker.on(
        'error',
        (fault: (Partial<Error> & { code?: string }) | undefined) =>
          (why = fault?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? `it took more than ${memoryMb} MB` : `it threw: ${messageOf(fault)}`),
      );
      worker.on('exit', () => (isKilled ? undefined : hear(tooMuch ?? why)));
    },
    onOutput(hear) {
      for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (chunk: Buffer) => hear(chunk.toString()));
    },
  };
}

function launchChild({ readable, writable, memoryMb }: GuestPlace, bubblewrap: string | undefined): RunningGuest {
  const guest = fileURLToPath(threadFile(thread));
  // Its code may stand in shared files of the build.
  const all = [dirname(dirname(guest)), ...readable, ...writable];
  const permission = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const flags = [
    ...[permission, '--no-warnings', `--max-old-space-size=${memoryMb}`],
    ...all.map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
  ];
  const inside: Walls = { readable, writable };
  const command = [...limited(memoryMb + leastOutsideMb + ofProcessMb + ofCodeMb), process.execPath, ...flags, guest, JSON.stringify(inside)];
  const [program = '', ...args] = bubblewrap === undefined ? command : [bubblewrap, ...walls(all, writable), ...command];
  const child = spawn(program, args, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'pipe', 'ipc'], serialization: 'advanced' });
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
      // Its pipes close before it has ended: a program with nothing else to do would be over before whoever waits here.
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
 * A shell that takes a limit and becomes the program. It counts memory that can be written, of heap, buffers and stacks, and not what is only reserved, of
 * which V8 takes gigabytes. Other systems than Linux do not keep such a limit.
 */
function limited(mostMb: number): string[] {
  if (process.platform !== 'linux' || !existsSync(shell)) return [];
  return [shell, '-c', `ulimit -d ${mostMb * 1_024} 2>/dev/null; exec "$@"`, shell];
}

const shell = '/bin/sh';

/** No network, no other processes, and of the files only the program's own and the plugin's. */
function walls(readable: readonly string[], writable: readonly string[]): string[] {
  const system = ['/usr', '/lib', '/lib64', '/bin', '/etc/ld.so.cache', dirname(process.execPath)];
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session'],
    ...[...system, ...readable].flatMap((path) => ['--ro-bind-try', path, path]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...[...ownSystem, '--chdir', '/'],
  ];
}

/** What it threw, of all that node says of it; else what it said last. */
function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  return textStart(
    lines.findLast((line) => /^(?:Uncaught |[A-Za-z]*Error\b)/.test(line)) ?? lines.findLast((line) => !/^Node\.js v|^\s*$/.test(line)) ?? '',
    300,
  );
}
