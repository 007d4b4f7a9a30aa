// Assembles remote sessions when they are first used: codes, listener, mirror and guests.
import { join } from 'node:path';
import type { ChildScope, KernelError, Logger } from 'agent-harness/kernel';
import { findOwnAddresses } from '#lib/own-addresses';
import type { DesktopWindow } from 'agent-harness/builtins/desktop/desktop-window';
import type { AttachedGuest, GuestLink, RemoteSessionEvent } from 'agent-harness/builtins/desktop/remote';
import type { Principal } from 'agent-harness/plugins/http';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import { createCodeStore, type CodeStore, type LiveCode, type Wanted } from './codes/code-store.ts';
import { createLanListener } from './codes/lan-listener.ts';
import { noRelay, type Transports } from './codes/transports.ts';
import { createMirror } from './frames/mirror.ts';
import { createGuestRegistry, type GuestRegistry } from './guests/guest-registry.ts';
import { createGuestLog } from './guests/guest-log.ts';
import { createDispatcher } from './inputs/dispatch.ts';
import type { manifest } from './manifest.ts';

export type MakeError = (reason: keyof typeof manifest.errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;

export interface RemoteParts {
  readonly services: { readonly product: Product; readonly storage: Storage; readonly desktopWindow?: DesktopWindow | undefined };
  readonly config: { readonly lifeMs: number; readonly bindHost: string };
  readonly log: Logger;
  readonly child: () => ChildScope;
  readonly ways: Transports;
  readonly emit: (event: RemoteSessionEvent) => void;
  readonly makeError: MakeError;
  readonly whyUnavailable: () => string | undefined;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly now?: () => number;
}

export interface ShownCode {
  readonly code: LiveCode;
  readonly urls: readonly string[];
  readonly guests: number;
}

export interface Remote {
  readonly guests: GuestRegistry;
  open(wanted: Wanted): Promise<ShownCode>;
  codes(): ShownCode[];
  /** Ends a code. @param text the code or its id */
  revoke(text: string): boolean;
  /** Ends all codes, or those of one chat. Returns the number of ended codes. */
  off(chatId?: string): number;
  redeem: CodeStore['redeem'];
  identify(token: string): Principal | undefined;
  /** Whether the guest listener may be open. */
  readonly isOpen: boolean;
  /** Attaches a guest from the local network. Returns `undefined` if the guest is unknown. */
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
  const listener = createLanListener(child, () => config.bindHost);
  let known: readonly LiveCode[] = [];
  const codes = createCodeStore({ now, lifeMs: () => config.lifeMs, onChange: () => queueMicrotask(tidy) });
  const guestLog = createGuestLog(write, now);
  const mirror = createMirror({ now, onHost: () => guests.announce() });
  const dispatcher = createDispatcher({ stage: () => mirror.stage, restore: () => mirror.restore(), onInput: () => mirror.noteInput(), now });
  const guests = createGuestRegistry({ now, mirror, dispatcher, log: guestLog, makeError, forget: (guestId) => codes.forget(guestId) });
  const unwatch = desktopWindow?.watch((window) => {
    mirror.setWindow(window);
    window.closed.addEventListener(
      'abort',
      () => (desktopWindow.current() === undefined || desktopWindow.current() === window ? mirror.setWindow(undefined) : undefined),
      { once: true },
    );
  });

  /** Removes the guests of ended codes, and closes the listener after the last code. */
  function tidy(): void {
    const live = codes.list();
    for (const code of known) {
      if (live.some((one) => one.code === code.code)) continue;
      urls.delete(code.code);
      guests.endCode(code, 'This session has ended.');
      const { role, transport } = code;
      write({ what: 'ended', role, transport, guests: guests.list().length });
    }
    known = live;
    if (!live.some(({ transport }) => transport === 'lan'))
      void listener.close().catch((fault: unknown) => log.warn(`the listener for viewers did not close: ${String(fault)}`));
  }

  async function reach(code: LiveCode): Promise<readonly string[]> {
    if (code.transport === 'lan') {
      const address = await listener.open();
      return findOwnAddresses(address).urls.map((url) => `${url}/remote/join#${code.code}`);
    }
    const transport = ways.find(code.transport);
    if (!transport) throw makeError('UNAVAILABLE', { why: noRelay });
    return (await transport.open(code)).urls;
  }

  const show = (code: LiveCode): ShownCode => ({ code, urls: urls.get(code.code) ?? [], guests: guests.list(code.code).length });

  return {
    guests,
    async open(wanted) {
      const why = whyUnavailable() ?? (await ways.whyNot(wanted.transport));
      if (why !== undefined) throw makeError('UNAVAILABLE', { why });
      const code = codes.open(wanted);
      try {
        urls.set(code.code, await reach(code));
      } catch (fault) {
        codes.revoke(code.code);
        throw fault;
      }
      known = codes.list();
      write({ what: 'code', role: code.role, transport: code.transport, guests: guests.list().length });
      return show(code);
    },
    codes: () => codes.list().map(show),
    revoke(text) {
      const isThere = codes.revoke(text);
      if (isThere) tidy();
      return isThere;
    },
    off(chatId) {
      const ending = codes.list().filter((code) => chatId === undefined || code.chatId === chatId);
      for (const { code } of ending) codes.revoke(code);
      tidy();
      return ending.length;
    },
    redeem: (text, from) => codes.redeem(text, from),
    identify(token) {
      const joined = codes.identify(token);
      return joined && { kind: 'guest', id: joined.guestId, ...(joined.name ? { name: joined.name } : {}), role: 'viewer', areas: ['remote_guest'] };
    },
    get isOpen() {
      return codes.list().length > 0;
    },
    seat(guestId, link) {
      const joined = codes.joined(guestId);
      return joined && guests.seat(joined, { ...link, code: joined.code.code, name: joined.name ?? '', transport: 'lan' });
    },
    attach(link) {
      const joined = codes.admit(link.code);
      if (!joined) throw makeError('CODE_WRONG');
      return guests.seat(joined, link);
    },
    async close() {
      unwatch?.();
      guests.close();
      codes.close();
      await mirror.close();
      await listener.close();
      await audit.flush();
    },
  };
}
