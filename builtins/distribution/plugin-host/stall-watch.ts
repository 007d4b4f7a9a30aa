// Ends the process of an isolated plugin that does not answer within its time limit while a call waits.
import type { PluginProcess } from './plugin-process.ts';

export interface StallWatch {
  /** Watches until no call is pending. */
  watch(): void;
  stop(): void;
}

/** Pings within the time limit. */
const pings = 4;

/** @param timeMs time limit without an answer @param guest the current process @param onStall called with a process that does not answer */
export function createStallWatch(timeMs: number, guest: () => PluginProcess | undefined, onStall: (guest: PluginProcess) => void): StallWatch {
  let watching: NodeJS.Timeout | undefined;

  function stop(): void {
    clearInterval(watching);
    watching = undefined;
  }

  return {
    /** Counts its own ticks instead of time, because the server's event loop may be late itself. */
    watch() {
      if (watching) return;
      let unanswered = 0;
      let asked: PluginProcess | undefined;
      watching = setInterval(() => {
        const now = guest();
        if (!now || now.rpc.waiting === 0) return stop();
        if (now !== asked) unanswered = 0;
        asked = now;
        if (unanswered++ >= pings) {
          stop();
          return onStall(now);
        }
        now.rpc.call('ping', []).then(
          () => (unanswered = 0),
          () => undefined,
        );
      }, timeMs / pings);
      watching.unref();
    },
    stop,
  };
}
