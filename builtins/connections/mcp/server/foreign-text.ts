// Sanitises external text for display: removes hidden characters and limits its length.
import { stripHidden } from '#lib/hidden-text';
import { clip, oneLine, textStart } from '#lib/text';

/** Truncates to `longest` UTF-16 code units including the ellipsis; keeps tabs and line breaks. */
export function cutText(text: string, longest: number): string {
  // Truncates a huge text before searching it.
  const plain = stripHidden(textStart(text, longest + 1));
  return clip(plain, longest);
}

/** Truncates like {@link cutText}, to a single line. */
export function cutLine(text: string, longest: number): string {
  return cutText(oneLine(textStart(text, 4 * longest)), longest);
}

export function whyOf(fault: unknown): string {
  if (!(fault instanceof Error)) return cutText(String(fault), 2_000);
  const cause = fault.cause instanceof Error ? fault.cause.message : '';
  const more = cause === '' || fault.message.includes(cause) ? '' : `: ${cause}`;
  return cutText((fault.message || fault.name) + more, 2_000);
}
