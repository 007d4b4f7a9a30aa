// Implements the service `desktopWindow`: opens one window on first use.
import type { KernelError } from 'agent-harness/kernel';
import type { DesktopWindow, OpenWindow, WindowOptions } from 'agent-harness/builtins/desktop/desktop-window';
import { findChromium, chromiumPlaces } from '#lib/chromium';
import { messageOf } from '#lib/errors';
import { oneLine } from '#lib/text';
import type { Http, HttpAddress, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';
import type { Launched } from './launch-window.ts';
import type { OwnedWindow } from './open-window.ts';
import type { PageToken } from './page-token.ts';

export type Reason = 'NO_BROWSER' | 'NO_SCREEN' | 'NO_PAGE' | 'NOT_LISTENING' | 'NOT_OPENED' | 'NOT_LOCAL' | 'LINK_UNKNOWN';
export type MakeError = (reason: Reason, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;

export interface WindowPorts {
  readonly services: { readonly http: Http; readonly webToken: WebToken; readonly product: Product };
  readonly pageToken: PageToken;
  /** Folder that contains the browser profile. */
  readonly folder: string;
  /** Browser program that the user chose; if empty, the usual paths are searched. */
  program(): string;
  readonly makeError: MakeError;
  warn(message: string): void;
  /** Returns why an external address must not open in the user's browser; `undefined` if it may. */
  mayOpen(url: string): Promise<string | undefined>;
}

export interface OwnedDesktopWindow extends DesktopWindow {
  /** Announces that a window will be needed as soon as the server listens. */
  expect(): void;
  /** Marks this process as the server of its home folder, which owns the browser profile; starts the browser now if a window is expected. */
  begin(): void;
  /** Resolves when all browser processes have ended. */
  close(): Promise<void>;
}

export function createDesktopWindow(ports: WindowPorts): OwnedDesktopWindow {
  const { services, pageToken, makeError } = ports;
  const listeners = new Set<(window: OpenWindow) => void>();
  let current: OwnedWindow | undefined;
  let opening: Promise<OwnedWindow> | undefined;
  /** Resolves when the processes of the previous window have ended. */
  let ending: Promise<void> = Promise.resolve();

  let isExpected = false;
  let begun: Promise<Launched> | undefined;
  /** The last started browser. */
  let browser: Promise<Launched> | undefined;

  async function launch(screen: Readonly<Record<string, string>>): Promise<Launched> {
    const [{ launchWindow }, { browserEnvironment, hasScreen }] = await Promise.all([import('./launch-window.ts'), import('./screen.ts')]);
    const environment = browserEnvironment(process.env, screen);
    if (!hasScreen(environment, process.platform)) throw makeError('NO_SCREEN');
    const program = await findBrowser(ports);
    await ending;
    const { name, title } = services.product;
    const host = new URL(originOf(services.http.address())).hostname;
    browser = launchWindow({ ...{ program, folder: ports.folder, className: name, title, environment, host }, warn: ports.warn });
    return explained(program, browser);
  }

  async function explained<T>(program: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (cause) {
      throw makeError('NOT_OPENED', { program, why: messageOf(cause) }, cause);
    }
  }

  async function start({ chatId, environment = {} }: WindowOptions): Promise<OwnedWindow> {
    const address = services.http.address();
    if (!address) throw makeError('NOT_LISTENING');
    if (!services.http.has('GET /')) throw makeError('NO_PAGE');
    const coming = begun ?? launch(environment);
    begun = undefined;
    const [launched, { openWindow }, outside, { browserEnvironment }] = await Promise.all([
      coming,
      ...([import('./open-window.ts'), import('./external-links.ts'), import('./screen.ts')] as const),
    ]);
    const session = browserEnvironment(process.env, environment);
    const report = (text: string): void => {
      ports.warn(text);
      outside.notify(services.product.title, text, session);
    };
    const request = {
      origin: originOf(address),
      place: placeOf(chatId),
      token: () => pageToken.text,
      tell: report,
      openOutside(url: string) {
        const open = (refused: string | undefined): void =>
          refused === undefined ? outside.openExternal(url, session, ports.warn) : report(`${oneLine(url, 200)} was not opened: ${refused}`);
        ports.mayOpen(url).then(open, (fault: unknown) => open(messageOf(fault)));
      },
    };
    return explained('the browser', openWindow(launched, request));
  }

  async function openFirst(options: WindowOptions): Promise<OwnedWindow> {
    const window = await start(options);
    current = window;
    ending = window.ended;
    const forget = (): void => void (current === window && (current = undefined));
    if (window.closed.aborted) forget();
    else window.closed.addEventListener('abort', forget, { once: true });
    for (const listener of [...listeners]) listener(window);
    return window;
  }

  return {
    expect: () => void (isExpected = true),
    begin() {
      if (!isExpected || !services.http.has('GET /')) return;
      isExpected = false;
      begun = launch({});
      begun.catch(() => undefined); // the code that opens the window reports the error
    },
    current: () => current,
    async open(options = {}) {
      if (!current && !opening) {
        opening = openFirst(options).finally(() => (opening = undefined));
        return opening;
      }
      const window = current ?? (await opening);
      if (!window) throw makeError('NOT_OPENED', { program: 'the browser', why: 'it was closed in the meantime.' });
      if (options.chatId !== undefined) await window.show(placeOf(options.chatId));
      await window.restore();
      return window;
    },
    isPage: (principal) => pageToken.owns(principal),
    watch(listener) {
      listeners.add(listener);
      if (current) listener(current);
      return () => void listeners.delete(listener);
    },
    async close() {
      begun = undefined;
      // Also closes a browser that is still starting; its start then fails.
      await (await browser?.catch(() => undefined))?.close();
      await opening?.catch(() => undefined);
      await ending;
    },
  };
}

export async function findBrowser({ program, makeError }: Pick<WindowPorts, 'program' | 'makeError'>): Promise<string> {
  const configured = program();
  const found = await findChromium(configured);
  if (found !== undefined) return found;
  const places = configured === '' ? chromiumPlaces(process.platform, process.env) : [configured];
  throw makeError('NO_BROWSER', { places: places.join(', '), install: howToInstall(process.platform) });
}

export function howToInstall(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return "'brew install --cask chromium', or Chrome from https://www.google.com/chrome";
  if (platform === 'win32') return "'winget install Google.Chrome'; Edge comes with the system";
  return "'sudo apt install chromium' (Debian), 'sudo dnf install chromium' (Fedora), 'sudo pacman -S chromium' (Arch), 'sudo snap install chromium' (Ubuntu)";
}

/** Replaces a wildcard address, which a browser cannot open, with the loopback address. */
function originOf(address: HttpAddress | undefined): string {
  const isOwn = address === undefined || ['0.0.0.0', '::', '127.0.0.1', 'localhost'].includes(address.host);
  return isOwn ? `http://127.0.0.1:${address?.port ?? 0}` : address.url;
}

const placeOf = (chatId: string | undefined): string => (chatId === undefined ? '' : `/chat/${encodeURIComponent(chatId)}`);
