// Gives back the memory that a start needed and the work after it does not.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * What importing and compiling leave behind is half of the heap, and the room for new objects has grown to 16 MB; V8 keeps both until
 * it needs them. About 60 ms, once, for a moment in which nobody waits.
 */
export async function giveBackMemory(): Promise<void> {
  // The last resort empties the room of new objects, too; before Node 22 it is a collection like any other, and only what a profiler asks for does.
  if (Number(process.versions.node.split('.')[0]) >= 22 || !(await collectAsProfiler())) collectAsLastResort();
}

/** Whether this node can. Nothing listens anywhere: the session is within the process. */
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
