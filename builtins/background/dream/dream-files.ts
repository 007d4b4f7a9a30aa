// Stores the files of dreams in the home folder: state, lock, and one report per run.
import { join } from 'node:path';
import { hasCode } from '#lib/errors';
import { isRecord } from '#lib/values';
import type { Storage } from 'agent-harness/plugins/storage';
import type { DreamRun } from './contract.ts';
import type { DreamState } from './dream-gates.ts';
import { openFolder, openMarker } from './run-marker.ts';

export interface DreamFiles {
  state(): Promise<DreamState>;
  /** Changes the state. Resolves with the new state when it is on disk. */
  keepState(change: (state: DreamState) => DreamState): Promise<DreamState>;
  /** Locks runs for this process. Resolves with a function that releases the lock, or with `undefined` if another process holds it. */
  lock(staleMs: number): Promise<(() => Promise<void>) | undefined>;
  keep(run: DreamRun): Promise<void>;
  run(runId: string): Promise<DreamRun | undefined>;
  /** Returns all reports, newest first. */
  runs(): Promise<readonly DreamRun[]>;
  /** Marks a run as in progress, so that startup finds it without reading all reports. */
  begin(runId: string): Promise<void>;
  end(): Promise<void>;
  /** Returns the run that was in progress when a process ended. */
  open(): Promise<string | undefined>;
}

/** Maximum number of stored reports; a run without its report cannot be undone. */
const maxRuns = 200;

export function createDreamFiles(home: string, storage: Storage): DreamFiles {
  const folder = openFolder(home);
  const [statePath, lockPath, openPath, runsFolder] = [join(folder, 'state.json'), join(folder, 'lock.json'), openMarker(home), join(folder, 'runs')];
  const pathOf = (runId: string): string => join(runsFolder, `${runId}.json`);

  async function names(): Promise<string[]> {
    const all = await storage.list(runsFolder);
    return all
      .map((name) => name.replace(/\.json$/, ''))
      .filter((name) => storage.isId('dream', name))
      .sort()
      .reverse();
  }

  const run = (runId: string): Promise<DreamRun | undefined> =>
    storage.isId('dream', runId) ? storage.readJson(pathOf(runId), isRun) : Promise.resolve(undefined);

  let ours: string | undefined;

  return {
    state: async () => (await storage.readJson(statePath, isState)) ?? {},
    keepState: (change) => storage.updateJson<DreamState>(statePath, (state) => change(state ?? {}), { shape: isState }),
    async lock(staleMs) {
      const mine = { pid: process.pid, at: Date.now(), id: storage.createId('lock') };
      const held = await storage.updateJson<Lock>(lockPath, (other) => (other && isHeld(other, staleMs, ours) ? other : mine), { shape: isLock });
      if (held.id !== mine.id) return undefined;
      ours = mine.id;
      return async () => {
        ours = undefined;
        await storage.updateJson<Lock>(lockPath, (now) => (now?.id === mine.id ? { ...now, pid: 0 } : (now ?? { ...mine, pid: 0 })), { shape: isLock });
      };
    },
    async keep(one) {
      await storage.writeJson(pathOf(one.runId), one);
      for (const old of (await names()).slice(maxRuns)) await storage.remove(pathOf(old));
    },
    run,
    runs: async () => (await Promise.all((await names()).map(run))).filter((one) => one !== undefined),
    begin: (runId) => storage.writeJson(openPath, { runId }),
    end: () => storage.remove(openPath),
    async open() {
      const mark = await storage.readJson(openPath, isRecord);
      return typeof mark?.['runId'] === 'string' ? mark['runId'] : undefined;
    },
  };
}

/** Content of the lock file; `pid` is 0 after the release. */
interface Lock {
  readonly pid: number;
  /** Unix timestamp in milliseconds. */
  readonly at: number;
  readonly id: string;
}

/** @param ours id of this process: another id with the same pid belongs to an earlier process, such as the previous process of a container */
function isHeld({ pid, at, id }: Lock, staleMs: number, ours: string | undefined): boolean {
  const age = Date.now() - at;
  return pid > 0 && Math.abs(age) < staleMs && (pid === process.pid ? id === ours : isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return hasCode(fault, 'EPERM');
  }
}

function isLock(value: unknown): value is Lock {
  return isRecord(value) && Number.isSafeInteger(value['pid']) && Number.isFinite(value['at']) && typeof value['id'] === 'string';
}

function isState(value: unknown): value is DreamState {
  const times: readonly (keyof DreamState)[] = ['lastRunAt', 'readUpTo', 'scannedAt', 'empty', 'stoppedAt'];
  return isRecord(value) && times.every((name) => value[name] === undefined || Number.isFinite(value[name]));
}

function isRun(value: unknown): value is DreamRun {
  return isRecord(value) && typeof value['runId'] === 'string' && ['sessions', 'changes', 'refused'].every((name) => Array.isArray(value[name]));
}
