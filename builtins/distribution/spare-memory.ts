// Gives back the memory that a start needed and the work after it does not.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * What importing and compiling leave behind is half of the heap, and V8 keeps the room until it needs it. One collection, about 20 ms,
 * for a moment in which nobody waits.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  // The last resort is the one that empties the room of new objects, too; before Node 22 it is a collection like any other.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
