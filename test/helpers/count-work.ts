// Counts the work of this process: file system calls, thread pool jobs, flushes, bytes written and calls of project functions.
import { createHook } from 'node:async_hooks';
import fs from 'node:fs';
import { Session } from 'node:inspector/promises';
import { syncBuiltinESMExports } from 'node:module';

export interface Work {
  /** File system jobs in the thread pool. */
  pool: number;
  /** Synchronous file system calls on the main thread. */
  sync: number;
  flushes: number;
  /** In bytes. */
  written: number;
  /** Calls of functions in `kernel`, `plugins` and `builtins`. */
  calls: number;
}

export interface WorkCount {
  take(): Promise<Work>;
  stop(): Promise<void>;
}

const waiting = /^(?:open|read|readFile|stat|lstat|fstat|exists|readdir|realpath|access|write|writeFile|appendFile|mkdir|rename|unlink|rm|close)Sync$/;
const flushing = new Set(['fsync', 'fdatasync', 'fsyncSync', 'fdatasyncSync', 'sync', 'datasync']);
const writing = new Set(['write', 'writev', 'writeSync', 'writevSync', 'writeFile', 'appendFile', 'writeFileSync', 'appendFileSync']);
const poolTypes = new Set(['FSREQCALLBACK', 'FSREQPROMISE', 'FILEHANDLECLOSEREQ']);

/** Counts work until the counter is stopped. Concurrent counters would count the same work twice. */
export async function countWork(): Promise<WorkCount> {
  const counts = { pool: 0, sync: 0, flushes: 0, written: 0 };
  const undo: (() => void)[] = [];
  const hook = createHook({ init: (_, type) => void (poolTypes.has(type) && counts.pool++) }).enable();

  function wrap(owner: object, isHandle = false): void {
    for (const [name, own] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      const { value } = own as { value?: unknown };
      if (typeof value !== 'function' || !own.writable || !(waiting.test(name) || flushing.has(name) || writing.has(name))) continue;
      const wrapped = function (this: unknown, ...args: unknown[]): unknown {
        if (waiting.test(name)) counts.sync++;
        if (flushing.has(name)) counts.flushes++;
        if (writing.has(name)) counts.written += sizeOf(args[isHandle ? 0 : 1]);
        return Reflect.apply(value, this, args);
      };
      Object.defineProperty(owner, name, { ...own, value: Object.assign(wrapped, value) });
      undo.push(() => void Object.defineProperty(owner, name, own));
    }
  }

  const handle = await fs.promises.open(process.execPath);
  await handle.close();
  wrap(fs);
  wrap(fs.promises);
  wrap(Object.getPrototypeOf(handle) as object, true);
  syncBuiltinESMExports();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const own = result.filter(({ url }) => /\/(?:kernel|plugins|builtins)\/[^?]*\.ts/.test(url) && !url.includes('node_modules'));
      const calls = own.reduce((sum, { functions }) => sum + functions.reduce((all, { ranges }) => all + (ranges[0]?.count ?? 0), 0), 0);
      const taken = { ...counts, calls };
      Object.assign(counts, { pool: 0, sync: 0, flushes: 0, written: 0 });
      return taken;
    },
    async stop() {
      hook.disable();
      for (const restore of undo.reverse()) restore();
      syncBuiltinESMExports();
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}

function sizeOf(data: unknown): number {
  if (typeof data === 'string') return Buffer.byteLength(data);
  if (ArrayBuffer.isView(data)) return data.byteLength;
  return Array.isArray(data) ? data.reduce<number>((sum, one) => sum + sizeOf(one), 0) : 0;
}
