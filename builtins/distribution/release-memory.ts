// Releases memory that only the start needs.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Importing and compiling leave garbage of half of the heap, and the young generation has grown to 16 MB; V8 keeps both until
 * it needs them. Takes about 60 ms, once, while the server is idle.
 */
export async function releaseMemory(): Promise<void> {
  // Last-resort collection also shrinks the young generation; before Node 22 it is an ordinary one, and only a profiler's request shrinks it.
  if (Number(process.versions.node.split('.')[0]) >= 22 || !(await collectAsProfiler())) collectAsLastResort();
}

/** Returns whether this Node supports it. Opens no port: the session is in-process. */
async function collectAsProfiler(): Promise<boolean> {
  const inspector = await import('node:inspector').catch(() => undefined); // node can be built without it
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
