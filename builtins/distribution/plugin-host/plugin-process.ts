// One run of an isolated plugin: starts its process, opens the RPC channel, and limits its messages.
import { withLimit } from 'agent-harness/lib/async';
import type { MeteredRun } from './plugin-usage.ts';
import { memoryRange } from './capabilities.ts';
import type { Registration } from './child-registry.ts';
import { launchPlugin, type RunningProcess } from './launch.ts';
import { createRpc, type Rpc, type Port } from './rpc.ts';
import type { Held } from './rpc-codec.ts';

export interface PluginProcess {
  readonly rpc: Rpc;
  readonly running: RunningProcess;
  /** Where it is charged, once it registers. */
  run?: MeteredRun;
  /** What it registered: once nobody holds its functions here, they are freed there. */
  registered?: readonly Registration[];
  bytes?: Uint8Array;
  /** It has nothing to do until somebody needs it. */
  isDone?: boolean;
  isLost?: boolean;
}

/** Less than whoever loads plugins waits for an import, so that nothing is left running. */
const readMs = 4_000;
/** In a second. One call after the other comes to a quarter of that. */
export const mostMessages = 10_000;

/** Reads what a file says about itself, where it can do nothing. Rejects with what it throws. */
export async function readManifest(path: string, readable: readonly string[], bubblewrap: string | undefined): Promise<unknown> {
  const running = launchPlugin({ readable, writable: [], memoryMb: memoryRange.usual }, bubblewrap);
  try {
    const { rpc } = openPluginProcess(running, {});
    const read = new Promise((resolve, reject) => {
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

/** Whoever opens it closes its rpc and kills what runs. @param stub for functions of the other side @param onFlood called once it sends more than anybody can read; what comes later is thrown away */
export function openPluginProcess(running: RunningProcess, doors: Callables, stub?: (id: string) => Held, onFlood?: () => void): PluginProcess {
  const messages = createBudget(mostMessages, 1_000);
  const port: Port = {
    post: running.port.post,
    onMessage: (hear) =>
      running.port.onMessage((message) => {
        if (messages.take()) hear(message);
        else if (messages.isFirstBeyond) onFlood?.();
      }),
  };
  return { running, rpc: createRpc({ port, prefix: 'h', doors, ...(stub ? { stub } : {}) }) };
}

/** So many in each window, and then none until the next one. */
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
