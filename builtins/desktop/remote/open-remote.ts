// Assembles remote sessions on first use: codes, the listener, the mirror, the guests.
import { join } from 'node:path';
import type { ChildScope, KernelError, Logger } from 'agent-harness/kernel';
import { findOwnAddresses } from 'agent-harness/lib/own-addresses';
import type { DesktopWindow } from 'agent-harness/builtins/desktop/desktop-window';
import type { AttachedGuest, GuestLink, RemoteSessionEvent } from 'agent-harness/builtins/desktop/remote';
import type { Principal } from 'agent-harness/plugins/http';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import { createCodeBook, type CodeBook, type LiveCode, type Wanted } from './codes/code-book.ts';
import { createLanDoor } from './codes/lan-door.ts';
import { noRelay, type Ways } from './codes/ways.ts';
import { createMirror } from './frames/mirror.ts';
import { createGuestDesk, type GuestDesk } from './guests/guest-desk.ts';
import { createGuestLog } from './guests/guest-log.ts';
import { createDispatcher } from './inputs/dispatch.ts';
import type { manifest } from './manifest.ts';

export type MakeError = (reason: keyof typeof manifest.errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;

export interface RemoteParts {
  readonly services: { readonly product: Product; readonly storage: Storage; readonly desktopWindow?: DesktopWindow | undefined };
  readonly config: { readonly lifeMs: number; readonly bindHost: string };
  readonly log: Logger;
  readonly child: () => ChildScope;
  readonly ways: Ways;
  readonly emit: (event: RemoteSessionEvent) => void;
  readonly makeError: MakeError;
  readonly whyUnavailable: () => string | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

export interface ShownCode {
  readonly code: LiveCode;
  readonly urls: readonly string[];
  readonly guests: number;
}

export interface Remote {
  readonly desk: GuestDesk;
  open(wanted: Wanted): Promise<ShownCode>;
  codes(): ShownCode[];
  /** @param text the id of a code, or the code */
  revoke(text: string): boolean;
  /** All codes, or those of one chat. Returns how many. */
  off(chatId?: string): number;
  redeem: CodeBook['redeem'];
  identify(token: string): Principal | undefined;
  /** Whether the listener for guests may be open. */
  readonly isOpen: boolean;
  /** A guest of the local network. Returns `undefined` if it is not one. */
  seat(guestId: string, link: Omit<GuestLink, 'code' | 'name' | 'transport'>): AttachedGuest | undefined;
  attach(link: GuestLink): AttachedGuest;
  close(): Promise<void>;
}

const auditBytes = 1_000_000;

export function openRemote({ services, config, log, child, ways, emit, makeError, whyUnavailable, now = () => performance.now() }: RemoteParts): Remote {
  const { product, storage, desktopWindow } = services;
  const urls = new Map<string, readonly string[]>();
  const audit = storage.createLineFile({
    path: join(product.home, 'remote.jsonl'),
    fullPath: join(product.home, 'remote.1.jsonl'),
    maxBytes: auditBytes,
    onFault: (cause) => log.warn(`remote.jsonl cannot be written: ${String(cause)}`),
  });
  const write = (event: RemoteSessionEvent): void => {
    audit.add({ at: new Date().toISOString(), ...event });
    void audit.flush();
    emit(event);
  };
  const door = createLanDoor(child, () => config.bindHost);
  let known: readonly LiveCode[] = [];
  const book = createCodeBook({ now, lifeMs: () => config.lifeMs, onChange: () => queueMicrotask(tidy) });
  const guestLog = createGuestLog(write, now);
  const mirror = createMirror({ now, onHost: () => desk.announce() });
  const dispatcher = createDispatcher({ stage: () => mirror.stage, restore: () => mirror.restore(), onInput: () => mirror.noteInput(), now });
  const desk = createGuestDesk({ now, mirror, dispatcher, log: guestLog, makeError, forget: (guestId) => book.forget(guestId) });
  const unwatch = desktopWindow?.watch((window) => {
    mirror.setWindow(window);
    window.closed.addEventListener(
      'abort',
      () => (desktopWindow.current() === undefined || desktopWindow.current() === window ? mirror.setWindow(undefined) : undefined),
      { once: true },
    );
  });

  /** Ended codes end their guests, and the last one closes the listener. */
  function tidy(): void {
    const live = book.list();
    for (const code of known) {
      if (live.some((one) => one.code === code.code)) continue;
      urls.delete(code.code);
      desk.endCode(code, 'This session is over.');
      const { role, transport } = code;
      write({ what: 'ended', role, transport, guests: desk.list().length });
    }
    known = live;
    if (!live.some(({ transport }) => transport === 'lan'))
      void door.close().catch((fault: unknown) => log.warn(`the door of guests did not close: ${String(fault)}`));
  }

  async function reach(code: LiveCode): Promise<readonly string[]> {
    if (code.transport === 'lan') {
      const address = await door.open();
      return findOwnAddresses(address).urls.map((url) => `${url}/remote/join#${code.code}`);
    }
    const transport = ways.find(code.transport);
    if (!transport) throw makeError('UNAVAILABLE', { why: noRelay });
    return (await transport.open(code)).urls;
  }

  const show = (code: LiveCode): ShownCode => ({ code, urls: urls.get(code.code) ?? [], guests: desk.list(code.code).length });

  return {
    desk,
    async open(wanted) {
      const why = whyUnavailable() ?? (await ways.whyNot(wanted.transport));
      if (why !== undefined) throw makeError('UNAVAILABLE', { why });
      const code = book.open(wanted);
      try {
        urls.set(code.code, await reach(code));
      } catch (fault) {
        book.revoke(code.code);
        throw fault;
      }
      known = book.list();
      write({ what: 'code', role: code.role, transport: code.transport, guests: desk.list().length });
      return show(code);
    },
    codes: () => book.list().map(show),
    revoke(text) {
      const isThere = book.revoke(text);
      if (isThere) tidy();
      return isThere;
    },
    off(chatId) {
      const ending = book.list().filter((code) => chatId === undefined || code.chatId === chatId);
      for (const { code } of ending) book.revoke(code);
      tidy();
      return ending.length;
    },
    redeem: (text, from) => book.redeem(text, from),
    identify(token) {
      const joined = book.identify(token);
      return joined && { kind: 'guest', id: joined.guestId, ...(joined.name ? { name: joined.name } : {}), role: 'viewer', areas: ['remote_guest'] };
    },
    get isOpen() {
      return book.list().length > 0;
    },
    seat(guestId, link) {
      const joined = book.joined(guestId);
      return joined && desk.seat(joined, { ...link, code: joined.code.code, name: joined.name ?? '', transport: 'lan' });
    },
    attach(link) {
      const joined = book.admit(link.code);
      if (!joined) throw makeError('CODE_WRONG');
      return desk.seat(joined, link);
    },
    async close() {
      unwatch?.();
      desk.close();
      book.close();
      await mirror.close();
      await door.close();
      await audit.flush();
    },
  };
}
