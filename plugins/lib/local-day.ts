// Days as people count them: they begin at midnight in the zone of this machine.

/** `2026-11-22`. */
export function localDay(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** When the day of `at` is over. */
export function nextMidnight(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1);
}
