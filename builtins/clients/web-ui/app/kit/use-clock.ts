// The time, told anew at an interval.
import { useEffect, useState } from 'react';

/** Milliseconds; `undefined` lets it stand still. */
export function useClock(every: number | undefined): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (every === undefined) return;
    const timer = setInterval(() => setNow(new Date()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
