// Implements the memory of a relayed remote session on one node: its guests, and the bytes stored for them.

export interface GuestSlot {
  readonly guest: string;
  address: string;
  has: number;
  seenAt: number;
  /** Time until which the guest is expected to poll on another node, in milliseconds since the epoch. */
  elsewhereUntil: number;
  frame: { readonly number: number; readonly bytes: Buffer } | undefined;
  /** Inputs by number. */
  readonly inputs: Map<number, Buffer>;
  inputBytes: number;
  waiter: ((frame?: Buffer) => void) | undefined;
}

export interface RelaySession {
  readonly slots: Map<string, GuestSlot>;
  readonly hosts: Set<{ check(): void; end(): void }>;
  /** Time of the host's last request on this node, in milliseconds since the epoch. */
  hostAt: number;
  bytes: number;
}

/** Maximum number of stored inputs per guest that the host has not received; guests resend further ones. */
export const maxInputs = 64;
/** Maximum size of a guest's unread inputs in bytes. */
const maxInputBytes = 256 * 1024;
const maxSessionBytes = 4 * 1024 * 1024;

/** Counts the bytes of stored frames and inputs, and enforces the limits. @param limit maximum bytes of all sessions together */
export function createSessionMemory(limit: () => number) {
  let bytes = 0;

  function count(state: RelaySession, more: number): void {
    state.bytes += more;
    bytes += more;
  }

  function setFrame(state: RelaySession, slot: GuestSlot, frame: GuestSlot['frame']): void {
    count(state, (frame?.bytes.length ?? 0) - (slot.frame?.bytes.length ?? 0));
    slot.frame = frame;
  }

  function dropInput(state: RelaySession, slot: GuestSlot, number: number): void {
    const size = slot.inputs.get(number)?.length ?? 0;
    slot.inputs.delete(number);
    slot.inputBytes -= size;
    count(state, -size);
  }

  const hasSpace = (state: RelaySession, more: number): boolean => bytes + more <= limit() && state.bytes + more <= maxSessionBytes;

  return {
    hasSpace,
    setFrame,
    dropInput,
    /**
     * Stores an input, and returns whether there was space. Drops the oldest inputs first: the host received them on another node, or the guest resends
     * them.
     */
    addInput(state: RelaySession, slot: GuestSlot, number: number, message: Buffer): boolean {
      while (slot.inputs.size > 0 && (slot.inputs.size >= maxInputs || slot.inputBytes + message.length > maxInputBytes))
        dropInput(state, slot, Math.min(...slot.inputs.keys()));
      if (!hasSpace(state, message.length)) return false;
      slot.inputs.set(number, message);
      slot.inputBytes += message.length;
      count(state, message.length);
      return true;
    },
    empty(state: RelaySession, slot: GuestSlot): void {
      setFrame(state, slot, undefined);
      for (const number of [...slot.inputs.keys()]) dropInput(state, slot, number);
    },
    bytes: () => bytes,
  };
}
