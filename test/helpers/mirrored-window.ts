// Opens a real browser page in place of the desktop window, and remote viewers that join it.
import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { WebSocket } from 'ws';
import type { OpenWindow, WindowState } from 'agent-harness/builtins/desktop/desktop-window';
import { readFrameHeader, writeMessage, type FrameHeader, type GuestMessage, type HostMessage } from '../../builtins/desktop/remote/guest-protocol.ts';

export interface MirroredWindow {
  readonly page: Page;
  readonly token: string;
  readonly plugin: any;
  state: WindowState;
  readonly restored: number;
  readonly sessions: number;
  /** Protocol methods that the plugin sent to the page. */
  readonly sent: string[];
  closeWindow(): void;
  close(): Promise<void>;
}

const size = { width: 800, height: 600 };

export async function openMirroredWindow(browser: Browser, html: string): Promise<MirroredWindow> {
  const context = await browser.newContext({ viewport: size });
  const page = await context.newPage();
  await page.setContent(html);
  const gone = new AbortController();
  const token = 'w'.repeat(64);
  const principal = { kind: 'owner', id: 'desktop-window', role: 'owner' } as const;
  const sent: string[] = [];
  let state: WindowState = 'normal';
  let restored = 0;
  let sessions = 0;
  const window: OpenWindow = {
    closed: gone.signal,
    geometry: async () => ({ ...(page.viewportSize() ?? size), scale: 1 }),
    state: async () => state,
    restore: async () => {
      restored++;
      state = 'normal';
    },
    async session() {
      const session = await context.newCDPSession(page);
      sessions++;
      return {
        send(method, params) {
          sent.push(method);
          return session.send(method as never, params as never);
        },
        on: (event, listener) => void session.on(event as never, listener as never),
        off: (event, listener) => void session.off(event as never, listener as never),
        async detach() {
          sessions--;
          await session.detach();
        },
      };
    },
  };
  const desktopWindow = {
    current: () => (gone.signal.aborted ? undefined : window),
    open: async () => window,
    isPage: ({ id }: { readonly id: string }) => id === principal.id,
    watch(listener: (one: OpenWindow) => void) {
      if (!gone.signal.aborted) listener(window);
      return () => undefined;
    },
  };
  return {
    page,
    sent,
    token,
    get state() {
      return state;
    },
    set state(next) {
      state = next;
    },
    get restored() {
      return restored;
    },
    get sessions() {
      return sessions;
    },
    plugin: {
      manifest: { name: 'desktop-window', provides: ['desktopWindow'] },
      register(registry: any) {
        registry.provide('desktopWindow', () => desktopWindow);
        registry.add('token_source', { name: 'window', identify: (text: string) => (text === token ? principal : undefined), isSetUp: () => false });
      },
    },
    closeWindow: () => gone.abort(),
    close: () => context.close(),
  };
}

export interface TestFrame extends FrameHeader {
  readonly jpeg: Buffer;
  readonly at: number;
}

export interface TestGuest {
  readonly socket: WebSocket;
  readonly frames: TestFrame[];
  readonly messages: HostMessage[];
  readonly closed: Promise<number>;
  say(message: GuestMessage): void;
  /** Sends an input for the newest frame. Returns its number. */
  input(input: Record<string, unknown>): number;
  /** Resolves with the first matching frame or message, past or future. */
  frame(fits?: (frame: TestFrame) => boolean): Promise<TestFrame>;
  message<T extends HostMessage['type']>(type: T, fits?: (message: Extract<HostMessage, { type: T }>) => boolean): Promise<Extract<HostMessage, { type: T }>>;
  /** Presses and releases the left button. @param at position from 0 to 1 */
  click(at: { readonly x: number; readonly y: number }): number;
  close(): void;
}

/** @param url URL of the listener for viewers */
export async function joinAsGuest(url: string, code: string, name = 'Phone'): Promise<string> {
  const reply = await fetch(`${url}/remote/join`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code, name }) });
  const body = (await reply.json()) as { token: string };
  if (reply.status !== 200) throw Object.assign(new Error(`joining was refused: ${reply.status}`), { status: reply.status, body });
  return body.token;
}

export async function watchAsGuest(url: string, token: string, { acks = true }: { readonly acks?: boolean } = {}): Promise<TestGuest> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/remote/ui/stream?join=${token}`, { headers: { origin: url } });
  const frames: TestFrame[] = [];
  const messages: HostMessage[] = [];
  const waiting = new Set<() => void>();
  const closed = once(socket, 'close').then(([code]) => code as number);
  let n = 0;
  socket.on('message', (content: Buffer, isBinary) => {
    if (isBinary) {
      const header = readFrameHeader(content);
      if (!header) throw new Error('no frame');
      frames.push({ ...header, jpeg: Buffer.from(content.subarray(32)), at: Date.now() });
      if (acks) say({ type: 'ack', seq: header.seq });
    } else messages.push(JSON.parse(String(content)) as HostMessage);
    for (const look of waiting) look();
  });
  const say = (message: GuestMessage): void => socket.send(writeMessage(message));
  const find = <T>(all: readonly T[], fits: (one: T) => boolean, what: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`${what} did not come; there are ${frames.length} frames and ${JSON.stringify(messages.slice(-5))}`));
      }, 15_000);
      const look = (): void => {
        const found = all.find(fits);
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  await once(socket, 'open');
  const guest: TestGuest = {
    ...{ socket, frames, messages, closed, say },
    input(input) {
      const newest = frames.at(-1);
      n++;
      socket.send(JSON.stringify({ v: 1, n, seq: newest?.seq ?? 0, geometry: newest?.geometry ?? 0, ...input }));
      return n;
    },
    click(at) {
      guest.input({ type: 'down', ...at, button: 'left', clickCount: 1, modifiers: 0 });
      return guest.input({ type: 'up', ...at, button: 'left', clickCount: 1, modifiers: 0 });
    },
    frame: (fits = () => true) => find(frames, fits, 'the frame'),
    message: (type, fits = () => true) => find(messages, (one) => one.type === type && fits(one as never), `the message '${type}'`) as never,
    close: () => socket.close(),
  };
  return guest;
}
