// Formats times, paths and amounts as short texts for display.
import { isRightToLeft } from './language.ts';
import { formatCount, formatDay } from './page/format.ts';
import { localeNow, t, tn } from './t.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Formats a relative time: `now`, `5 min`, `3 h`, `2 d`, then the date. */
export function timeAgo(at: string, now: Date): string {
  const age = now.getTime() - Date.parse(at);
  if (Number.isNaN(age)) return '';
  if (age < minute) return t('now');
  if (age < hour) return tn(Math.floor(age / minute), '{count} min', '{count} min');
  if (age < day) return tn(Math.floor(age / hour), '{count} h', '{count} h');
  if (age < 7 * day) return tn(Math.floor(age / day), '{count} d', '{count} d');
  return formatDay(new Date(at), now);
}

/** Returns whether {@link timeAgo} returns minutes, hours or days, and neither `now` nor a date. */
export function isAgo(at: string, now: Date): boolean {
  const age = now.getTime() - Date.parse(at);
  return age >= minute && age < 7 * day;
}

/** Returns whether {@link timeAgo} returns `now`. */
export const isNow = (at: string, now: Date): boolean => now.getTime() - Date.parse(at) < minute;

/** Formats a duration: `12 s`, `2 min 5 s`, `1 h 3 min`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return t('{seconds} s', { seconds });
  if (seconds < 3600) return t('{minutes} min {seconds} s', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
  return t('{hours} h {minutes} min', { hours: Math.floor(seconds / 3600), minutes: Math.floor((seconds % 3600) / 60) });
}

/**
 * Shortens a path for display: the home folder becomes `~`, and a long path is truncated to its last segments that fit into `length` characters. Returns an
 * empty string if the user may not see the path.
 */
export function shortPath(path = '', length = 32): string {
  const tidy = path.replace(/^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:\\Users\\[^\\]+)(?=[/\\]|$)/, '~').replace(/(?<=.)[/\\]$/, '');
  if (tidy.length <= length) return pathText(tidy);
  const separator = tidy.includes('\\') ? '\\' : '/';
  const parts = tidy.split(separator);
  let short = parts.pop() ?? tidy;
  while (parts.length > 0 && short.length + (parts.at(-1)?.length ?? 0) + 3 <= length) short = `${parts.pop()}${separator}${short}`;
  return pathText(`…${separator}${short}`);
}

/** Returns the last segment of a folder's path; for a root folder, the whole path. */
export function folderName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}

/** Formats a path or an address inside a sentence: left-to-right in every language. */
export function pathText(path: string): string {
  return path !== '' && isRightToLeft(localeNow()) ? `\u2066${path}\u2069` : path;
}

/** Joins the parts to a list in a sentence: `a, b and c`. */
export function listOf(parts: readonly string[]): string {
  // British style: no comma before the last item.
  return new Intl.ListFormat(localeNow() === 'en' ? 'en-GB' : localeNow(), { type: 'conjunction' }).format(parts);
}

/** Joins paths and labels that do not form a sentence: `a, b, c`. */
export function rowOf(parts: readonly string[]): string {
  return parts.join(t(', ##between the parts of a list'));
}

/** Joins the first parts and counts the rest: `a, b and 3 more`. If all parts are shown, no count is added. */
export function firstOf(parts: readonly string[], shown: number): string {
  const count = parts.length - shown;
  return count > 0 ? t('{shown} and {count} more', { shown: rowOf(parts.slice(0, shown)), count: formatCount(count) }) : rowOf(parts);
}

/** Splits an entered list at commas of any script. */
export function splitList(text: string): string[] {
  return text
    .split(/[,，、،]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Quotes a text: `“a word”`. */
export const quoted = (text: string): string => t('“{text}”', { text });

/** Formats a label inside a sentence: in lower case if the language uses lower case there. */
export function inSentence(label: string): string {
  return localeNow() === 'en' ? label.toLowerCase() : label;
}

/** Formats tags: `#work #later`. */
export function tagText(tags: readonly string[]): string {
  return tags.map((tag) => `#${tag}`).join(' ');
}

/** Formats a number for narrow layouts: `940`, `12.4k`, `1.2M`. */
export function amount(count: number): string {
  if (localeNow() !== 'en') return new Intl.NumberFormat(localeNow(), { notation: 'compact', maximumFractionDigits: 1 }).format(count);
  if (count < 1_000) return String(count);
  if (count < 1_000_000) return `${trim(count / 1_000)}k`;
  return `${trim(count / 1_000_000)}M`;
}

/** Formats US dollars; a small amount keeps its significant digits. */
export function money(dollars: number): string {
  if (localeNow() !== 'en')
    return new Intl.NumberFormat(localeNow(), {
      style: 'currency',
      currency: 'USD',
      ...(dollars > 0 && dollars < 0.01 ? { maximumSignificantDigits: 1 } : {}),
    }).format(dollars);
  if (dollars === 0) return '$0';
  if (dollars < 0.01) return `$${dollars.toPrecision(1)}`;
  return `$${dollars.toFixed(2)}`;
}

function trim(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0).replace(/\.0$/, '');
}
