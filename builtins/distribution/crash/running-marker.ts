// A file that stands in the home while the program works and plugins run in it: who finds it later knows that nobody ended that run in order.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from 'agent-harness/lib/values';
import { ownProcess, readLeft } from '../left-behind.ts';
import type { EndedRun } from './culprit-search.ts';

export interface RunningMarker {
  /** The last run, where it ended without anybody ending it in order, and the machine did not. */
  readonly ended: EndedRun | undefined;
  /** @param plugins name → what each holds */
  begin(plugins: Readonly<Record<string, string>>): void;
  /** Whether no code of any has run for a while. Done when it returns. */
  setQuiet(isQuiet: boolean): void;
  /** It ends in order, or the one that ends it is known. */
  end(): void;
}

/** So much is written down of how long a run lasted, in milliseconds. */
const livedMs = [15_000, 60_000, 300_000, 900_000] as const;

/** The next longer time that a marker tells apart: who has run for that long has outlived one that ended after `ms`. */
export const longerThan = (ms: number): number => livedMs.find((one) => one > ms) ?? livedMs[3];

/** What ended after that did not end soon after its start. */
export const soonMs = livedMs[3];

/** `running.json` in the home folder, of the first program that works on it. */
export function openRunningMarker(home: string): RunningMarker {
  const path = join(home, 'running.json');
  const own = { ...ownProcess(), boot: bootId() };
  const timers: NodeJS.Timeout[] = [];
  let isOurs = false;
  let said: EndedRun = { lived: 0, plugins: {} };

  function write(flag: 'wx' | 'w'): void {
    try {
      writeFileSync(path, JSON.stringify({ ...own, ...said }), { mode: 0o600, flag });
      isOurs = true;
    } catch {
      // Another program works on this home, or nothing can be written: none of this one is noted.
    }
  }

  function say(more: Partial<EndedRun>): void {
    said = { ...said, ...more };
    if (isOurs) write('w');
  }

  function end(): void {
    for (const timer of timers.splice(0)) clearTimeout(timer);
    if (isOurs) rmSync(path, { force: true });
    isOurs = false;
  }

  return {
    ended: endedIn(readLeft(path, own), own.boot),
    end,
    begin(plugins) {
      end();
      said = { lived: 0, plugins };
      write('wx');
      if (!isOurs) return;
      for (const ms of livedMs) timers.push(setTimeout(() => say({ lived: ms }), ms).unref());
    },
    setQuiet: (isQuiet) => say({ isQuiet }),
  };
}

/** A machine that went down took the program with it. */
function endedIn(left: Readonly<Record<string, unknown>> | undefined, boot: string): EndedRun | undefined {
  const { lived, plugins, isQuiet, boot: before } = left ?? {};
  if (!isRecord(plugins) || before !== boot || typeof lived !== 'number') return undefined;
  const texts = Object.entries(plugins).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { lived, ...(isQuiet === true ? { isQuiet } : {}), plugins: Object.fromEntries(texts) };
}

/** Another one for each start of the machine; empty where the system does not tell. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
