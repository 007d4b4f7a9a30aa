// Shortening of texts. Pure.
import { clip, textStart, textEnd } from 'agent-harness/lib/text';

/** The beginning of a text on one line, without control characters. */
export function flatten(text: string, length: number): string {
  // Far more than is shown is looked at, since white space goes.
  const start = text.slice(0, length * 4);
  return clip(
    start
      .replace(/[\u0000-\u001f\u007f]+/g, ' ')
      .replace(/ {2,}/g, ' ')
      .trim(),
    length,
  );
}

/** Beginning and end of a text. */
export function cutMiddle(text: string, length: number, note: string): string {
  const half = Math.max(0, Math.floor((length - note.length) / 2));
  return `${textStart(text, half)}${note}${textEnd(text, half)}`;
}
