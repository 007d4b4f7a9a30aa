// Holds one node's data of remote sessions: for each guest the newest encrypted frame and the inputs that its host has not taken. In memory only, and only
// while the host is there.
import type { MakeError } from './relay-errors.ts';
import { createRoomMemory, type Room, type Seat } from './room.ts';

/** What a host knows of a guest. */
export interface KnownGuest {
  /** The last input of it that was taken, with all before it. */
  readonly taken: number;
  /** The last frame that it has. */
  readonly has: number;
}

export interface HeardGuest {
  readonly guest: string;
  readonly address: string;
  readonly has: number;
  /** It is currently waiting for a frame. */
  readonly isWaiting: boolean;
  /** Milliseconds since its last sign of life. */
  readonly quietMs: number;
}

export interface HeardInput {
  readonly guest: string;
  readonly number: number;
  readonly message: Buffer;
}

export interface Heard {
  readonly guests: readonly HeardGuest[];
  /** In order for each guest. */
  readonly inputs: readonly HeardInput[];
}

export interface Waiting {
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly longest: number;
}

/** What other nodes need, or may need, to know. */
export interface BoardEvents {
  /** A guest waits here, and this node has nothing for it. */
  onWanting(session: string, guest: string, has: number, address: string): void;
  /** A frame that a guest on another node may wait for. */
  onWanted(session: string, guest: string, number: number, frame: Buffer): void;
}

const mostSeats = 16;
/** Without a host, everything of a session is dropped after this time. */
export const forgottenAfterMs = 30_000;
const elsewhereMs = 26_000;
const sweepMs = 5_000;

export type Board = ReturnType<typeof createBoard>;

/** @param limit bytes of all sessions together */
export function createBoard(limit: () => number, events: BoardEvents, makeError: MakeError, now: () => number = () => Date.now()) {
  const rooms = new Map<string, Room>();
  const memory = createRoomMemory(limit);
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
      for (const seat of room.seats.values()) memory.empty(room, seat);
      if ([...room.seats.values()].every(({ waiter }) => !waiter)) rooms.delete(session);
    }
    if (rooms.size > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }

  function roomOf(session: string): Room {
    let room = rooms.get(session);
    if (!room) rooms.set(session, (room = { seats: new Map(), hosts: new Set(), hostAt: now(), bytes: 0 }));
    sweeping ??= setInterval(sweep, sweepMs).unref();
    return room;
  }

  function seatOf(session: string, guest: string): Seat {
    const { seats } = roomOf(session);
    let seat = seats.get(guest);
    if (seat) return seat;
    if (seats.size >= mostSeats) throw makeError('TOO_MANY_GUESTS', { limit: mostSeats });
    seat = { guest, address: '', has: 0, seenAt: now(), elsewhereUntil: 0, frame: undefined, inputs: new Map(), inputBytes: 0, waiter: undefined };
    seats.set(guest, seat);
    return seat;
  }

  /** The guest has that frame and all before it. */
  function received(room: Room, seat: Seat, has: number): void {
    seat.seenAt = now();
    if (has > seat.has) seat.has = has;
    if (seat.frame && seat.frame.number <= seat.has) memory.setFrame(room, seat, undefined);
    for (const { look } of [...room.hosts]) look();
  }

  /** Only what directly follows what the host has taken: it can take nothing else. */
  function hearNow(room: Room, known: ReadonlyMap<string, KnownGuest>): Heard | undefined {
    let isNew = false;
    const inputs: HeardInput[] = [];
    for (const seat of room.seats.values()) {
      const { taken = 0, has = 0 } = known.get(seat.guest) ?? {};
      for (const number of [...seat.inputs.keys()].filter((one) => one <= taken)) memory.dropInput(room, seat, number);
      let number = taken + 1;
      for (let message = seat.inputs.get(number); message; message = seat.inputs.get(++number)) inputs.push({ guest: seat.guest, number, message });
      // A new guest sends nothing before the host has.
      isNew ||= !known.has(seat.guest) || seat.has > has;
    }
    return isNew || inputs.length > 0 ? { guests: guestsOf(room), inputs } : undefined;
  }

  const guestsOf = (room: Room): HeardGuest[] =>
    [...room.seats.values()].map((seat) => ({
      ...{ guest: seat.guest, address: seat.address, has: seat.has, isWaiting: isWaiting(seat) },
      quietMs: isWaiting(seat) ? 0 : now() - seat.seenAt,
    }));

  const isWaiting = (seat: Seat): boolean => seat.waiter !== undefined || seat.elsewhereUntil > now();

  return {
    /** A frame of the host; an older one than the stored one changes nothing. Throws `BUSY`. */
    post(session: string, guest: string, number: number, frame: Buffer): { readonly has: number; readonly isWaiting: boolean } {
      const [seat, room] = [seatOf(session, guest), roomOf(session)];
      room.hostAt = now();
      if (number > seat.has && number > (seat.frame?.number ?? 0)) {
        if (!memory.hasSpace(room, frame.length - (seat.frame?.bytes.length ?? 0))) throw makeError('BUSY');
        memory.setFrame(room, seat, { number, bytes: frame });
        if (seat.waiter) seat.waiter(frame);
        else {
          // That it waits on another node may not be known here yet.
          seat.elsewhereUntil = 0;
          events.onWanted(session, guest, number, frame);
        }
      }
      return { has: seat.has, isWaiting: isWaiting(seat) };
    },

    /** The frame that comes after the one the guest has; `undefined` if none comes in time. A new poll ends the previous one. */
    poll(session: string, guest: string, after: number, address: string, { signal, longest }: Waiting): Promise<Buffer | undefined> {
      const seat = seatOf(session, guest);
      seat.waiter?.();
      seat.address = address;
      seat.elsewhereUntil = 0;
      if (seat.frame && seat.frame.number > after) return Promise.resolve(seat.frame.bytes);
      return new Promise((resolve) => {
        const end = (frame?: Buffer): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          if (seat.waiter === end) seat.waiter = undefined;
          seat.seenAt = now();
          resolve(frame);
        };
        const onAbort = (): void => end();
        const timer = setTimeout(end, longest);
        seat.waiter = end;
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) return end();
        received(roomOf(session), seat, after);
        events.onWanting(session, guest, after, address);
      });
    },

    /** Inputs of a guest, each with its number; inputs beyond the host's limit are not stored, and the guest sends them again. */
    take(session: string, guest: string, address: string, messages: readonly (readonly [number: number, message: Buffer])[]): number {
      const [seat, room] = [seatOf(session, guest), roomOf(session)];
      seat.address = address;
      seat.seenAt = now();
      let kept = 0;
      for (const [number, message] of messages) {
        if (seat.inputs.has(number)) continue;
        if (!memory.addInput(room, seat, number, message)) break;
        kept += 1;
      }
      if (kept > 0) for (const { look } of [...room.hosts]) look();
      return kept;
    },

    /** What its host does not know yet; if nothing comes in time, the present guests, and `undefined` without any. */
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
          const heard = hearNow(room, known);
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

    /** A guest waits on another node. */
    wantedElsewhere(session: string, guest: string, has: number, address: string): void {
      const [seat, room] = [seatOf(session, guest), roomOf(session)];
      seat.address = address;
      if (seat.frame && seat.frame.number > has) return events.onWanted(session, guest, seat.frame.number, seat.frame.bytes);
      seat.elsewhereUntil = now() + elsewhereMs;
      received(room, seat, has);
    },

    /** A frame of another node, which may send it twice: once when it came, and once when it learned that the guest waits. */
    deliver(session: string, guest: string, number: number, frame: Buffer): void {
      const seat = rooms.get(session)?.seats.get(guest);
      if (seat && number > seat.has) seat.waiter?.(frame);
    },

    leave(session: string, guest: string): void {
      const room = rooms.get(session);
      const seat = room?.seats.get(guest);
      if (!room || !seat) return;
      seat.waiter?.();
      memory.empty(room, seat);
      room.seats.delete(guest);
    },

    end(session: string): void {
      const room = rooms.get(session);
      if (!room) return;
      for (const seat of room.seats.values()) {
        seat.waiter?.();
        memory.empty(room, seat);
      }
      rooms.delete(session);
      for (const { end } of [...room.hosts]) end();
    },

    sweep,

    figures: () => ({ sessions: rooms.size, bytes: memory.bytes() }),

    /** A waiting guest gets an empty response, and polls again. */
    release,

    dispose(): void {
      clearInterval(sweeping);
      release();
      rooms.clear();
    },
  };
}
