// How fast it is spoken, kept in this browser.
const kept = 'voice:speed';

/** With their titles. */
export const speeds = { '0.5': '0.5×', '0.75': '0.75×', '1': '1×', '1.25': '1.25×', '1.5': '1.5×', '2': '2×', '2.5': '2.5×', '3': '3×' };

export function readSpeed(): number {
  const chosen = localStorage.getItem(kept) ?? '1';
  return Object.hasOwn(speeds, chosen) ? Number(chosen) : 1;
}

export function keepSpeed(speed: number): void {
  localStorage.setItem(kept, String(speed));
}
