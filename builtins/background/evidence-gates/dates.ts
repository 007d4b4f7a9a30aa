// Replaces relative days in a text with calendar dates. Pure.

const numbers: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7 };
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const count = '(?<count>a|an|one|two|three|four|five|six|seven|\\d{1,3})';
const patterns = new RegExp(
  `\\b(?:(?<day>today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening))|(?<which>next|last|this|coming) (?<weekday>${weekdays.join('|')})|${count} (?<unit>days?|weeks?) ago|in ${count.replace('count', 'ahead')} (?<unitAhead>days?|weeks?))\\b`,
  'gi',
);
const dayMs = 86_400_000;

/**
 * Returns the text with dates such as `on 2026-01-31`. Expressions that do not name a single day, such as `next month`, stay unchanged.
 * @param at ISO 8601 time of the statement; the expressions are relative to it
 */
export function withDates(text: string, at: string): string {
  const from = Date.parse(at);
  if (Number.isNaN(from)) return text;
  return text.replace(patterns, (found, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const days = daysFrom(new Date(from).getUTCDay(), groups);
    return days === undefined ? found : `on ${new Date(from + days * dayMs).toISOString().slice(0, 10)}`;
  });
}

function daysFrom(
  weekdayNow: number,
  { day, which, weekday, count, unit, ahead, unitAhead }: Readonly<Record<string, string | undefined>>,
): number | undefined {
  if (day !== undefined) return { tomorrow: 1, yesterday: -1 }[day.toLowerCase()] ?? 0;
  if (weekday !== undefined) {
    const ahead = (weekdays.indexOf(weekday.toLowerCase()) - weekdayNow + 7) % 7;
    return which?.toLowerCase() === 'last' ? (ahead === 0 ? -7 : ahead - 7) : ahead === 0 && which?.toLowerCase() !== 'this' ? 7 : ahead;
  }
  const number = (count ?? ahead ?? '').toLowerCase();
  const amount = numbers[number] ?? Number(number);
  const length = (unit ?? unitAhead ?? '').toLowerCase().startsWith('week') ? 7 : 1;
  return Number.isFinite(amount) ? (count === undefined ? amount * length : -amount * length) : undefined;
}
