// Stores one node's relay data in memory: the newest encrypted frame per guest, and the inputs that the host has not received. Dropped
// without a host.
import type { MakeError } from './relay-errors.ts';
import { createSessionMemory, type RelaySession, type GuestSlot } from './relay-session.ts';

/** The host's state of a guest. */
export interface KnownGuest {
  /** Number of the last input that the host received without gaps. */
  readonly taken: number;
  /** Number of the last frame that the guest received. */
  readonly has: number;
}

export interface HeardGuest {
  readonly guest: string;
  readonly address: string;
  readonly has: number;
  /** The guest is polling for a frame. */
  readonly isWaiting: boolean;
  /** Milliseconds since the guest's last request. */
  readonly quietMs: number;
}

export interface HeardInput {
  readonly guest: string;
  readonly number: number;
  readonly message: Buffer;
}

export interface Heard {
  readonly guests: readonly HeardGuest[];
  /** In order per guest. */
  readonly inputs: readonly HeardInput[];
}

export interface Waiting {
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly longest: number;
}

/** Events that other nodes need. */
export interface ChannelEvents {
  /** A guest polls here, and this node has no frame for it. */
  onWanting(session: string, guest: string, has: number, address: string): void;
  /** A frame arrived that a guest on another node may wait for. */
  onWanted(session: string, guest: string, number: number, frame: Buffer): void;
}

const mostSeats = 16;
/** A session's memory is dropped after this time without its host. */
export const forgottenAfterMs = 30_000;
const elsewhereMs = 26_000;
const sweepMs = 5_000;

export type ChannelStore = ReturnType<typeof createChannelStore>;

/** @param limit maximum bytes of all sessions together */
export function createChannelStore(limit: () => number, events: ChannelEvents, makeError: MakeError, now: () => number = () => Date.now()) {
  const rooms = new Map<string, RelaySession>();
  const memory = createSessionMemory(limit);
  let sweeping: ReturnType<typeof setInterval> | undefined;

  function release(): void {
    for (const { seats, hosts } of rooms.values()) {
      for (const { waiter } of seats.values()) waiter?.();
      for (const { end } of [...hosts]) end();
    }
  }

  /** Drops sessions without a host. */
  function sweep(): void {
    for (const [session, room] of rooms) {
      if (room.hosts.size > 0 || room.hostAt > now() - forgottenAfterMs) continue;
      for (const slot of room.seats.values()) memory.empty(room, slot);
      if ([...room.seats.values()].every(({ waiter }) => !waiter)) rooms.delete(session);
    }
    if (rooms.size > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }

  function roomOf(session: string): RelaySession {
    let room = rooms.get(session);
    if (!room) rooms.set(session, (room = { seats: new Map(), hosts: new Set(), hostAt: now(), bytes: 0 }));
    sweeping ??= setInterval(sweep, sweepMs).unref();
    return room;
  }

  function seatOf(session: string, guest: string): GuestSlot {
    const { seats } = roomOf(session);
    let slot = seats.get(guest);
    if (slot) return slot;
    if (seats.size >= mostSeats) throw makeError('TOO_MANY_GUESTS', { limit: mostSeats });
    slot = { guest, address: '', has: 0, seenAt: now(), elsewhereUntil: 0, frame: undefined, inputs: new Map(), inputBytes: 0, waiter: undefined };
    seats.set(guest, slot);
    return slot;
  }

  /** Handles the guest's receipt of a frame and all earlier ones. */
  function received(room: RelaySession, slot: GuestSlot, has: number): void {
    slot.seenAt = now();
    if (has > slot.has) slot.has = has;
    if (slot.frame && slot.frame.number <= slot.has) memory.setFrame(room, slot, undefined);
    for (const { look } of [...room.hosts]) look();
  }

  /** Returns only inputs that directly follow those that the host has received. */
  function readNow(room: RelaySession, known: ReadonlyMap<string, KnownGuest>): Heard | undefined {
    let isNew = false;
    const inputs: HeardInput[] = [];
    for (const slot of room.seats.values()) {
      const { taken = 0, has = 0 } = known.get(slot.guest) ?? {};
      for (const number of [...slot.inputs.keys()].filter((one) => one <= taken)) memory.dropInput(room, slot, number);
      let number = taken + 1;
      for (let message = slot.inputs.get(number); message; message = slot.inputs.get(++number)) inputs.push({ guest: slot.guest, number, message });
      // A new guest sends nothing before the host's first frame.
      isNew ||= !known.has(slot.guest) || slot.has > has;
    }
    return isNew || inputs.length > 0 ? { guests: guestsOf(room), inputs } : undefined;
  }

  const guestsOf = (room: RelaySession): HeardGuest[] =>
    [...room.seats.values()].map((slot) => ({
      ...{ guest: slot.guest, address: slot.address, has: slot.has, isWaiting: isWaiting(slot) },
      quietMs: isWaiting(slot) ? 0 : now() - slot.seenAt,
    }));

  const isWaiting = (slot: GuestSlot): boolean => slot.waiter !== undefined || slot.elsewhereUntil > now();

  return {
    /** Stores a frame of the host; ignores one older than the stored one. Throws `BUSY`. */
    post(session: string, guest: string, number: number, frame: Buffer): { readonly has: number; readonly isWaiting: boolean } {
      const [slot, room] = [seatOf(session, guest), roomOf(session)];
      room.hostAt = now();
      if (number > slot.has && number > (slot.frame?.number ?? 0)) {
        if (!memory.hasSpace(room, frame.length - (slot.frame?.bytes.length ?? 0))) throw makeError('BUSY');
        memory.setFrame(room, slot, { number, bytes: frame });
        if (slot.waiter) slot.waiter(frame);
        else {
          // This node may not know yet that the guest polls on another node.
          slot.elsewhereUntil = 0;
          events.onWanted(session, guest, number, frame);
        }
      }
      return { has: slot.has, isWaiting: isWaiting(slot) };
    },

    /** Resolves with the frame after the guest's last one; `undefined` after the timeout. A new poll ends the previous one. */
    poll(session: string, guest: string, after: number, address: string, { signal, longest }: Waiting): Promise<Buffer | undefined> {
      const slot = seatOf(session, guest);
      slot.waiter?.();
      slot.address = address;
      slot.elsewhereUntil = 0;
      if (slot.frame && slot.frame.number > after) return Promise.resolve(slot.frame.bytes);
      return new Promise((resolve) => {
        const end = (frame?: Buffer): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          if (slot.waiter === end) slot.waiter = undefined;
          slot.seenAt = now();
          resolve(frame);
        };
        const onAbort = (): void => end();
        const timer = setTimeout(end, longest);
        slot.waiter = end;
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) return end();
        received(roomOf(session), slot, after);
        events.onWanting(session, guest, after, address);
      });
    },

    /** Stores numbered inputs of a guest; drops inputs beyond the host's limit, which the guest resends. */
    take(session: string, guest: string, address: string, messages: readonly (readonly [number: number, message: Buffer])[]): number {
      const [slot, room] = [seatOf(session, guest), roomOf(session)];
      slot.address = address;
      slot.seenAt = now();
      let kept = 0;
      for (const [number, message] of messages) {
        if (slot.inputs.has(number)) continue;
        if (!memory.addInput(room, slot, number, message)) break;
        kept += 1;
      }
      if (kept > 0) for (const { look } of [...room.hosts]) look();
      return kept;
    },

    /** Returns news for the host; after the timeout, the present guests, or `undefined` without any. */
    hear(session: string, known: ReadonlyMap<string, KnownGuest>, { signal, longest }: Waiting): Promise<Heard | undefined> {
      const room = roomOf(session);
      room.hostAt = now();
      return new Promise((resolve) => {
        const end = (heard?: Heard): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          room.hosts.delete(waiter);
          room.hostAt = now();
          resolve(heard);
        };
        const look = (): void => {
          const heard = readNow(room, known);
          if (heard) end(heard);
        };
        const waiter = { look, end: () => end() };
        const onAbort = (): void => end();
        const timer = setTimeout(() => end(room.seats.size > 0 ? { guests: guestsOf(room), inputs: [] } : undefined), longest);
        room.hosts.add(waiter);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) end();
        else look();
      });
    },

    /** Handles a guest that polls on another node. */
    wantedElsewhere(session: string, guest: string, has: number, address: string): void {
      const [slot, room] = [seatOf(session, guest), roomOf(session)];
      slot.address = address;
      if (slot.frame && slot.frame.number > has) return events.onWanted(session, guest, slot.frame.number, slot.frame.bytes);
      slot.elsewhereUntil = now() + elsewhereMs;
      received(room, slot, has);
    },

    /** Delivers a frame of another node, which may send it twice: on arrival, and when it learns that the guest waits. */
    deliver(session: string, guest: string, number: number, frame: Buffer): void {
      const slot = rooms.get(session)?.seats.get(guest);
      if (slot && number > slot.has) slot.waiter?.(frame);
    },

    leave(session: string, guest: string): void {
      const room = rooms.get(session);
      const slot = room?.seats.get(guest);
      if (!room || !slot) return;
      slot.waiter?.();
      memory.empty(room, slot);
      room.seats.delete(guest);
    },

    end(session: string): void {
      const room = rooms.get(session);
      if (!room) return;
      for (const slot of room.seats.values()) {
        slot.waiter?.();
        memory.empty(room, slot);
      }
      rooms.delete(session);
      for (const { end } of [...room.hosts]) end();
    },

    sweep,

    figures: () => ({ sessions: rooms.size, bytes: memory.bytes() }),

    /** Sends a waiting guest an empty response, after which it polls again. */
    release,

    dispose(): void {
      clearInterval(sweeping);
      release();
      rooms.clear();
    },
  };
}
