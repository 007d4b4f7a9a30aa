// Splits a byte stream into lines, and rejects an overlong line.

/**
 * Returns the listener for chunks. After a line of more than `largest` bytes, calls `onOverflow` once and stops
 * splitting.
 */
export function createLineSplitter(largest: number, onLine: (line: string) => void, onOverflow: () => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let isOver = false;

  function take(part: Buffer): void {
    parts.push(part);
    length += part.length;
    if (length <= largest) return;
    isOver = true;
    parts = [];
    onOverflow();
  }

  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0 && !isOver; at = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, at));
      from = at + 1;
      if (isOver) return;
      const line = Buffer.concat(parts).toString('utf8');
      parts = [];
      length = 0;
      onLine(line);
    }
    if (!isOver && from < chunk.length) take(chunk.subarray(from));
  };
}
