// Numbers, money and times as the pages write them. Pure.

/** `12,345` */
export function formatCount(count: number): string {
  return new Intl.NumberFormat('en').format(count);
}

/** `12.3K`; for where there is no room. */
export function formatShort(count: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}

/** US dollars; small sums keep the digits that tell them from nothing. */
export function formatCost(dollars: number): string {
  const digits = dollars > 0 && dollars < 0.1 ? 4 : 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(dollars);
}

/** `14 Nov 2026, 09:05`, in the reader's time zone. */
export function formatTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** `14 Nov 2026` */
export function formatDate(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(at);
}

/** `1 plugin`, `2 plugins` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
