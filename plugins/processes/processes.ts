// Tags child processes with an environment variable, and finds and terminates tagged processes.
import { setTimeout as delay } from 'node:timers/promises';
import { yieldToEventLoop } from '#lib/event-loop';
import { sha256 } from '#lib/hash';
import type { ProcessMark, Processes, ProcessUse } from 'agent-harness/plugins/processes';
import type { Product } from 'agent-harness/plugins/storage';
import { bytesOf, exactBytesOf, listProcesses, readProcess, surroundingsOf, variableOf, type ProcessRow } from './proc.ts';

interface Look {
  /** All processes except this one. */
  readonly rows: readonly ProcessRow[];
  /** Whether the system provides information about processes. */
  readonly canTell: boolean;
  markOf(pid: number): string;
}

export interface OwnedProcesses extends Processes {
  /** Terminates the processes that this process started. */
  endOwn(): Promise<void>;
  /** Terminates processes left behind by killed servers of this home folder. */
  endAbandoned(): Promise<void>;
}

/** Maximum time, in milliseconds, to wait until killed processes have ended. */
const killedMs = 1_000;
const firstPauseMs = 2;
const longestPauseMs = 20;
const isLinux = process.platform === 'linux';

/** Creates the process tracker. Tags have the form `<home>.<pid namespace>.<pid>.<start>.<count>`, which identifies their owner even after a `kill -9`. */
export function createProcesses({ name, home }: Product): OwnedProcesses {
  const variable = `${name.toUpperCase().replaceAll('-', '_')}_PROCESS`;
  const place = `${sha256(home).slice(0, 16)}.${namespaceOf(surroundingsOf('self'))}.`;
  const own = `${place}${process.pid}.${isLinux ? (readProcess(process.pid)?.start ?? '') : ''}.`;
  let count = 0;
  let looked = new Map<number, { readonly start: string; readonly mark: string } | undefined>();

  /** Scans all processes and their tags. */
  function snapshot(): Look {
    const all = isLinux ? listProcesses() : [];
    const rows = all.filter(({ pid }) => pid !== process.pid);
    const before = looked;
    // Cached per process, because most have no tag. Also finds a process that has dropped its tag since the last scan.
    looked = new Map(
      rows.map(({ pid, start }) => [pid, before.get(pid)?.start === start ? before.get(pid) : { start, mark: variableOf(pid, variable) ?? '' }]),
    );
    return { rows, canTell: all.length > rows.length, markOf: (pid) => looked.get(pid)?.mark ?? '' };
  }

  let coming: Promise<Look> | undefined;
  /** Scans once for all requests in the same iteration of the event loop, because many processes may end together. */
  function look(): Promise<Look> {
    return (coming ??= yieldToEventLoop().then(() => {
      coming = undefined;
      return snapshot();
    }));
  }

  /**
   * Returns the processes with a matching tag, and their children that dropped the environment.
   * @param known start times from earlier scans, by process id: a process without a tag may have lost its tagged parent since then
   */
  function carriers(fits: (mark: string) => boolean, known: Map<number, string>, { rows, markOf }: Look): number[] {
    const found = new Set<number>();
    for (const { pid, start } of rows) if (known.get(pid) === start || fits(markOf(pid))) found.add(pid);
    for (let before = -1; before !== found.size;) {
      before = found.size;
      for (const { pid, parent } of rows) if (found.has(parent)) found.add(pid);
    }
    known.clear();
    for (const { pid, start } of rows) if (found.has(pid)) known.set(pid, start);
    return [...found];
  }

  async function endAll(fits: (mark: string) => boolean, known = new Map<number, string>()): Promise<boolean> {
    const limit = performance.now() + killedMs;
    let hasFound = false;
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      const left = carriers(fits, known, await look());
      if (left.length === 0) return hasFound;
      hasFound = true;
      left.forEach(kill);
      if (performance.now() >= limit) return true;
      await delay(pause);
    }
  }

  /** Returns whether the creator of a tag has ended. Process id and start time together are never reused. */
  function isAbandoned(mark: string): boolean {
    if (!mark.startsWith(place) || mark.startsWith(own)) return false;
    const [pid = '', start] = mark.slice(place.length).split('.');
    return readProcess(Number(pid))?.start !== start;
  }

  const seen = new WeakMap<ProcessMark, Map<number, string>>();
  function seenWith(mark: ProcessMark): Map<number, string> {
    const known = seen.get(mark) ?? new Map<number, string>();
    seen.set(mark, known);
    return known;
  }
  const isOn = ({ environment }: ProcessMark) => (text: string): boolean => text !== '' && text === environment[variable]; // prettier-ignore

  return {
    createMark: () => ({ environment: { [variable]: `${own}${++count}` } }),
    find: async (mark) => carriers(isOn(mark), seenWith(mark), await look()),
    async members(group) {
      const { rows, canTell } = await look();
      return canTell ? rows.flatMap((row) => (row.group === group ? [row.pid] : [])) : undefined;
    },
    end: (mark) => endAll(isOn(mark), seenWith(mark)),
    endOwn: async () => void (count > 0 && (await endAll((text) => text.startsWith(own)))),
    endAbandoned: async () => void (await endAll(isAbandoned)),
    measure(marks, bytesAllowed) {
      const now = snapshot();
      return Promise.resolve(marks.map((mark) => useOf(carriers(isOn(mark), seenWith(mark), now), bytesAllowed)));
    },
    isOurs(pid) {
      if (!isLinux || pid === process.pid) return false;
      const around = surroundingsOf(pid);
      if (around === undefined || around !== surroundingsOf('self')) return true;
      for (let row: ProcessRow | undefined = readProcess(pid); row; row = readProcess(row.parent)) {
        if (row.parent === process.pid || variableOf(row.pid, variable)?.startsWith(place) === true) return true;
      }
      return false;
    },
  };
}

function useOf(pids: readonly number[], bytesAllowed: number): ProcessUse {
  const sum = (bytes: (pid: number) => number): number => pids.reduce((total, pid) => total + bytes(pid), 0);
  const atMost = sum(bytesOf);
  return { count: pids.length, bytes: atMost > bytesAllowed ? sum(exactBytesOf) || atMost : atMost };
}

function namespaceOf(surroundings = ''): string {
  return /\d+/.exec(surroundings)?.[0] ?? '';
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // the process ended after the scan
  }
}
