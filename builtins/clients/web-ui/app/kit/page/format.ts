// Formats numbers, money and times in the language of the page.
import { localeNow } from '../t.ts';

/** English dates have the day before the month. */
const dates = (): string => (localeNow() === 'en' ? 'en-GB' : localeNow());

/** `12,345`, including decimals. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(localeNow()).format(count);
}

/** `12.3K`; for limited space. */
export function formatShort(count: number): string {
  return new Intl.NumberFormat(localeNow(), { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}

/** `0.4`: with one decimal, or as many as given. */
export function formatDecimal(value: number, digits = 1): string {
  return new Intl.NumberFormat(localeNow(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** `42 %` of a share between 0 and 1. */
export function formatPercent(share: number): string {
  if (localeNow() === 'en') return `${Math.round(share * 100)} %`;
  return new Intl.NumberFormat(localeNow(), { style: 'percent' }).format(share);
}

/** US dollars; small sums keep their significant digits. */
export function formatCost(dollars: number): string {
  const digits = dollars > 0 && dollars < 0.1 ? 4 : 2;
  return new Intl.NumberFormat(localeNow(), { style: 'currency', currency: 'USD', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    dollars,
  );
}

/** `14 Nov 2026, 09:05`, in the reader's time zone. */
export function formatTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : new Intl.DateTimeFormat(dates(), { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** `14 Nov 2026` */
export function formatDate(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : new Intl.DateTimeFormat(dates(), { dateStyle: 'medium' }).format(at);
}

/** `09:05`, in the reader's time zone; empty for an invalid time. */
export function formatClock(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? '' : new Intl.DateTimeFormat(dates(), { hour: '2-digit', minute: '2-digit' }).format(at);
}

/** `14 Nov`, with the year if it is not the current one. */
export function formatDay(at: Date, now: Date): string {
  const isThisYear = at.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat(dates(), { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) }).format(at);
}

/** A day of the server, in UTC: `14 Nov`. */
export function formatServerDay(day: string): string {
  return new Intl.DateTimeFormat(dates(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));
}

/** `14 Nov 2026`, for a day of the server. */
export function formatServerDate(day: string): string {
  return new Intl.DateTimeFormat(dates(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

/** `Sat, 14 Nov 2026`, for a day of the server. */
export function formatLongServerDay(day: string): string {
  return new Intl.DateTimeFormat(dates(), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(day));
}

/** `1 plugin`, `2 plugins` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** The locale with Latin digits, as used by code, paths and commands, so that a sentence has one kind of digits. */
export function withLatinDigits(locale: string): string {
  const isLatin = new Intl.NumberFormat(locale).resolvedOptions().numberingSystem === 'latn';
  return isLatin ? locale : new Intl.Locale(locale, { numberingSystem: 'latn' }).toString();
}
