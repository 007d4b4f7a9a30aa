// Stores the data of relayed remote sessions in the memory of one node: the newest encrypted frame per guest, and the inputs that the host has not
// received. A session without a host is dropped.
import type { MakeError } from './relay-errors.ts';
import { createSessionMemory, type RelaySession, type GuestSlot } from './relay-session.ts';

/** Progress of a guest, as reported by the host. */
export interface KnownGuest {
  /** Number of the last input that the host received without gaps. */
  readonly taken: number;
  /** Number of the last frame that the guest received. */
  readonly has: number;
}

export interface GuestStatus {
  readonly guest: string;
  readonly address: string;
  readonly has: number;
  /** Whether the guest is polling for a frame. */
  readonly isWaiting: boolean;
  /** Milliseconds since the guest's last request. */
  readonly quietMs: number;
}

export interface GuestInput {
  readonly guest: string;
  readonly number: number;
  readonly message: Buffer;
}

export interface HostUpdate {
  readonly guests: readonly GuestStatus[];
  /** In order per guest. */
  readonly inputs: readonly GuestInput[];
}

export interface Waiting {
  readonly signal: AbortSignal;
  /** Maximum duration of the poll in milliseconds. */
  readonly longest: number;
}

/** Events that other nodes need. */
export interface ChannelEvents {
  /** Called when a guest polls this node and the node has no frame for the guest. */
  onWanting(session: string, guest: string, has: number, address: string): void;
  /** Called when a frame arrives for which a guest on another node may be waiting. */
  onWanted(session: string, guest: string, number: number, frame: Buffer): void;
}

/** Maximum number of guests in one session. */
const maxGuests = 16;
/** Milliseconds without a host after which the memory of a session is dropped. */
export const hostAbsenceMs = 30_000;
/** Time after a poll, in milliseconds, during which a guest is treated as polling on another node. */
const elsewhereMs = 26_000;
/** Interval between removals of expired sessions, in milliseconds. */
const sweepMs = 5_000;

export type ChannelStore = ReturnType<typeof createChannelStore>;

/** @param limit maximum bytes of all sessions together */
export function createChannelStore(limit: () => number, events: ChannelEvents, makeError: MakeError, now: () => number = () => Date.now()) {
  const sessions = new Map<string, RelaySession>();
  const memory = createSessionMemory(limit);
  let sweeping: ReturnType<typeof setInterval> | undefined;

  function release(): void {
    for (const { slots, hosts } of sessions.values()) {
      for (const { waiter } of slots.values()) waiter?.();
      for (const { end } of [...hosts]) end();
    }
  }

  /** Drops sessions without a host. */
  function sweep(): void {
    for (const [session, state] of sessions) {
      if (state.hosts.size > 0 || state.hostAt > now() - hostAbsenceMs) continue;
      for (const slot of state.slots.values()) memory.empty(state, slot);
      if ([...state.slots.values()].every(({ waiter }) => !waiter)) sessions.delete(session);
    }
    if (sessions.size > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }

  function stateOf(session: string): RelaySession {
    let state = sessions.get(session);
    if (!state) sessions.set(session, (state = { slots: new Map(), hosts: new Set(), hostAt: now(), bytes: 0 }));
    sweeping ??= setInterval(sweep, sweepMs).unref();
    return state;
  }

  function slotOf(session: string, guest: string): GuestSlot {
    const { slots } = stateOf(session);
    let slot = slots.get(guest);
    if (slot) return slot;
    if (slots.size >= maxGuests) throw makeError('TOO_MANY_GUESTS', { limit: maxGuests });
    slot = { guest, address: '', has: 0, seenAt: now(), elsewhereUntil: 0, frame: undefined, inputs: new Map(), inputBytes: 0, waiter: undefined };
    slots.set(guest, slot);
    return slot;
  }

  /** Handles the guest's receipt of a frame and all earlier ones. */
  function received(state: RelaySession, slot: GuestSlot, has: number): void {
    slot.seenAt = now();
    if (has > slot.has) slot.has = has;
    if (slot.frame && slot.frame.number <= slot.has) memory.setFrame(state, slot, undefined);
    for (const { check } of [...state.hosts]) check();
  }

  /** Returns only inputs that directly follow those that the host has received. */
  function readNow(state: RelaySession, known: ReadonlyMap<string, KnownGuest>): HostUpdate | undefined {
    let isNew = false;
    const inputs: GuestInput[] = [];
    for (const slot of state.slots.values()) {
      const { taken = 0, has = 0 } = known.get(slot.guest) ?? {};
      for (const number of [...slot.inputs.keys()].filter((one) => one <= taken)) memory.dropInput(state, slot, number);
      let number = taken + 1;
      for (let message = slot.inputs.get(number); message; message = slot.inputs.get(++number)) inputs.push({ guest: slot.guest, number, message });
      // A new guest sends nothing before the host's first frame.
      isNew ||= !known.has(slot.guest) || slot.has > has;
    }
    return isNew || inputs.length > 0 ? { guests: guestsOf(state), inputs } : undefined;
  }

  const guestsOf = (state: RelaySession): GuestStatus[] =>
    [...state.slots.values()].map((slot) => ({
      ...{ guest: slot.guest, address: slot.address, has: slot.has, isWaiting: isWaiting(slot) },
      quietMs: isWaiting(slot) ? 0 : now() - slot.seenAt,
    }));

  const isWaiting = (slot: GuestSlot): boolean => slot.waiter !== undefined || slot.elsewhereUntil > now();

  return {
    /** Stores a frame of the host; ignores one older than the stored one. Throws `BUSY`. */
    post(session: string, guest: string, number: number, frame: Buffer): { readonly has: number; readonly isWaiting: boolean } {
      const [slot, state] = [slotOf(session, guest), stateOf(session)];
      state.hostAt = now();
      if (number > slot.has && number > (slot.frame?.number ?? 0)) {
        if (!memory.hasSpace(state, frame.length - (slot.frame?.bytes.length ?? 0))) throw makeError('BUSY');
        memory.setFrame(state, slot, { number, bytes: frame });
        if (slot.waiter) slot.waiter(frame);
        else {
          // The guest may already be polling on another node that has not notified this node yet.
          slot.elsewhereUntil = 0;
          events.onWanted(session, guest, number, frame);
        }
      }
      return { has: slot.has, isWaiting: isWaiting(slot) };
    },

    /** Resolves with the frame after the guest's last one; `undefined` after the timeout. A new poll ends the previous one. */
    poll(session: string, guest: string, after: number, address: string, { signal, longest }: Waiting): Promise<Buffer | undefined> {
      const slot = slotOf(session, guest);
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
        received(stateOf(session), slot, after);
        events.onWanting(session, guest, after, address);
      });
    },

    /** Stores numbered inputs of a guest; drops inputs beyond the host's limit, which the guest resends. */
    take(session: string, guest: string, address: string, messages: readonly (readonly [number: number, message: Buffer])[]): number {
      const [slot, state] = [slotOf(session, guest), stateOf(session)];
      slot.address = address;
      slot.seenAt = now();
      let kept = 0;
      for (const [number, message] of messages) {
        if (slot.inputs.has(number)) continue;
        if (!memory.addInput(state, slot, number, message)) break;
        kept += 1;
      }
      if (kept > 0) for (const { check } of [...state.hosts]) check();
      return kept;
    },

    /** Resolves with new inputs and states for the host; after the timeout, with the present guests, or with `undefined` if there are none. */
    receiveInputs(session: string, known: ReadonlyMap<string, KnownGuest>, { signal, longest }: Waiting): Promise<HostUpdate | undefined> {
      const state = stateOf(session);
      state.hostAt = now();
      return new Promise((resolve) => {
        const end = (update?: HostUpdate): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          state.hosts.delete(waiter);
          state.hostAt = now();
          resolve(update);
        };
        const check = (): void => {
          const update = readNow(state, known);
          if (update) end(update);
        };
        const waiter = { check, end: () => end() };
        const onAbort = (): void => end();
        const timer = setTimeout(() => end(state.slots.size > 0 ? { guests: guestsOf(state), inputs: [] } : undefined), longest);
        state.hosts.add(waiter);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) end();
        else check();
      });
    },

    /** Records that a guest polls on another node, and sends its newest frame there. */
    wantedElsewhere(session: string, guest: string, has: number, address: string): void {
      const [slot, state] = [slotOf(session, guest), stateOf(session)];
      slot.address = address;
      if (slot.frame && slot.frame.number > has) return events.onWanted(session, guest, slot.frame.number, slot.frame.bytes);
      slot.elsewhereUntil = now() + elsewhereMs;
      received(state, slot, has);
    },

    /** Delivers a frame from another node. That node may send it twice: when the frame arrives, and when it is notified that the guest is waiting. */
    deliver(session: string, guest: string, number: number, frame: Buffer): void {
      const slot = sessions.get(session)?.slots.get(guest);
      if (slot && number > slot.has) slot.waiter?.(frame);
    },

    leave(session: string, guest: string): void {
      const state = sessions.get(session);
      const slot = state?.slots.get(guest);
      if (!state || !slot) return;
      slot.waiter?.();
      memory.empty(state, slot);
      state.slots.delete(guest);
    },

    end(session: string): void {
      const state = sessions.get(session);
      if (!state) return;
      for (const slot of state.slots.values()) {
        slot.waiter?.();
        memory.empty(state, slot);
      }
      sessions.delete(session);
      for (const { end } of [...state.hosts]) end();
    },

    sweep,

    figures: () => ({ sessions: sessions.size, bytes: memory.bytes() }),

    /** Sends a waiting guest an empty response, after which it polls again. */
    release,

    dispose(): void {
      clearInterval(sweeping);
      release();
      sessions.clear();
    },
  };
}
