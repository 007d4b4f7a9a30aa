// Stores the speed of speech in this browser.
const kept = 'voice:speed';

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3];

export const titleOf = (speed: number): string => `${speed}×`;
/** Sorted by title, slowest first. The keys are not integers, because integer keys would precede all others. */
export const speedTitles: Readonly<Record<string, string>> = Object.fromEntries(speeds.map((one) => [titleOf(one), titleOf(one)]));

export function readSpeed(): number {
  const chosen = Number(localStorage.getItem(kept) ?? '1');
  return speeds.includes(chosen) ? chosen : 1;
}

export function keepSpeed(speed: number): void {
  localStorage.setItem(kept, String(speed));
}
