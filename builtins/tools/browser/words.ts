// Formats texts of pages and faults on one line.
import { messageOf } from '#lib/errors';
import { oneLine } from '#lib/text';

/** Returns the error text without the call's name and its log. */
export function faultText(fault: unknown): string {
  const message = messageOf(fault);
  const first = message.split(/\n(?:Call log|=+ logs)/, 1)[0] ?? message;
  return oneLine(first.replace(/^[\w.]+: /, ''), 600);
}
