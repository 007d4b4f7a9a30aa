// Stores the microphone and the pause that ends a dictation in this browser.
import { usualPauseMs } from './sound/end-of-speech.ts';
import { table } from '#page/kit/t.ts';

const keys = { microphone: 'voice:microphone', pause: 'voice:pause' };

export const pauses: Readonly<Record<string, string>> = table({
  '500': 'after 0.5 s of silence',
  '700': 'after 0.7 s of silence',
  '1200': 'after 1.2 s of silence',
  '2000': 'after 2 s of silence',
  never: 'only when I say so',
});

export function readMicrophone(): string | undefined {
  return localStorage.getItem(keys.microphone) ?? undefined;
}

/** @param id empty for the system's default */
export function keepMicrophone(id: string): void {
  if (id === '') localStorage.removeItem(keys.microphone);
  else localStorage.setItem(keys.microphone, id);
}

/** Returns the stored pause, which is one of {@link pauses}. */
export function readPause(): string {
  const kept = localStorage.getItem(keys.pause) ?? '';
  return Object.hasOwn(pauses, kept) ? kept : String(usualPauseMs);
}

export function keepPause(pause: string): void {
  localStorage.setItem(keys.pause, pause);
}

/** Returns the pause in milliseconds; `Infinity` if a pause never ends the dictation. */
export function pauseMs(): number {
  const kept = readPause();
  return kept === 'never' ? Infinity : Number(kept);
}
