// Computes the remaining time of a decision. Pure.
import { t, tn } from '../../kit/t.ts';

export interface TimeLeft {
  /** Whole seconds, never below zero. */
  readonly seconds: number;
  readonly totalSeconds: number;
  /** 1 at the beginning, 0 at the end. */
  readonly fraction: number;
  readonly text: string;
  /** For screen readers. */
  readonly spoken: string;
  readonly isUrgent: boolean;
}

const urgentSeconds = 30;

/**
 * Returns the remaining time; `undefined` if the end of the time limit is unknown.
 * @param limitMs time limit of such a decision in milliseconds, used if its start is unknown
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
  if (seconds === 0) return t('Time is up');
  if (seconds < 60) return t('{seconds} s left', { seconds });
  return t('{minutes}:{seconds} left', { minutes: Math.floor(seconds / 60), seconds: String(seconds % 60).padStart(2, '0') });
}

function spokenText(seconds: number): string {
  if (seconds === 0) return t('Time is up');
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const parts = [
    ...(minutes > 0 ? [tn(minutes, '{count} minute', '{count} minutes')] : []),
    ...(rest > 0 ? [tn(rest, '{count} second', '{count} seconds')] : []),
  ];
  return t('{parts} left', { parts: parts.join(' ') });
}
