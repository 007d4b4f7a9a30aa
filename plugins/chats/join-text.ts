// Text that comes in pieces with offsets.

/** A repeated or restarted delta replaces what stands from its offset on. */
export function joinText(before: unknown, offset: number, delta: string): string {
  const text = typeof before === 'string' ? before : '';
  return offset < text.length ? text.slice(0, offset) + delta : text + delta;
}
