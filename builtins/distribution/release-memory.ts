// Releases memory that is needed only during the start of the server.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Runs a full garbage collection. Importing and compiling leave garbage of half of the heap, and the young generation has grown to 16 MB; V8 keeps both
 * until it needs them. Takes about 60 ms, once, while the server is idle.
 */
export async function releaseMemory(): Promise<void> {
  // A last-resort collection also shrinks the young generation. Before Node 22 it is an ordinary collection, and only a profiler's request shrinks it.
  if (Number(process.versions.node.split('.')[0]) >= 22 || !(await collectAsProfiler())) collectAsLastResort();
}

/** Requests a collection like a profiler; returns whether this Node version supports that. Opens no port, because the session is in-process. */
async function collectAsProfiler(): Promise<boolean> {
  const inspector = await import('node:inspector').catch(() => undefined); // Node can be built without it
  if (!inspector) return false;
  const session = new inspector.Session();
  session.connect();
  const isDone = await new Promise<boolean>((resolve) => session.post('HeapProfiler.collectGarbage', (fault) => resolve(fault === null)));
  session.disconnect();
  return isDone;
}

function collectAsLastResort(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
