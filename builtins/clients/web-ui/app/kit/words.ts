// Times, paths and amounts as short words.
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago: `now`, `5 min`, `3 h`, `2 d`, then the date. */
export function timeAgo(at: string, now: Date): string {
  const age = now.getTime() - Date.parse(at);
  if (Number.isNaN(age)) return '';
  if (age < minute) return 'now';
  if (age < hour) return `${Math.floor(age / minute)} min`;
  if (age < day) return `${Math.floor(age / hour)} h`;
  if (age < 7 * day) return `${Math.floor(age / day)} d`;
  const date = new Date(at);
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) });
}

/** `12 s`, `2 min 5 s`, `1 h 3 min`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** The home folder as `~`; of a long path the last parts that fit into `length` characters, at least the last one. */
export function shortPath(path: string, length = 32): string {
  const tidy = path.replace(/^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:\\Users\\[^\\]+)(?=[/\\]|$)/, '~').replace(/(?<=.)[/\\]$/, '');
  if (tidy.length <= length) return tidy;
  const separator = tidy.includes('\\') ? '\\' : '/';
  const parts = tidy.split(separator);
  let short = parts.pop() ?? tidy;
  while (parts.length > 0 && short.length + (parts.at(-1)?.length ?? 0) + 3 <= length) short = `${parts.pop()}${separator}${short}`;
  return `…${separator}${short}`;
}

/** `#work #later` */
export function tagText(tags: readonly string[]): string {
  return tags.map((tag) => `#${tag}`).join(' ');
}

/** `940`, `12.4k`, `1.2M`. */
export function amount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 1_000_000) return `${trim(count / 1_000)}k`;
  return `${trim(count / 1_000_000)}M`;
}

/** US dollars; a small sum keeps what is not zero in it. */
export function money(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars < 0.01) return `$${dollars.toPrecision(1)}`;
  return `$${dollars.toFixed(2)}`;
}

function trim(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0).replace(/\.0$/, '');
}
