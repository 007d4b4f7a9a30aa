// Texts of pages and faults, made fit for one line.
import { messageOf } from 'agent-harness/lib/errors';
import { clip } from 'agent-harness/lib/text';

/** At most `limit` UTF-16 units, without line breaks and control characters. */
export function oneLine(text: string, limit: number): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return clip(plain, limit);
}

/** What went wrong, without the call's name and its log. */
export function faultText(fault: unknown): string {
  const message = messageOf(fault);
  const first = message.split(/\n(?:Call log|=+ logs)/, 1)[0] ?? message;
  return oneLine(first.replace(/^[\w.]+: /, ''), 600);
}
