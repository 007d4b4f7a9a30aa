// Buffers the beginning and the end of a command's output, however long it is.

export interface OutputBuffer {
  add(chunk: Buffer): void;
  /** Number of bytes so far, including those that were dropped. */
  readonly total: number;
  /** Returns the buffered text, with a line at each gap. */
  text(): string;
  /**
   * Returns buffered output from a byte position on, and the next position. An incomplete character or control sequence is left for the next call unless the
   * output has ended.
   */
  since(position: number, isOver: boolean): { readonly text: string; readonly next: number };
}

/** @param headBytes number of bytes that are kept from the beginning @param tailBytes number of bytes that are kept from the end */
export function createOutputBuffer(headBytes: number, tailBytes: number): OutputBuffer {
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
    since(position, isOver) {
      const [start, end] = [Buffer.concat(head), tailBuffer()];
      const held = isOver ? 0 : unfinishedLength(Buffer.concat([start, end]).subarray(-longestSequence));
      const [next, kept] = [total - held, end.length - held];
      const endStart = total - end.length;
      if (position >= next) return { text: '', next: Math.min(position, next) };
      // The buffered end may be part of a single sequence.
      if (kept < 0) return { text: decode(start.subarray(Math.min(position, start.length), start.length + kept)), next };
      if (position >= endStart) return { text: decode(end.subarray(position - endStart, kept)), next };
      const from = Math.min(position, start.length);
      return { text: join(start.subarray(from), end.subarray(0, kept), next - position), next };
    },
  };
}

function join(start: Buffer, end: Buffer, total: number): string {
  const missing = total - start.length - end.length;
  if (missing <= 0) return decode(Buffer.concat([start, end]));
  const whole = start.subarray(0, start.length - unfinishedLength(start.subarray(-longestSequence)));
  // A character may have been split where the output was cut.
  const first = end.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return `${decode(whole)}\n[… ${missing.toLocaleString('en')} bytes discarded …]\n${decode(end.subarray(Math.max(0, Math.min(first, 3))))}`;
}

const decode = (bytes: Buffer): string => bytes.toString('utf8');

/** Maximum size of a control sequence in bytes; a longer one is treated as text. */
const longestSequence = 4096;
const unfinishedSequence = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$/;

/** Returns the number of bytes of an incomplete character or control sequence at the end. */
function unfinishedLength(bytes: Buffer): number {
  const sequence = unfinishedSequence.exec(bytes.toString('latin1'));
  if (sequence) return sequence[0].length;
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > count ? count : 0;
  }
  return 0;
}
