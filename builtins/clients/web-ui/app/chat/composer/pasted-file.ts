// A long text that was pasted, as a file that goes with the message: the message stays readable, and nothing of it is lost.

const limits = { chars: 8_000, lines: 200 };

/** `undefined` for what fits into a message. */
export function pastedFile(text: string): File | undefined {
  if (text.length <= limits.chars && text.split('\n', limits.lines + 2).length <= limits.lines) return undefined;
  return new File([text], 'Pasted text.txt', { type: 'text/plain' });
}
