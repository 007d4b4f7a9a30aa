// How much time a person has to decide. Pure.
export interface TimeLeft {
  /** Whole seconds, never below zero. */
  readonly seconds: number;
  readonly totalSeconds: number;
  /** 1 at the beginning, 0 at the end. */
  readonly fraction: number;
  readonly text: string;
  /** For those who listen. */
  readonly spoken: string;
  readonly isUrgent: boolean;
}

const urgentSeconds = 30;

/**
 * `undefined` where the end is not known.
 * @param limitMs how long such a decision may take, where it is not known when it was asked
 */
export function timeLeft({ since, expiresAt }: { readonly since?: string; readonly expiresAt?: string }, now: number, limitMs: number): TimeLeft | undefined {
  const end = Date.parse(expiresAt ?? '');
  if (Number.isNaN(end)) return undefined;
  const begin = since === undefined ? Number.NaN : Date.parse(since);
  const leftMs = Math.max(0, end - now);
  const totalMs = Math.max(Number.isNaN(begin) ? limitMs : end - begin, leftMs, 1);
  const seconds = Math.ceil(leftMs / 1000);
  return {
    seconds,
    totalSeconds: Math.ceil(totalMs / 1000),
    fraction: leftMs / totalMs,
    text: shortText(seconds),
    spoken: spokenText(seconds),
    isUrgent: seconds <= urgentSeconds,
  };
}

function shortText(seconds: number): string {
  if (seconds === 0) return 'Time is up';
  if (seconds < 60) return `${seconds} s left`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}

function spokenText(seconds: number): string {
  if (seconds === 0) return 'Time is up';
  const parts = [counted(Math.floor(seconds / 60), 'minute'), counted(seconds % 60, 'second')].filter((part) => part !== '');
  return `${parts.join(' ')} left`;
}

function counted(count: number, unit: string): string {
  return count === 0 ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
}
