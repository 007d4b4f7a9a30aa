// Implements a session's memory on one node: its guests, and the bytes held for them.

export interface GuestSlot {
  readonly guest: string;
  address: string;
  has: number;
  seenAt: number;
  /** Time until which the guest polls on another node. */
  elsewhereUntil: number;
  frame: { readonly number: number; readonly bytes: Buffer } | undefined;
  /** Inputs by number. */
  readonly inputs: Map<number, Buffer>;
  inputBytes: number;
  waiter: ((frame?: Buffer) => void) | undefined;
}

export interface RelaySession {
  readonly seats: Map<string, GuestSlot>;
  readonly hosts: Set<{ look(): void; end(): void }>;
  /** Time of the host's last request on this node. */
  hostAt: number;
  bytes: number;
}

/** Maximum number of inputs that a host has not received; guests resend further ones. */
export const mostInputs = 64;
const mostInputBytes = 256 * 1024;
/** Maximum bytes of one session. */
const mostRoomBytes = 4 * 1024 * 1024;

/** Tracks held memory. @param limit maximum bytes of all sessions together */
export function createSessionMemory(limit: () => number) {
  let bytes = 0;

  function count(room: RelaySession, more: number): void {
    room.bytes += more;
    bytes += more;
  }

  function setFrame(room: RelaySession, slot: GuestSlot, frame: GuestSlot['frame']): void {
    count(room, (frame?.bytes.length ?? 0) - (slot.frame?.bytes.length ?? 0));
    slot.frame = frame;
  }

  function dropInput(room: RelaySession, slot: GuestSlot, number: number): void {
    const size = slot.inputs.get(number)?.length ?? 0;
    slot.inputs.delete(number);
    slot.inputBytes -= size;
    count(room, -size);
  }

  const hasSpace = (room: RelaySession, more: number): boolean => bytes + more <= limit() && room.bytes + more <= mostRoomBytes;

  return {
    hasSpace,
    setFrame,
    dropInput,
    /**
     * Returns whether the input was stored. Drops the oldest inputs first: the host received them on another node, or the guest resends
     * them.
     */
    addInput(room: RelaySession, slot: GuestSlot, number: number, message: Buffer): boolean {
      while (slot.inputs.size > 0 && (slot.inputs.size >= mostInputs || slot.inputBytes + message.length > mostInputBytes))
        dropInput(room, slot, Math.min(...slot.inputs.keys()));
      if (!hasSpace(room, message.length)) return false;
      slot.inputs.set(number, message);
      slot.inputBytes += message.length;
      count(room, message.length);
      return true;
    },
    empty(room: RelaySession, slot: GuestSlot): void {
      setFrame(room, slot, undefined);
      for (const number of [...slot.inputs.keys()]) dropInput(room, slot, number);
    },
    bytes: () => bytes,
  };
}
