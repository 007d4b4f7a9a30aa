// A value once it has stayed the same for a moment.
import { useEffect, useState } from 'react';

/** @param waitMs how long it must have stayed */
export function useSettled<T>(value: T, waitMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs);
    return () => clearTimeout(timer);
  }, [value, waitMs]);
  return settled;
}
