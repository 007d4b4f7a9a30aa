// Converts a long pasted text to an attachment to keep the message readable.

const limits = { chars: 8_000, lines: 200 };

/** Returns the attachment; `undefined` for a text that fits into a message. */
export function pastedFile(text: string): File | undefined {
  if (text.length <= limits.chars && text.split('\n', limits.lines + 2).length <= limits.lines) return undefined;
  return new File([text], 'Pasted text.txt', { type: 'text/plain' });
}
