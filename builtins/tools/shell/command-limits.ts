// Limits the memory and the number of processes of a command with all its descendants.
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { ProcessMark, Processes } from 'agent-harness/plugins/processes';

export interface LimitSettings {
  /** Memory limit in megabytes; 0: three quarters of the machine's memory. */
  readonly memoryMb: number;
  readonly mostProcesses: number;
}

export interface CommandLimits {
  /** Returns the prefix of the command line. */
  prefix(): readonly string[];
  /** Checks the command every second. If it exceeds a limit, calls `onExceeded` once with a sentence that names the limit. */
  watch(mark: ProcessMark, onExceeded: (why: string) => void): { end(): void };
}

const everyMs = 1_000;
const megabyte = 1024 * 1024;
/** Allowed tasks per process; more than one, because the system also counts threads. */
const tasksOfProcess = 4;
/**
 * Script that makes the system itself limit the tasks of non-root users and, when memory runs out, kill a command before other processes. Shells use different
 * option letters for this limit.
 */
const script = 'ulimit -u "$0" 2>/dev/null || ulimit -p "$0" 2>/dev/null; { echo 500 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$@"';

/** @param settings returns the current settings; called on each use */
export function createCommandLimits(settings: () => LimitSettings, processes: Processes): CommandLimits {
  const watched = new Map<ProcessMark, (why: string) => void>();
  let timer: NodeJS.Timeout | undefined;

  const bytesAllowed = (): number => {
    const { memoryMb } = settings();
    return memoryMb > 0 ? memoryMb * megabyte : 0.75 * machineBytes();
  };

  async function look(): Promise<void> {
    const marks = [...watched.keys()];
    const taken = await processes.measure(marks, bytesAllowed());
    marks.forEach((mark, index) => {
      const { count = 0, bytes = 0 } = taken[index] ?? {};
      const why = excessOf(count, bytes);
      const onExceeded = watched.get(mark);
      if (why === undefined || !onExceeded) return;
      remove(mark);
      onExceeded(why);
    });
  }

  function excessOf(count: number, bytes: number): string | undefined {
    const { mostProcesses } = settings();
    if (count > mostProcesses) return `It exceeded ${mostProcesses.toLocaleString('en')} processes (AGENT_COMMAND_PROCESSES).`;
    const allowed = bytesAllowed();
    return bytes > allowed ? `It exceeded ${Math.round(allowed / megabyte).toLocaleString('en')} MB of memory (AGENT_COMMAND_MEMORY_MB).` : undefined;
  }

  function remove(mark: ProcessMark): void {
    watched.delete(mark);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    prefix: () => (process.platform === 'linux' ? ['/bin/sh', '-c', script, String(tasksNow() + tasksOfProcess * settings().mostProcesses)] : []),
    watch(mark, onExceeded) {
      watched.set(mark, onExceeded);
      timer ??= setInterval(() => void look(), everyMs).unref();
      return { end: () => remove(mark) };
    },
  };
}

/** Returns the number of tasks of all users; outside a sandbox, the limit applies to all processes of a user. */
function tasksNow(): number {
  try {
    return Number(/\/(\d+)/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Returns the memory of the container, if there is one, otherwise that of the machine, in bytes. */
function machineBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
