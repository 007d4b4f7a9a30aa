// Encodes a batch of all messages that a remotely paired device may lack, because the relay stores only the newest batch. Runs in browsers too.

export interface Batch {
  /** Number of the last device message that the host received without gaps. */
  readonly taken: number;
  /** Number of the first message of the batch; numbers start at 1. */
  readonly first: number;
  readonly messages: readonly Uint8Array[];
}

/** Size of the header in bytes. */
const headBytes = 8;

/** Encodes a batch. */
export function writeBatch({ taken, first, messages }: Batch): Uint8Array {
  const bytes = new Uint8Array(messages.reduce((sum, { length }) => sum + 4 + length, headBytes));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, taken);
  view.setUint32(4, first);
  let at = headBytes;
  for (const message of messages) {
    view.setUint32(at, message.length);
    bytes.set(message, at + 4);
    at += 4 + message.length;
  }
  return bytes;
}

/** Decodes a batch; returns `undefined` if it is invalid. */
export function readBatch(bytes: Uint8Array): Batch | undefined {
  if (bytes.length < headBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages: Uint8Array[] = [];
  for (let at = headBytes; at < bytes.length;) {
    const end = at + 4 + (at + 4 <= bytes.length ? view.getUint32(at) : Infinity);
    if (end > bytes.length) return undefined;
    messages.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return { taken: view.getUint32(0), first: view.getUint32(4), messages };
}
