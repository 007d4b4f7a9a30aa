// Counts runs that ended without a shutdown while third-party plugins ran in the process, so that the next start can leave those plugins out.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kernel } from 'agent-harness/kernel';
import { isOutside } from './plugin-watch.ts';
import { ownProcess, readLeft } from './marker-file.ts';

/** Abnormal ends in a row, without a plugin that was named as the cause, after which a start runs without third-party plugins. */
const endsUntilSafe = 2;

export interface AbnormalEnds {
  /** This start runs without third-party plugins. */
  readonly isSafe: boolean;
  /** Message for the user; only of a safe start. */
  readonly notice: string | undefined;
  /** Writes the marker file while third-party plugins run in the process. */
  watch(kernel: Kernel, ready: Promise<unknown>): void;
  /** A shutdown, or an end whose cause is known. */
  end(): void;
}

/**
 * @param home folder of the marker file `running.json`
 * @param isNamed whether another marker names the plugin that ended the last run
 * @param isWritten false: nothing is written
 */
export function openAbnormalEnds(home: string, isNamed: boolean, isWritten: boolean): AbnormalEnds {
  const path = join(home, 'running.json');
  const own = { ...ownProcess(), boot: bootId() };
  const left = readLeft(path, own);
  // A shutdown of the machine ends every process, so it counts for nothing.
  const hasCrashed = left !== undefined && left['boot'] === own.boot && !isNamed;
  const before = typeof left?.['ends'] === 'number' ? left['ends'] : 0;
  const ends = hasCrashed ? before + 1 : 0;
  const isSafe = ends >= endsUntilSafe;
  let isOurs = false;
  let isOver = false;

  function mark(isAtRisk: boolean): void {
    if (isOver || isAtRisk === isOurs || !isWritten) return;
    try {
      if (isAtRisk) writeFileSync(path, JSON.stringify({ ...own, ends: isSafe ? 0 : ends }), { mode: 0o600, flag: 'wx' });
      else rmSync(path, { force: true });
      isOurs = isAtRisk;
    } catch {
      // Another program runs on this home, or the disk is read-only.
    }
  }

  return {
    isSafe,
    notice: isSafe
      ? `The program ended unexpectedly ${ends} times in a row, so this start runs without third-party plugins. If it is stable now, disable plugins one by one to find the cause. The next start loads them again.`
      : undefined,
    watch(kernel, ready) {
      const isAtRisk = (): boolean =>
        kernel.control.report().plugins.some((plugin) => isOutside(plugin) && plugin.state === 'active' && plugin.isolation === undefined);
      let isLoaded = false;
      const update = (): void => mark(isAtRisk());
      kernel.emitter.on('plugin_changed', () => {
        if (isLoaded) void kernel.control.idle().then(update);
      });
      kernel.emitter.tap('app.start', () => {
        void ready.then(() => {
          isLoaded = true;
          update();
        });
      });
    },
    end() {
      mark(false);
      isOver = true;
    },
  };
}

/** Changes with each boot of the machine; empty where the system does not report it. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
