// Limits the size of V8's young generation, which would stay enlarged after a burst of work.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Maximum size of both halves together in bytes. V8 uses up to 32 MB, from Node 24 on 64 MB, after a burst of surviving objects; a smaller size does not slow down turns. */
const mostBytes = 8 * 1024 * 1024;
/** V8's default factor of growth after many survivors. A factor of one keeps the size; collections that find it mostly empty still shrink it. */
const usualFactor = 2;

/**
 * Limits the size for the whole process. Checks it after collections, which occur once in many megabytes; several within one turn of the event loop
 * (during the start) may exceed the limit until it shrinks. No effect if Node was started with an explicit size.
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
