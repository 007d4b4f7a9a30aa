// Limits the size of V8's young generation, which would otherwise stay enlarged after a burst of work.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Maximum size of both halves together, in bytes. After a burst in which many objects survive, V8 uses up to 32 MB, or 64 MB from Node 24 on. A smaller size
 * does not slow down turns.
 */
const mostBytes = 8 * 1024 * 1024;
/**
 * V8's default factor by which the young generation grows when many objects survive. With a factor of one it keeps its size; collections that find it mostly
 * empty still shrink it.
 */
const usualFactor = 2;

/**
 * Limits the size for the whole process. The size is checked after collections, each of which follows many megabytes of allocations. Several collections within
 * one turn of the event loop, as during startup, may exceed the limit until it shrinks. Has no effect if Node was started with an explicit size.
 * @returns a function that ends the limit
 */
export function boundYoungGeneration(): () => void {
  if ([...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((option) => /semi[-_]space/.test(option))) return () => undefined;
  let factor = usualFactor;
  const setFactor = (wanted: number): void => {
    if (factor === wanted) return;
    factor = wanted;
    setFlagsFromString(`--semi-space-growth-factor=${wanted}`);
  };
  const observer = new PerformanceObserver(() => setFactor(youngBytes() < mostBytes ? usualFactor : 1));
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    observer.disconnect();
    setFactor(usualFactor);
  };
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
