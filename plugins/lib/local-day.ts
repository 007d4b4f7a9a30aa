// Computes calendar days in the time zone of this machine.

/** Returns the local date of a time in the form `2026-11-22`. */
export function localDay(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Returns the end of the day of `at`. */
export function nextMidnight(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1);
}
