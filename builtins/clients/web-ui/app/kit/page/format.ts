// Formats numbers, amounts of money and times in the language of the page.
import { localeNow } from '../t.ts';

/** Returns the locale for dates. In English, the day comes before the month. */
const dates = (): string => (localeNow() === 'en' ? 'en-GB' : localeNow());

/** Formats a number, including decimals: `12,345`. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(localeNow()).format(count);
}

/** Formats a number for limited space: `12.3K`. */
export function formatShort(count: number): string {
  return new Intl.NumberFormat(localeNow(), { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}

/** Formats a number with one decimal or the given number of decimals: `0.4`. */
export function formatDecimal(value: number, digits = 1): string {
  return new Intl.NumberFormat(localeNow(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** Formats a share between 0 and 1: `42 %`. */
export function formatPercent(share: number): string {
  if (localeNow() === 'en') return `${Math.round(share * 100)} %`;
  return new Intl.NumberFormat(localeNow(), { style: 'percent' }).format(share);
}

/** Formats US dollars; small amounts keep their significant digits. */
export function formatCost(dollars: number): string {
  const digits = dollars > 0 && dollars < 0.1 ? 4 : 2;
  return new Intl.NumberFormat(localeNow(), { style: 'currency', currency: 'USD', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    dollars,
  );
}

/** Formats a time in the reader's time zone: `14 Nov 2026, 09:05`. */
export function formatTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : new Intl.DateTimeFormat(dates(), { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** Formats a date in the reader's time zone: `14 Nov 2026`. */
export function formatDate(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : new Intl.DateTimeFormat(dates(), { dateStyle: 'medium' }).format(at);
}

/** Formats the time of day in the reader's time zone: `09:05`. Returns an empty string for an invalid time. */
export function formatClock(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? '' : new Intl.DateTimeFormat(dates(), { hour: '2-digit', minute: '2-digit' }).format(at);
}

/** Formats a day, with the year if it is not the current one: `14 Nov`. */
export function formatDay(at: Date, now: Date): string {
  const isThisYear = at.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat(dates(), { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) }).format(at);
}

/** Formats a day reported by the server, in UTC: `14 Nov`. */
export function formatServerDay(day: string): string {
  return new Intl.DateTimeFormat(dates(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));
}

/** Formats a day reported by the server: `14 Nov 2026`. */
export function formatServerDate(day: string): string {
  return new Intl.DateTimeFormat(dates(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

/** Formats a day reported by the server: `Sat, 14 Nov 2026`. */
export function formatLongServerDay(day: string): string {
  return new Intl.DateTimeFormat(dates(), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(day));
}

/** Returns a number with its noun: `1 plugin`, `2 plugins`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Returns the locale with Latin digits. Code, paths and commands use Latin digits, and a sentence must not mix digits. */
export function withLatinDigits(locale: string): string {
  const isLatin = new Intl.NumberFormat(locale).resolvedOptions().numberingSystem === 'latn';
  return isLatin ? locale : new Intl.Locale(locale, { numberingSystem: 'latn' }).toString();
}
