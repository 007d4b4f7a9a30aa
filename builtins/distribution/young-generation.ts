// Limits the size of V8's young generation, which would stay enlarged after a burst of work.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** For both halves. V8 takes up to 32 MB, from Node 24 on 64, once objects of a burst survive; turns do not get slower with less. */
const mostBytes = 8 * 1024 * 1024;
/** V8's growth factor after many survivors. One keeps the size; collections that find it mostly empty still shrink it. */
const usualFactor = 2;

/**
 * Takes effect for the whole process. Checks the size after collections, which occur once in many megabytes; several within one pass of the
 * event loop (a start) may use more until it shrinks. No effect if node was started with an explicit size.
 * @returns ends the limit
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
