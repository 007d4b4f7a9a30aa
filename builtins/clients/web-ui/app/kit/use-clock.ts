// Provides the current time, updated at an interval.
import { useEffect, useState } from 'react';

/** @param every interval in milliseconds; `undefined` stops the updates */
export function useClock(every: number | undefined): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (every === undefined) return;
    const timer = setInterval(() => setNow(new Date()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
