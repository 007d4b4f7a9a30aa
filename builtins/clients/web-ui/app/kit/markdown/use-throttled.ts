// Throttles changes to a value; the last value is always delivered.
import { useEffect, useRef, useState } from 'react';

/** @param ms minimum interval in milliseconds; 0 delivers each value immediately */
export function useThrottled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value);
  const lastAt = useRef(0);
  useEffect(() => {
    if (ms === 0) return;
    const timer = setTimeout(
      () => {
        lastAt.current = Date.now();
        setShown(value);
      },
      Math.max(0, lastAt.current + ms - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [value, ms]);
  return ms === 0 ? value : shown;
}
