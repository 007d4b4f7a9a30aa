// Keeps the room for new objects small: what a burst of work made of it would stay for as long as the program runs.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Of both halves. V8 takes up to 32 MB, from Node 24 on 64, once objects of a burst survive; turns cost no less for it. */
const mostBytes = 8 * 1024 * 1024;
/** What V8 multiplies by where much survives. One holds it where it is; collections that find it mostly empty still make it smaller. */
const usualFactor = 2;

/**
 * From the call on, for all of the process. Looks at its size after collections, which come once in so many megabytes; several within one pass of the
 * event loop (a start) may take more, until it is given back. Leaves it alone where node was told how large it may be.
 * @returns ends it; it may grow again
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
