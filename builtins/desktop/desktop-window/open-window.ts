// Implements the window: signs in its page, prevents navigation to other pages, and reports when it ends.
import type { CdpSession, OpenWindow, WindowState } from 'agent-harness/builtins/desktop/desktop-window';
import { openSession } from './cdp-session.ts';
import type { CdpEvent, CdpPipe } from './cdp-pipe.ts';
import type { Launched } from './launch-window.ts';

export interface WindowRequest {
  /** Origin of the server: `http://127.0.0.1:41234`. */
  readonly origin: string;
  /** Fragment of the page address, after `#`. */
  readonly place: string;
  /** Returns the token; read on each load of the page. */
  token(): string;
  openOutside(url: string): void;
  /** Shows the user a message outside the page. */
  tell(text: string): void;
}

export interface OwnedWindow extends OpenWindow {
  /** Resolves when all browser processes have ended. */
  readonly ended: Promise<void>;
  show(place: string): Promise<void>;
  close(): Promise<void>;
}

/** Permissions that the page has without a prompt; all others are denied. */
const granted = ['audioCapture', 'notifications', 'clipboardReadWrite', 'clipboardSanitizedWrite'];

/** Loads the page in a newly started browser, and closes the browser if that fails. Rejects with the reason, phrased as the end of a sentence. */
export async function openWindow(launched: Launched, request: WindowRequest): Promise<OwnedWindow> {
  try {
    return await furnish(launched, request);
  } catch (fault) {
    await launched.close();
    throw fault;
  }
}

async function furnish(launched: Launched, request: WindowRequest): Promise<OwnedWindow> {
  const { pipe } = launched;
  const { origin } = request;
  const closed = new AbortController();
  const targetId = await findPage(launched);
  const page = await openSession(pipe, targetId);
  const { outside, follow } = keepAtHome(launched, page, targetId, request);

  pipe.listen((event) => {
    if (event.method === 'Target.targetDestroyed' && (event.params as { targetId: string }).targetId === targetId) leave();
  });
  const ended = launched.ended.then(() => closed.abort());
  // On some systems, the browser keeps running without a window.
  function leave(): void {
    closed.abort();
    void launched.close();
  }

  page.on('Fetch.requestPaused', (paused: Paused) => void letIn(paused).catch(() => undefined)); // the page was closed during the call
  async function letIn({ requestId, request: { url, headers }, frameId }: Paused): Promise<void> {
    if (isPage(url, origin)) {
      const list = Object.entries({ ...headers, authorization: `Bearer ${request.token()}` }).map(([name, value]) => ({ name, value }));
      await page.send('Fetch.continueRequest', { requestId, headers: list });
    } else if (frameId === targetId && outside(url)) await page.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    else await page.send('Fetch.continueRequest', { requestId });
  }

  page.on('Inspector.targetCrashed', reloader(page, request));
  await Promise.all([
    pipe.send('Browser.grantPermissions', { origin, permissions: granted }),
    page.send('Page.enable'),
    page.send('Inspector.enable'),
    page.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }] }),
    // The window ends with the server, so the page does not have to handle a missing server.
    page.send('Page.addScriptToEvaluateOnNewDocument', {
      source: "if ('serviceWorker' in navigator) navigator.serviceWorker.register = () => new Promise(() => {});",
    }),
  ]);
  await goTo(page, `${origin}/${request.place === '' ? '' : `#${request.place}`}`);
  follow();
  bringOntoScreen(pipe, page, targetId).catch(() => undefined); // closed during the call

  const bounds = async () => (await pipe.send('Browser.getWindowForTarget', { targetId })) as { windowId: number; bounds: { windowState: WindowState } };
  return {
    closed: closed.signal,
    ended,
    session: () => openSession(pipe, targetId),
    async geometry() {
      const asked = { expression: '[innerWidth, innerHeight, devicePixelRatio]', returnByValue: true };
      const { result } = (await page.send('Runtime.evaluate', asked)) as { result: { value: [number, number, number] } };
      const [width, height, scale] = result.value;
      return { width, height, scale };
    },
    state: async () => (await bounds()).bounds.windowState,
    async restore() {
      const { windowId, bounds: now } = await bounds();
      if (now.windowState === 'minimized') await pipe.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } });
      await page.send('Page.bringToFront');
    },
    show: (place) => goTo(page, `${origin}/#${place}`),
    close: () => launched.close(),
  };
}

const crashes = { most: 3, withinMs: 60_000 };

/** Reloads a crashed page, unless it crashes repeatedly. */
function reloader(page: CdpSession, { tell }: WindowRequest): () => void {
  let latest: number[] = [];
  return () => {
    latest = [...latest.filter((at) => performance.now() - at < crashes.withinMs), performance.now()];
    if (latest.length > crashes.most) return tell('The page of the window crashes repeatedly. Close the window and open it again.');
    page.send('Page.reload').then(
      () => tell('The page of the window crashed and was reloaded. Sent messages are kept.'),
      () => undefined, // closed during the call
    );
  };
}

interface Paused {
  readonly requestId: string;
  readonly frameId: string;
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
}

/** Returns whether the address is that of the page that may receive the token; other pages of this origin may not. */
function isPage(url: string, origin: string): boolean {
  return url === origin || url.startsWith(`${origin}/?`) || url.split('#', 1)[0] === `${origin}/`;
}

async function findPage({ pipe }: Launched): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = pipe.listen((event) => {
      const target = targetIn(event);
      if (target?.type !== 'page') return;
      stop();
      resolve(target.targetId);
    });
    pipe.send('Target.setDiscoverTargets', { discover: true }).catch(reject);
  });
}

interface Target {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

/** Returns the page that was created or changed; `undefined` for other events. */
function targetIn({ method, params }: CdpEvent): Target | undefined {
  const isOne = method === 'Target.targetCreated' || method === 'Target.targetInfoChanged';
  return isOne ? (params as { targetInfo: Target }).targetInfo : undefined;
}

async function goTo(page: CdpSession, url: string): Promise<void> {
  const { errorText } = (await page.send('Page.navigate', { url })) as { errorText?: string };
  if (errorText !== undefined) throw new Error(`the page could not be loaded (${errorText}).`);
}

/** Moves the window onto a screen, because its former screen may no longer exist. */
async function bringOntoScreen(pipe: CdpPipe, page: CdpSession, targetId: string): Promise<void> {
  const asked = { expression: '[screen.availLeft, screen.availTop, screen.availWidth, screen.availHeight, screenX, screenY, outerWidth]', returnByValue: true };
  const { result } = (await page.send('Runtime.evaluate', asked)) as { result: { value: [number, number, number, number, number, number, number] } };
  const [left, top, width, height, x, y, ownWidth] = result.value;
  // Enough of the top edge is visible for dragging the window.
  const isReachable = x + ownWidth > left + 100 && x < left + width - 100 && y > top - 50 && y < top + height - 50;
  if (isReachable) return;
  const { windowId } = (await pipe.send('Browser.getWindowForTarget', { targetId })) as { windowId: number };
  await pipe.send('Browser.setWindowBounds', { windowId, bounds: { left, top } });
}

/** Opens external addresses in the user's own browser, and keeps this window on its page. */
function keepAtHome({ pipe }: Launched, page: CdpSession, targetId: string, { origin, openOutside }: WindowRequest) {
  const isOurs = (url: string): boolean => url === origin || url.startsWith(`${origin}/`);
  /** Number of windows that were requested for external addresses and have not appeared yet. */
  let expected = 0;
  const seen = new Set<string>();

  function outside(url: string): boolean {
    if (isOurs(url) || !/^(https?|mailto):/i.test(url)) return false;
    openOutside(url);
    return true;
  }

  function judge(event: CdpEvent): void {
    const { type, url = '', targetId: id = '' } = targetIn(event) ?? {};
    if (type !== 'page' || id === targetId || seen.has(id)) return;
    const end = (): void => {
      seen.add(id);
      pipe.send('Target.closeTarget', { targetId: id }).catch(() => undefined); // the page was closed during the call
    };
    if (event.method === 'Target.targetCreated' && expected > 0) {
      expected--;
      end();
    } else if (isPage(url, origin)) {
      // A second window would have no token.
      end();
      goTo(page, url).catch(() => undefined);
    } else if (outside(url)) end();
  }

  // Ignores windows that were requested without a click; the browser itself blocks these.
  page.on('Page.windowOpen', ({ url, userGesture }: { url: string; userGesture: boolean }) => void (userGesture && outside(url) && expected++));
  pipe.listen(judge);
  return {
    outside,
    /** Removes the empty page from the history, and restores the page after a navigation, such as when a file was dropped on the window. */
    follow(): void {
      const forget = (): void => {
        page.off('Page.loadEventFired', forget);
        page.send('Page.resetNavigationHistory').catch(() => undefined); // closed during the call
      };
      page.on('Page.loadEventFired', forget);
      page.on('Page.frameNavigated', ({ frame }: { frame: { parentId?: string; url: string } }) => {
        if (frame.parentId === undefined && /^(file|data):/.test(frame.url)) goTo(page, `${origin}/`).catch(() => undefined);
      });
    },
  };
}
