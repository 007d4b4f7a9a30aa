// Finds the plugin that kept a start from its end: which one is being loaded stands in a file, for as long as plugins are.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, jsonOf } from 'agent-harness/lib/values';

/** A load of plugins that nobody ended in order: whose code ran, and what it held. */
export interface DiedStart {
  readonly plugin: string;
  readonly content?: string;
}

export interface StartMarker {
  /** Of a process that is gone. */
  readonly died: DiedStart | undefined;
  /** Runs a load of plugins; {@link at} counts only meanwhile. */
  during<T>(load: () => Promise<T>): Promise<T>;
  /** Code of this plugin is about to run. Costs one small write to a file that is open. @param content what it holds, where that is known */
  at(plugin: string, content: string | undefined): void;
  /** Nothing is being loaded any more. */
  end(): void;
}

interface Owner {
  readonly pid: number;
  /** Names the process for good, where the system tells. */
  readonly start: string;
}

/** Longer than any name of a plugin with what stands around it. */
const width = 400;

/** `starting.json` in the home folder. Where another program on this home loads plugins at the moment, none of this one is noted. */
export function openStartMarker(home: string): StartMarker {
  const path = join(home, 'starting.json');
  const own: Owner = { pid: process.pid, start: startOf(process.pid) };
  const died = readDied(path, own);
  let file: number | undefined;
  let isUsed = false;
  let loads = 0;
  let noted: string | undefined;

  function end(): void {
    if (file === undefined) return;
    closeSync(file);
    file = undefined;
    noted = undefined;
    rmSync(path, { force: true });
  }

  return {
    died,
    end,
    at(plugin, content) {
      if (loads === 0 || isUsed || noted === plugin) return;
      try {
        file ??= openSync(path, 'wx', 0o600);
        writeSync(file, JSON.stringify({ ...own, plugin, content }).padEnd(width), 0);
        noted = plugin;
      } catch {
        isUsed = true; // by another program, or nothing can be written
      }
    },
    async during(load) {
      loads++;
      try {
        return await load();
      } finally {
        if (--loads === 0) {
          end();
          isUsed = false;
        }
      }
    },
  };
}

function readDied(path: string, own: Owner): DiedStart | undefined {
  try {
    const found = jsonOf(readFileSync(path, 'utf8'));
    const { pid, start, plugin, content } = isRecord(found) ? found : {};
    const isGone = typeof pid !== 'number' || pid === own.pid || !isAlive(pid) || (own.start !== '' && startOf(pid) !== start);
    if (!isGone) return undefined;
    rmSync(path, { force: true });
    return typeof plugin === 'string' ? { plugin, ...(typeof content === 'string' ? { content } : {}) } : undefined;
  } catch {
    return undefined; // there is none
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (fault) {
    return (fault as { readonly code?: string }).code === 'EPERM';
  }
}

/** In ticks since the machine started; empty where the system does not tell. */
function startOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
