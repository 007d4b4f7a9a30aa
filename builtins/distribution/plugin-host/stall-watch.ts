// Ends the process of an isolated plugin that does not answer within its time limit while a call waits.
import type { PluginProcess } from './plugin-process.ts';

export interface StallWatch {
  /** Until nobody waits any more. */
  watch(): void;
  stop(): void;
}

/** How often it is asked whether it is there, within the time that it may compute. */
const pings = 4;

/** @param timeMs for which it may answer nothing @param guest that runs now @param onStall gets the one that does not answer */
export function createStallWatch(timeMs: number, guest: () => PluginProcess | undefined, onStall: (guest: PluginProcess) => void): StallWatch {
  let watching: NodeJS.Timeout | undefined;

  function stop(): void {
    clearInterval(watching);
    watching = undefined;
  }

  return {
    /** Turns of this thread are counted and no time, for this thread may be late itself. */
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
