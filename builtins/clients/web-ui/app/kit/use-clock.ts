// Provides the current time, updated at an interval.
import { useEffect, useState } from 'react';

/** Milliseconds; `undefined` stops it. */
export function useClock(every: number | undefined): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (every === undefined) return;
    const timer = setInterval(() => setNow(new Date()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
