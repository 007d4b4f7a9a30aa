// Encodes one message between a remotely paired device and its host: kind, request id and content. Runs in browsers too.
import { recordIn } from '#lib/values';

export const kinds = { greeting: 0, head: 1, data: 2, end: 3, reset: 4, credit: 5, goodbye: 6 } as const;

export interface Frame {
  readonly kind: number;
  /** Request id; 0 for messages that belong to no request. */
  readonly id: number;
  readonly content: Uint8Array;
}

/** Protocol version between page and host. Both send their version first. */
export const linkVersion = 1;
/** Size of the header in bytes. */
const headBytes = 5;
const nothing = new Uint8Array();

/** Encodes a frame. @param content bytes, or fields that are sent as JSON */
export function writeFrame(kind: number, id: number, content: Uint8Array | Readonly<Record<string, unknown>> = nothing): Uint8Array {
  const body = content instanceof Uint8Array ? content : new TextEncoder().encode(JSON.stringify(content));
  const bytes = new Uint8Array(headBytes + body.length);
  bytes[0] = kind;
  new DataView(bytes.buffer).setUint32(1, id);
  bytes.set(body, headBytes);
  return bytes;
}

/** Decodes a frame; returns `undefined` if it is invalid. */
export function readFrame(bytes: Uint8Array): Frame | undefined {
  if (bytes.length < headBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { kind: view.getUint8(0), id: view.getUint32(1), content: bytes.subarray(headBytes) };
}

/** Returns the fields of a JSON frame; an empty object if the content is not JSON. */
export function fieldsOf({ content }: Frame): Readonly<Record<string, unknown>> {
  return recordIn(new TextDecoder().decode(content));
}
