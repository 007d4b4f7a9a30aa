// Defines the wire protocol between the host of a mirrored window and its guests, for all transports. Also runs in browsers.
import { frameHeaderBytes, guestProtocolVersion } from './guest-limits.ts';
import type { GuestMessage, HostMessage } from './guest-messages.ts';

export * from './guest-limits.ts';
export type { GuestInput, GuestMessage, HostMessage, RefusedReason } from './guest-messages.ts';

export interface FrameHeader {
  /** Whether the frame is a sharp image of a still page. */
  readonly isStill: boolean;
  /** Whether the page has not changed since this frame. */
  readonly isLast: boolean;
  readonly seq: number;
  /** Capture time in milliseconds of the host's clock. */
  readonly capturedAt: number;
  /** Width of the page in CSS pixels. */
  readonly cssWidth: number;
  readonly cssHeight: number;
  readonly imageWidth: number;
  readonly imageHeight: number;
  /** Increases on each resize and navigation; inputs refer to it. */
  readonly geometry: number;
  /** Number `n` of the guest's last input whose effect the image may show. */
  readonly ackedInput: number;
}

const magic = 0x5246;
const still = 1;
const last = 2;

export function writeFrameHeader(target: Uint8Array, header: FrameHeader): void {
  const view = new DataView(target.buffer, target.byteOffset, frameHeaderBytes);
  view.setUint16(0, magic, true);
  view.setUint8(2, guestProtocolVersion);
  view.setUint8(3, (header.isStill ? still : 0) | (header.isLast ? last : 0));
  view.setUint32(4, header.seq, true);
  view.setFloat64(8, header.capturedAt, true);
  view.setUint16(16, header.cssWidth, true);
  view.setUint16(18, header.cssHeight, true);
  view.setUint16(20, header.imageWidth, true);
  view.setUint16(22, header.imageHeight, true);
  view.setUint32(24, header.geometry, true);
  view.setUint32(28, header.ackedInput, true);
}

/** Reads the header; the JPEG follows at {@link frameHeaderBytes}. Returns `undefined` if the bytes are not a frame of this version. */
export function readFrameHeader(frame: Uint8Array): FrameHeader | undefined {
  if (frame.byteLength <= frameHeaderBytes) return undefined;
  const view = new DataView(frame.buffer, frame.byteOffset, frameHeaderBytes);
  if (view.getUint16(0, true) !== magic || view.getUint8(2) !== guestProtocolVersion) return undefined;
  const flags = view.getUint8(3);
  return {
    isStill: (flags & still) !== 0,
    isLast: (flags & last) !== 0,
    seq: view.getUint32(4, true),
    capturedAt: view.getFloat64(8, true),
    cssWidth: view.getUint16(16, true),
    cssHeight: view.getUint16(18, true),
    imageWidth: view.getUint16(20, true),
    imageHeight: view.getUint16(22, true),
    geometry: view.getUint32(24, true),
    ackedInput: view.getUint32(28, true),
  };
}

export function writeMessage(message: GuestMessage | HostMessage): string {
  return JSON.stringify({ v: guestProtocolVersion, ...message });
}

/** Reads a host message; `undefined` for another version or an invalid message. */
export function readHostMessage(text: string): HostMessage | undefined {
  try {
    const message = JSON.parse(text) as { v?: unknown; type?: unknown } | null;
    return message?.v === guestProtocolVersion && typeof message.type === 'string' ? (message as unknown as HostMessage) : undefined;
  } catch {
    return undefined;
  }
}
