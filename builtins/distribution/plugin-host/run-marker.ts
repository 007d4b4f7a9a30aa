// Records how this process ends, for use by the next start: a marker file exists while third-party plugins load or run in the process, and it names the plugin
// that is loading.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Interceptor, Kernel } from 'agent-harness/kernel';
import { hasCode } from '#lib/errors';
import { isRecord, jsonOf } from '#lib/values';
import { isOutside } from './plugin-files.ts';

/** A plugin, with the stamp of its files. */
interface Named {
  readonly plugin: string;
  readonly stamp?: string | undefined;
}

export type RunMarker = ReturnType<typeof openRunMarker>;

/** Number of consecutive crashes that no known plugin caused, after which a start skips third-party plugins. */
const endsUntilSafe = 2;
/** File size in bytes. The file is overwritten in place, so its size must exceed that of the marker for any plugin name. */
const width = 500;

/**
 * Opens `plugin-run.json` in the home folder. While another process holds it, this process writes no marker. @param isWritten whether to write the marker file
 */
export function openRunMarker(home: string, isWritten: boolean) {
  const path = join(home, 'plugin-run.json');
  const own = { pid: process.pid, start: startOf(process.pid), boot: textOf('/proc/sys/kernel/random/boot_id').trim() };
  const { plugin, stamp: diedStamp, boot, ends: before } = readLeft(path, own);
  const died = typeof plugin === 'string' ? { plugin, ...(typeof diedStamp === 'string' ? { stamp: diedStamp } : {}) } : undefined;
  // A shutdown of the machine ends every process, so it is not counted.
  const ends = boot === own.boot && !died && typeof before === 'number' ? before + 1 : 0;
  const isSafe = ends >= endsUntilSafe;
  let file: number | undefined;
  let loads = 0;
  let isAtRisk = false;
  let isOver = !isWritten;
  let named: Named | undefined;

  function write(): void {
    if (isOver) return;
    if (loads === 0 && !isAtRisk) return remove();
    try {
      file ??= openSync(path, 'wx', 0o600);
      writeSync(file, JSON.stringify({ ...own, ...named, ...(isAtRisk ? { ends: isSafe ? 0 : ends } : {}) }).padEnd(width), 0);
    } catch {
      // Another process with this home folder holds the file, or the disk is read-only.
    }
  }

  function remove(): void {
    if (file === undefined) return;
    closeSync(file);
    file = undefined;
    rmSync(path, { force: true });
  }

  function name(next?: Named): void {
    named = next;
    write();
  }

  return {
    /** The plugin that was loading when the last process ended. */
    died,
    /** Reason, for users, why this start skips third-party plugins; `undefined` if it does not. */
    unsafe: isSafe
      ? `The program ended unexpectedly ${ends} times in a row, so this start runs without third-party plugins. If it is stable now, disable plugins one by one to find the cause. The next start loads them again.`
      : undefined,
    /** Runs a load of plugins. */
    async during<T>(load: () => Promise<T>): Promise<T> {
      loads++;
      try {
        return await load();
      } finally {
        loads = Math.max(0, loads - 1);
        if (loads === 0) name();
      }
    },
    /** Records that code of this plugin is about to run; only during a load. Costs one small write to an open file. */
    at: (next: string, stamp: string | undefined) => (loads > 0 && named?.plugin !== next ? name({ plugin: next, stamp }) : undefined),
    /** Records that the code of a plugin no longer blocks the process. */
    left: (last: string) => (named?.plugin === last ? name() : undefined),
    /** Creates the marker file when the server starts, while third-party plugins run in the process. */
    watch({ control, emitter }: Kernel, ready: Promise<unknown>): void {
      let isLoaded = false;
      const update = (): void => {
        if (!isLoaded) return;
        isAtRisk = control.report().plugins.some((row) => isOutside(row) && row.state === 'active' && row.isolation === undefined);
        write();
      };
      emitter.on('plugin_changed', () => void control.idle().then(update));
      emitter.tap('app.start', () => {
        void ready.then(() => {
          isLoaded = true;
          update();
        });
      });
    },
    /** Records that the process is ending for a reason unrelated to loading. */
    endLoad(): void {
      loads = 0;
      name();
    },
    /** Deletes the marker file and writes no other, because the process ends normally or because of a plugin that was already named. */
    end(): void {
      remove();
      isOver = true;
    },
  };
}

/** Records a plugin in the marker file while its file is imported and read, and while it registers. @param willRegister records the plugin */
export function noteLoads(marker: Pick<RunMarker, 'left'>, willRegister: (plugin: string) => void): Interceptor {
  return ({ plugin, what }, work) => {
    if (what !== 'load' && what !== 'register') return work();
    if (what === 'register') willRegister(plugin);
    const left = (): void => marker.left(plugin);
    let answer: unknown;
    try {
      answer = work();
      return answer as ReturnType<typeof work>;
    } finally {
      // A file is read over several turns of the event loop; the awaited work of `register` does not block.
      if (what === 'load' && answer instanceof Promise) answer.then(left, left);
      else left();
    }
  };
}

/**
 * Reads and deletes the marker file of an ended process. Returns an empty record if there is none, or if its process is running. The start time is compared,
 * too, because process ids are reused.
 */
function readLeft(path: string, own: { readonly pid: number; readonly start: string }): Readonly<Record<string, unknown>> {
  const text = textOf(path);
  const found = jsonOf(text);
  const { pid, start } = isRecord(found) ? found : {};
  const runs = typeof pid === 'number' && pid !== own.pid && isAlive(pid) && (own.start === '' || startOf(pid) === start);
  if (text === '' || runs) return {};
  rmSync(path, { force: true });
  return isRecord(found) ? found : {};
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (fault) {
    return hasCode(fault, 'EPERM');
  }
}

/** Returns the start time of a process in ticks since boot; an empty text if the system does not report it. */
const startOf = (pid: number): string => textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[19] ?? '';

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
