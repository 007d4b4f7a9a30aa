// Formats error texts of the browser as one line.
import { messageOf } from '#lib/errors';
import { oneLine } from '#lib/text';

/** Returns the error text without the name and the log of the driver call. */
export function faultText(fault: unknown): string {
  const message = messageOf(fault);
  const first = message.split(/\n(?:Call log|=+ logs)/, 1)[0] ?? message;
  return oneLine(first.replace(/^[\w.]+: /, ''), 600);
}
