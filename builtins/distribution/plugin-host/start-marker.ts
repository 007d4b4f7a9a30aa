// Names the plugin that was loading when the process ended: a marker file holds its name while plugins load.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Interceptor } from 'agent-harness/kernel';
import { ownProcess, readLeft } from './marker-file.ts';

/** The program ended without anybody ending it in order: whose code ran then, and what it held. */
export interface DiedIn {
  readonly plugin: string;
  readonly content?: string;
  /** As the end of a sentence: `it <reason>`. */
  readonly reason: string;
}

const loadedReason = 'was being loaded when the program was killed or broke down.';

export interface StartMarker {
  /** Of a process that is gone. */
  readonly died: DiedIn | undefined;
  /** Runs a load of plugins; {@link at} counts only meanwhile. */
  during<T>(load: () => Promise<T>): Promise<T>;
  /** Code of this plugin is about to run. Costs one small write to a file that is open. @param content what it holds, where that is known */
  at(plugin: string, content: string | undefined): void;
  /** Code of this plugin no longer runs: where it waits, it keeps no start from its end. */
  left(plugin: string): void;
  /** Nothing is being loaded any more. */
  end(): void;
}

/** Longer than any name of a plugin with what stands around it. */
const width = 400;

/** `starting.json` in the home folder. Where another program on this home loads plugins at the moment, none of this one is noted. */
export function openStartMarker(home: string): StartMarker {
  const path = join(home, 'starting.json');
  const own = ownProcess();
  const { plugin: last, content: held } = readLeft(path, own) ?? {};
  const died: DiedIn | undefined =
    typeof last === 'string' ? { plugin: last, ...(typeof held === 'string' ? { content: held } : {}), reason: loadedReason } : undefined;
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

  function note(plugin: string | undefined, content?: string): void {
    try {
      file ??= openSync(path, 'wx', 0o600);
      writeSync(file, JSON.stringify({ ...own, plugin, content }).padEnd(width), 0);
      noted = plugin;
    } catch {
      isUsed = true; // by another program, or nothing can be written
    }
  }

  return {
    died,
    end() {
      end();
      // A load that goes on writes nothing more.
      isUsed = loads > 0;
    },
    at(plugin, content) {
      if (loads > 0 && !isUsed && noted !== plugin) note(plugin, content);
    },
    left(plugin) {
      if (noted === plugin) note(undefined);
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

/** The name of a plugin stands in the file while its code is read or registers. @param registers called before `register` */
export function noteStarts(marker: Pick<StartMarker, 'left'>, registers: (plugin: string) => void): Interceptor {
  return ({ plugin, what }, work) => {
    if (what !== 'load' && what !== 'register') return work();
    if (what === 'register') registers(plugin);
    const left = (): void => marker.left(plugin);
    let answer: unknown;
    try {
      answer = work();
      return answer as ReturnType<typeof work>;
    } finally {
      // A file is read over several turns of the event loop; what `register` waits for blocks nothing.
      if (what === 'load' && answer instanceof Promise) answer.then(left, left);
      else left();
    }
  };
}
