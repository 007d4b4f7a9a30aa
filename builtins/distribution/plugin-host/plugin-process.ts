// Runs the child process of an isolated plugin: opens the RPC channel, limits its messages, and ends it when it does not answer.
import { withLimit } from 'agent-harness/lib/async';
import { messageOf } from 'agent-harness/lib/errors';
import { memoryRange } from './capabilities.ts';
import { launchPlugin, type ProcessPlace } from './launch.ts';
import { createRpc, type Rpc } from './rpc.ts';
import { refuseOversized, type Held } from './rpc-codec.ts';

export type Callables = Readonly<Record<string, (...args: never[]) => unknown>>;

export interface ProcessParts {
  readonly place: ProcessPlace;
  /** Path of bubblewrap; `undefined` where it does not work on this machine. */
  readonly bubblewrap: string | undefined;
  /** Functions that the process may call. */
  readonly doors?: Callables;
  /** Creates the stub of a function of the process. */
  readonly stub?: (id: string) => Held;
  /** Milliseconds without an answer, while a call waits, after which the process is ended; no limit when left out. */
  readonly timeMs?: number;
  readonly onOutput?: (text: string) => void;
  /** Called once when the process is lost; returns the error that pending calls are rejected with. */
  readonly onLost: (why: string, kind: 'crash' | 'stall') => Error;
}

export interface PluginProcess {
  readonly rpc: Rpc;
  /** Calls a function of the process, under its time limit. */
  call(target: string, args: readonly unknown[]): Promise<unknown>;
  /** Ends the process, also a busy one, and rejects pending calls with the reason. */
  end(reason: Error): Promise<void>;
}

/** Below the import limit of the kernel, so that no process outlives a failed load. */
const readMs = 4_000;
/** Per second. Sequential calls reach a quarter of it. */
const mostMessages = 10_000;
/** Pings within the time limit. */
const pings = 4;

/** Reads the manifest of a plugin file in a child process. Rejects with the error of the file, or when {@link readMs} is over. */
export async function readManifest(path: string, readable: readonly string[], bubblewrap: string | undefined): Promise<unknown> {
  const place = { readable, writable: [], memoryMb: memoryRange.usual };
  const process = startProcess({ place, bubblewrap, onLost: (why) => new Error(why) });
  try {
    return await withLimit(process.rpc.call('manifest', [path]), readMs, () => {
      throw new Error(`reading it took longer than ${readMs / 1_000} s; it must declare at start and work on first use`);
    });
  } finally {
    await process.end(new Error('it was read.'));
  }
}

/** The caller ends the process. Throws where it cannot be started. */
export function startProcess({ place, bubblewrap, doors = {}, stub, timeMs, onOutput, onLost }: ProcessParts): PluginProcess {
  const running = launchPlugin(place, bubblewrap);
  const messages = createBudget(mostMessages, 1_000);
  let isOver = false;
  let pinging: NodeJS.Timeout | undefined;

  function lose(why: string, kind: 'crash' | 'stall' = 'crash'): void {
    if (isOver) return;
    isOver = true;
    rpc.close(onLost(why, kind));
    void running.kill();
  }

  const rpc = createRpc({
    port: {
      post: running.port.post,
      onMessage: (hear) =>
        running.port.onMessage((message) => {
          if (isOver) return;
          if (!messages.take()) return lose(`it sent more than ${mostMessages} messages in a second`);
          try {
            refuseOversized(message);
          } catch (fault) {
            return lose(messageOf(fault));
          }
          hear(message);
        }),
    },
    prefix: 'h',
    doors,
    onBroken: lose,
    ...(stub ? { stub } : {}),
  });
  running.onEnd(lose);
  running.onOutput(onOutput ?? (() => undefined));

  /** Pings until no call waits. Counts its own ticks instead of time, because the server's event loop may be late itself. */
  function watch(limitMs: number): void {
    let unanswered = 0;
    pinging ??= setInterval(() => {
      if (isOver || rpc.waiting === 0) pinging = void clearInterval(pinging);
      else if (unanswered++ >= pings) lose(`it did not answer for ${limitMs / 1_000} s, because it computes`, 'stall');
      else
        rpc.call('ping', []).then(
          () => (unanswered = 0),
          () => undefined,
        );
    }, limitMs / pings).unref();
  }

  return {
    rpc,
    call(target, args) {
      if (timeMs !== undefined) watch(timeMs);
      return rpc.call(target, args);
    },
    async end(reason) {
      isOver = true;
      rpc.close(reason);
      await running.kill();
    },
  };
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
