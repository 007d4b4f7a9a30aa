// Derives the keys of a sealed tunnel between a page and its host, and encodes its messages. Runs in browsers, too.
import { linkOpener, linkSealer, type Opener, type Sealer } from './sealed-link.ts';
import { recordIn } from './values.ts';

/** Version of the tunnel, which both ends send in their greeting. Keys, batches, greetings and goodbyes are the same in each version. */
export const tunnelVersion = 1;
/** Size in bytes of the host's random part, which precedes each encrypted batch. */
export const epochBytes = 16;

export interface TunnelPlace {
  /** Role of the session at the relay: a view-only link contains no keys for control. */
  readonly role: string;
  /** Random id of the guest, new for each join. */
  readonly guest: string;
  /**
   * Random part of the host, new for each guest, so packets that the relay recorded cannot be replayed. Sent unencrypted: if it is altered, the keys do not
   * match.
   */
  readonly epoch: Uint8Array;
}

/** Creates the keys of one end, separate per direction. Contract: call at most once per end, secret and place. */
export function createTunnelKeys(end: 'host' | 'guest', secret: Uint8Array, { role, guest, epoch }: TunnelPlace): { sealer: Sealer; opener: Opener } {
  const contextOf = (direction: 'down' | 'up'): string[] => [direction, role, guest, [...epoch].join('.')];
  return end === 'host'
    ? { sealer: linkSealer(secret, contextOf('down')), opener: linkOpener(secret, contextOf('up'), { isGapless: true }) }
    : { sealer: linkSealer(secret, contextOf('up')), opener: linkOpener(secret, contextOf('down')) };
}

/** Concatenates messages, each prefixed with its length. @param headBytes number of bytes to leave free before the first one */
export function encodeList(messages: readonly Uint8Array[], headBytes = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(messages.reduce((sum, { length }) => sum + 4 + length, headBytes));
  let at = headBytes;
  for (const message of messages) {
    new DataView(bytes.buffer).setUint32(at, message.length);
    bytes.set(message, at + 4);
    at += 4 + message.length;
  }
  return bytes;
}

/** Reads the messages that follow the first `headBytes` bytes, as views; returns `undefined` if a length is invalid. */
export function decodeList<T extends Uint8Array>(bytes: T, headBytes = 0): T[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages: T[] = [];
  for (let at = headBytes; at < bytes.length;) {
    const end = at + 4 + (at + 4 <= bytes.length ? view.getUint32(at) : Infinity);
    if (end > bytes.length) return undefined;
    messages.push(bytes.subarray(at + 4, end) as T);
    at = end;
  }
  return messages;
}

/** All messages that a guest may lack, because the relay stores only the newest packet. */
export interface Batch {
  /** Number of the last guest message up to which the host has received all messages. */
  readonly taken: number;
  /** Number of the first message of the batch; numbers start at 1. */
  readonly first: number;
  readonly messages: readonly Uint8Array[];
}

const batchHeadBytes = 8;

export function encodeBatch({ taken, first, messages }: Batch): Uint8Array {
  const bytes = encodeList(messages, batchHeadBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, taken);
  view.setUint32(4, first);
  return bytes;
}

/** Decodes a batch; returns `undefined` if it is invalid. */
export function decodeBatch(bytes: Uint8Array): Batch | undefined {
  const messages = bytes.length < batchHeadBytes ? undefined : decodeList(bytes, batchHeadBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return messages && { taken: view.getUint32(0), first: view.getUint32(4), messages };
}

/** Kinds of messages: `head` to `credit` belong to the request of a page, `text` and `picture` to a mirrored window. */
export const kinds = { greeting: 0, head: 1, data: 2, end: 3, reset: 4, credit: 5, goodbye: 6, text: 7, picture: 8 } as const;

export type Fields = Readonly<Record<string, unknown>>;

export interface Frame {
  readonly kind: number;
  /** Request id; 0 for messages that belong to no request. */
  readonly id: number;
  readonly content: Uint8Array;
}

const frameHeadBytes = 5;
const nothing = new Uint8Array();

/** Encodes a message. @param content bytes, text, or fields that are sent as JSON */
export function encodeFrame(kind: number, id: number, content: Uint8Array | string | Fields = nothing): Uint8Array {
  const body = content instanceof Uint8Array ? content : new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
  const bytes = new Uint8Array(frameHeadBytes + body.length);
  bytes[0] = kind;
  new DataView(bytes.buffer).setUint32(1, id);
  bytes.set(body, frameHeadBytes);
  return bytes;
}

/** Decodes a message; returns `undefined` if it is invalid. */
export function decodeFrame(bytes: Uint8Array): Frame | undefined {
  if (bytes.length < frameHeadBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { kind: view.getUint8(0), id: view.getUint32(1), content: bytes.subarray(frameHeadBytes) };
}

export const frameText = ({ content }: Frame): string => new TextDecoder().decode(content);

/** Returns the fields of a JSON message; an empty object if the content is not JSON. */
export const fieldsOf = (frame: Frame): Fields => recordIn(frameText(frame));

/** Encodes the first message that either end sends. */
export const encodeGreeting = (fields: Fields): Uint8Array => encodeFrame(kinds.greeting, 0, { v: tunnelVersion, ...fields });

/** Encodes the host's last message. @param why reason for the page, such as `revoked` */
export const encodeGoodbye = (why: string): Uint8Array => encodeFrame(kinds.goodbye, 0, { why, v: tunnelVersion });
