// Releases memory that is needed only while the server starts.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Runs a full garbage collection. After startup, half of the heap is garbage from importing and compiling, and the young generation has grown to 16 MB; V8
 * keeps both until it needs the memory. Takes about 60 ms, once, while the server is idle.
 */
export async function releaseMemory(): Promise<void> {
  // A last-resort collection also shrinks the young generation. Before Node 22 it is an ordinary collection, and only a profiler's request shrinks the young
  // generation.
  if (Number(process.versions.node.split('.')[0]) >= 22 || !(await collectAsProfiler())) collectAsLastResort();
}

/** Requests a collection as a profiler does; returns whether this Node version supports that. No port is opened, because the session is in-process. */
async function collectAsProfiler(): Promise<boolean> {
  const inspector = await import('node:inspector').catch(() => undefined); // Node can be built without the inspector
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
