// Manages the guests of all transports: how they join and leave, their permission, and their input.
import { oneLine } from '#lib/text';
import type { KernelError } from 'agent-harness/kernel';
import type { AttachedGuest, GuestLink, RemoteSessionEvent } from 'agent-harness/builtins/desktop/remote';
import type { Joined, LiveCode } from '../codes/code-store.ts';
import type { Mirror } from '../frames/mirror.ts';
import { createViewer, type Viewer } from '../frames/viewer.ts';
import { heartbeatMs } from '../guest-protocol.ts';
import type { Dispatcher } from '../inputs/dispatch.ts';
import { createGuest, type Guest, type Standing } from './guest.ts';
import type { GuestLog } from './guest-log.ts';

export interface GuestRegistryParts {
  readonly now: () => number;
  readonly mirror: Mirror;
  readonly dispatcher: Dispatcher;
  readonly log: GuestLog;
  readonly makeError: (reason: 'TOO_MANY_GUESTS' | 'GUEST_NOT_FOUND', details?: Readonly<Record<string, unknown>>) => KernelError;
  /** Invalidates the token of a guest that was removed. */
  readonly forget: (guestId: string) => void;
}

export interface GuestRow {
  readonly guestId: string;
  readonly name: string;
  readonly address: string;
  readonly role: 'view' | 'control';
  readonly since: string;
  readonly transport: 'lan' | 'cloud';
  /** Whether the host has allowed control. */
  readonly mayControl: boolean;
  readonly mayDecide: boolean;
  readonly state: 'waiting' | 'watching' | 'controlling';
  /** Age of the guest's current image, in milliseconds. */
  readonly ageMs: number;
}

export interface GuestRegistry {
  seat(joined: Joined, link: GuestLink): AttachedGuest;
  list(code?: string): GuestRow[];
  /** Changes a guest's rights. Throws `REMOTE_ERR_GUEST_NOT_FOUND`. */
  change(guestId: string, wanted: { readonly allow?: boolean | undefined; readonly mayDecide?: boolean | undefined }): void;
  /** Removes a guest permanently. Throws `REMOTE_ERR_GUEST_NOT_FOUND`. */
  dismiss(guestId: string): void;
  /** Removes all guests who joined with the code. */
  endCode(code: LiveCode, reason: string): void;
  /** Sends the current state to all guests. */
  announce(): void;
  /** Returns whether a guest without the right to decide pressed or typed something very recently. */
  hasJustActed(): boolean;
  close(): void;
}

interface ConnectedGuest {
  readonly guest: Guest;
  readonly code: string;
  end(reason: string): void;
}

/** Maximum number of frames per second. */
const frameRates = { lan: 15, cloud: 4 } as const;
/** Tolerance in milliseconds, because timers never fire early. */
const slackMs = 1.4;
const maxGuests = 32;
const maxStandings = 256;
const silentMs = 20_000;
const actedMs = 2_000;
const controllingMs = 5_000;
const nameLimit = 60;

export function createGuestRegistry({ now, mirror, dispatcher, log, makeError, forget }: GuestRegistryParts): GuestRegistry {
  const connected = new Map<string, ConnectedGuest>();
  /** Includes guests that are briefly disconnected. */
  const standings = new Map<string, Standing>();
  const sweep = setInterval(() => {
    for (const { guest, end } of connected.values()) if (now() - guest.heardAt > silentMs) end('This device sent no messages for a while.');
  }, silentMs / 4);
  sweep.unref();

  function stateOf(standing: Standing): {
    readonly type: 'state';
    readonly host: Mirror['host'];
    readonly guests: number;
    readonly mayControl: boolean;
    readonly mayDecide: boolean;
  } {
    return { type: 'state', host: mirror.host, guests: connected.size, mayControl: standing.isAllowed === true, mayDecide: standing.mayDecide };
  }

  const announce = (): void => {
    for (const { guest } of connected.values()) guest.tell(stateOf(guest.standing));
  };

  function note(what: RemoteSessionEvent['what'], { facts }: Guest, more: { readonly inputs?: number; readonly isAllowed?: boolean } = {}): void {
    const { guestId, name, address, role, transport } = facts;
    log.note({ what, guestId, name, address, role, transport, guests: connected.size, ...more });
  }

  function standingOf(guestId: string): Standing {
    const known = standings.get(guestId) ?? { hasAsked: false, mayDecide: false };
    standings.set(guestId, known);
    for (const id of standings.keys()) if (standings.size > maxStandings && !connected.has(id)) standings.delete(id);
    return known;
  }

  function find(guestId: string): ConnectedGuest {
    const connectedGuest = connected.get(guestId);
    if (!connectedGuest) throw makeError('GUEST_NOT_FOUND', { guestId });
    return connectedGuest;
  }

  return {
    seat({ code, guestId }, link) {
      connected.get(guestId)?.end('This session continues in another tab or over a new connection.');
      if (connected.size >= maxGuests) throw makeError('TOO_MANY_GUESTS', { most: maxGuests });
      const closing = new AbortController();
      let hasBroken = false;
      const gapMs = 1_000 / frameRates[link.transport] + slackMs;
      const viewer: Viewer = createViewer({
        ...{ gapMs, now, send: (bytes) => link.send(bytes) },
        onTransfer: () => mirror.noteTransfer(viewer),
        onStall: () => mirror.review(),
      });
      const standing = standingOf(guestId);
      const facts = {
        ...{ guestId, code: code.code, role: code.role, transport: link.transport, since: new Date().toISOString() },
        ...{ name: oneLine(link.name, nameLimit) || 'Guest', address: oneLine(link.address, nameLimit) },
        ...(link.words === undefined ? {} : { words: link.words }),
      };
      const source = {
        guestId,
        mayDecide: () => standing.mayDecide,
        refuse: (input: number, reason: Parameters<Guest['refuse']>[1]) => guest.refuse(input, reason),
        done: (input: number, begunAt: number) => viewer.noteInput(input, begunAt),
        tell: (message: Parameters<Guest['tell']>[0]) => guest.tell(message),
      };
      const guest: Guest = createGuest({
        ...{ facts, standing, link, viewer, now },
        onView: (view) => mirror.setView(viewer, view),
        onAsk: () => note('asks', guest),
        onInput(input) {
          log.countInput(guestId, (inputs) => note('input', guest, { inputs }));
          dispatcher.add(source, input);
        },
        onBreach(reason) {
          hasBroken = true;
          end(reason);
        },
      });
      const connectedGuest: ConnectedGuest = { guest, code: code.code, end };
      function end(reason: string): void {
        if (closing.signal.aborted) return;
        guest.tell({ type: 'ended', reason });
        leave(reason);
      }
      function leave(reason: string): void {
        if (closing.signal.aborted) return;
        if (connected.get(guestId) === connectedGuest) connected.delete(guestId);
        // Must run while the session with the page still exists.
        dispatcher.release(guestId);
        mirror.remove(viewer);
        log.flush(guestId);
        closing.abort(reason);
        note('left', guest);
        announce();
      }
      connected.set(guestId, connectedGuest);
      guest.tell({ type: 'welcome', role: code.role, name: facts.name, guestId, expiresAt: code.expiresAt, heartbeatMs });
      announce();
      mirror.add(viewer, gapMs);
      note('joined', guest);
      return {
        guestId,
        closed: closing.signal,
        get hasBroken() {
          return hasBroken;
        },
        receive: (text) => (closing.signal.aborted ? undefined : guest.receive(text)),
        leave: () => leave('The device disconnected.'),
      };
    },
    list: (code) =>
      [...connected.values()]
        .filter((connectedGuest) => code === undefined || connectedGuest.code === code)
        .map(({ guest: { facts, standing, inputAt, viewer } }) => {
          const { code: _, ...shown } = facts;
          const isAsking = standing.hasAsked && standing.isAllowed === undefined;
          const state = isAsking ? 'waiting' : now() - inputAt < controllingMs ? 'controlling' : 'watching';
          return { ...shown, mayControl: standing.isAllowed === true, mayDecide: standing.mayDecide, state, ageMs: Math.round(viewer.slownessMs) };
        }),
    change(guestId, { allow, mayDecide }) {
      const { guest } = find(guestId);
      const { standing, facts } = guest;
      if (allow !== undefined && facts.role === 'control') {
        standing.isAllowed = allow;
        standing.hasAsked = true;
        if (!allow) {
          standing.mayDecide = false;
          dispatcher.release(guestId);
        }
      }
      if (mayDecide !== undefined) standing.mayDecide = mayDecide && standing.isAllowed === true;
      note('allowed', guest, { isAllowed: standing.isAllowed === true });
      announce();
    },
    dismiss(guestId) {
      const { end } = find(guestId);
      forget(guestId);
      standings.delete(guestId);
      end('The host has ended this session.');
    },
    endCode(code, reason) {
      for (const connectedGuest of [...connected.values()]) {
        if (connectedGuest.code !== code.code) continue;
        standings.delete(connectedGuest.guest.facts.guestId);
        connectedGuest.end(reason);
      }
    },
    announce,
    hasJustActed: () => dispatcher.actedWithin(actedMs).some((guestId) => standings.get(guestId)?.mayDecide !== true),
    close() {
      clearInterval(sweep);
      for (const { end } of [...connected.values()]) end('The other machine was shut down.');
    },
  };
}
