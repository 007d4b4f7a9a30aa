// Implements one session on one node: its guests, and the bytes held for them.

export interface Seat {
  readonly guest: string;
  address: string;
  has: number;
  seenAt: number;
  /** Until then it waits on another node. */
  elsewhereUntil: number;
  frame: { readonly number: number; readonly bytes: Buffer } | undefined;
  /** By number. */
  readonly inputs: Map<number, Buffer>;
  inputBytes: number;
  waiter: ((frame?: Buffer) => void) | undefined;
}

export interface Room {
  readonly seats: Map<string, Seat>;
  readonly hosts: Set<{ look(): void; end(): void }>;
  /** Last sign of life of the host on this node. */
  hostAt: number;
  bytes: number;
}

/** Inputs that a host has not taken yet; further ones are sent again later. */
export const mostInputs = 64;
const mostInputBytes = 256 * 1024;
/** For all guests of one session. */
const mostRoomBytes = 4 * 1024 * 1024;

/** Tracks held memory. @param limit bytes of all sessions together */
export function createRoomMemory(limit: () => number) {
  let bytes = 0;

  function count(room: Room, more: number): void {
    room.bytes += more;
    bytes += more;
  }

  function setFrame(room: Room, seat: Seat, frame: Seat['frame']): void {
    count(room, (frame?.bytes.length ?? 0) - (seat.frame?.bytes.length ?? 0));
    seat.frame = frame;
  }

  function dropInput(room: Room, seat: Seat, number: number): void {
    const size = seat.inputs.get(number)?.length ?? 0;
    seat.inputs.delete(number);
    seat.inputBytes -= size;
    count(room, -size);
  }

  const hasSpace = (room: Room, more: number): boolean => bytes + more <= limit() && room.bytes + more <= mostRoomBytes;

  return {
    hasSpace,
    setFrame,
    dropInput,
    /**
     * Returns whether there was space. The oldest ones are dropped first: a host that listens on another node took them, and what it did not take is sent
     * again, as a guest has fewer under way.
     */
    addInput(room: Room, seat: Seat, number: number, message: Buffer): boolean {
      while (seat.inputs.size > 0 && (seat.inputs.size >= mostInputs || seat.inputBytes + message.length > mostInputBytes))
        dropInput(room, seat, Math.min(...seat.inputs.keys()));
      if (!hasSpace(room, message.length)) return false;
      seat.inputs.set(number, message);
      seat.inputBytes += message.length;
      count(room, message.length);
      return true;
    },
    empty(room: Room, seat: Seat): void {
      setFrame(room, seat, undefined);
      for (const number of [...seat.inputs.keys()]) dropInput(room, seat, number);
    },
    bytes: () => bytes,
  };
}
