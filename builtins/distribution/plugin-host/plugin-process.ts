// One run of an isolated plugin: starts its process, opens the RPC channel, and limits its messages.
import { withLimit } from 'agent-harness/lib/async';
import { messageOf } from 'agent-harness/lib/errors';
import type { MeteredRun } from './plugin-usage.ts';
import { memoryRange } from './capabilities.ts';
import type { Registration } from './child-registry.ts';
import { launchPlugin, type RunningProcess } from './launch.ts';
import { createRpc, type Rpc, type Port } from './rpc.ts';
import { refuseOversized, type Held } from './rpc-codec.ts';

export interface PluginProcess {
  readonly rpc: Rpc;
  readonly running: RunningProcess;
  /** Meters this run, once the plugin registers. */
  run?: MeteredRun;
  /** Its registrations. They are referenced as long as the process runs: functions without a reference are freed in the child. */
  registered?: readonly Registration[];
  bytes?: Uint8Array;
  /** The plugin is idle: its process may end until the next call. */
  isDone?: boolean;
  isLost?: boolean;
}

/** Below the import limit of the kernel, so that no process outlives a failed load. */
const readMs = 4_000;
/** Per second. Sequential calls reach a quarter of it. */
const mostMessages = 10_000;

/** Reads the manifest of a plugin file in a child process. Rejects with the error of the file, or when {@link readMs} is over. */
export async function readManifest(path: string, readable: readonly string[], bubblewrap: string | undefined): Promise<unknown> {
  const running = launchPlugin({ readable, writable: [], memoryMb: memoryRange.usual }, bubblewrap);
  try {
    const read = new Promise((resolve, reject) => {
      const { rpc } = openPluginProcess(running, {}, undefined, (why) => reject(new Error(why)));
      running.onEnd((why) => reject(new Error(why)));
      rpc.call('manifest', [path]).then(resolve, reject);
    });
    return await withLimit(read, readMs, () => {
      throw new Error(`reading it took longer than ${readMs / 1_000} s; it must declare at start and work on first use`);
    });
  } finally {
    await running.kill();
  }
}

export type Callables = Readonly<Record<string, (...args: never[]) => unknown>>;

/**
 * The caller closes the RPC channel and kills the process.
 * @param stub for functions of the other side
 * @param onFlood called with the reason when it sends more than can be read, or what cannot be used; further messages are ignored
 */
export function openPluginProcess(running: RunningProcess, doors: Callables, stub?: (id: string) => Held, onFlood?: (why: string) => void): PluginProcess {
  const messages = createBudget(mostMessages, 1_000);
  let isBroken = false;
  const breakOff = (why: string): void => {
    if (isBroken) return;
    isBroken = true;
    onFlood?.(why);
  };
  const port: Port = {
    post: running.port.post,
    onMessage: (hear) =>
      running.port.onMessage((message) => {
        if (isBroken) return;
        if (!messages.take()) return breakOff(`it sent more than ${mostMessages} messages in a second`);
        try {
          refuseOversized(message);
        } catch (fault) {
          return breakOff(messageOf(fault));
        }
        hear(message);
      }),
  };
  return { running, rpc: createRpc({ port, prefix: 'h', doors, onBroken: breakOff, ...(stub ? { stub } : {}) }) };
}

/** A rate limit: `take` returns true up to `most` times in each window of `windowMs`. */
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
