// Keeps the beginning and the end of an output of any length.

export interface KeptOutput {
  add(chunk: Buffer): void;
  /** Bytes so far, those that were dropped included. */
  readonly total: number;
  /** Everything that is kept, with a line where something is missing. */
  text(): string;
  /** What came at or after a position in bytes, as far as it is kept. */
  since(position: number): string;
}

/** @param headBytes kept from the start; @param tailBytes kept from the end */
export function keepOutput(headBytes: number, tailBytes: number): KeptOutput {
  const head: Buffer[] = [];
  let headLength = 0;
  let tail: Buffer[] = [];
  let tailLength = 0;
  let total = 0;

  function addToTail(chunk: Buffer): void {
    tail.push(chunk);
    tailLength += chunk.length;
    while (tail[0] && tailLength - tail[0].length >= tailBytes) tailLength -= tail.shift()?.length ?? 0;
    if (tail.length > 4096) tail = [Buffer.concat(tail)];
  }

  const tailBuffer = (): Buffer => {
    const all = Buffer.concat(tail);
    return all.subarray(Math.max(0, all.length - tailBytes));
  };

  return {
    get total() {
      return total;
    },
    add(chunk) {
      total += chunk.length;
      const room = headBytes - headLength;
      if (room > 0) {
        head.push(chunk.subarray(0, room));
        headLength += Math.min(room, chunk.length);
      }
      if (chunk.length > room) addToTail(chunk.subarray(Math.max(0, room)));
    },
    text() {
      return join(Buffer.concat(head), tailBuffer(), total);
    },
    since(position) {
      const end = tailBuffer();
      const endStart = total - end.length;
      if (position >= endStart) return decode(end.subarray(position - endStart));
      const start = Buffer.concat(head);
      return join(start.subarray(Math.min(position, start.length)), end, total - Math.min(position, start.length));
    },
  };
}

function join(start: Buffer, end: Buffer, total: number): string {
  const missing = total - start.length - end.length;
  if (missing <= 0) return decode(Buffer.concat([start, end]));
  return `${decode(start)}\n[… ${missing.toLocaleString('en')} bytes are not kept …]\n${decode(end)}`;
}

/** A character that a cut went through is dropped. */
function decode(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFFFD{1,3}|\uFFFD{1,3}$/g, '');
}
