// Provides a server with a mirrored window and viewers, for tests that share one browser.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { findBrowser, launchBrowser, missingBrowser } from '../../helpers/browser.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { joinAsGuest, openMirroredWindow, watchAsGuest, type MirroredWindow, type TestGuest } from '../../helpers/mirrored-window.ts';

const html = `<!doctype html><style>body{margin:0;font:20px sans-serif} button,input{position:absolute;left:0;width:400px;height:100px}</style>
<button id=free style="top:0" onclick="this.textContent = 'pressed ' + (++presses)">press</button>
<button id=own style="top:100px" data-guest="refuse" onclick="document.title='approved'">approve</button>
<input id=field style="top:200px"><script>let presses = 0</script>`;
export const free = { x: 0.25, y: 50 / 600 };
export const own = { x: 0.25, y: 150 / 600 };
export const field = { x: 0.25, y: 250 / 600 };

export interface RemoteWorld {
  readonly harness: Harness;
  readonly window: MirroredWindow;
  open(role?: string, more?: object): Promise<any>;
  endpointOf(code: any): string;
  state(): Promise<any>;
  come(code: any, options?: Parameters<typeof watchAsGuest>[2]): Promise<TestGuest>;
  /** A viewer with control that has received a frame. */
  comeToControl(options?: Parameters<typeof watchAsGuest>[2]): Promise<TestGuest>;
}

/** Creates a new world for each test of the file. */
export function useRemoteWorld(modules: Record<string, any> = {}, builtins: readonly string[] = []): RemoteWorld {
  if (findBrowser() === undefined) throw new Error(missingBrowser);
  let browser: Browser;
  let harness: Harness;
  let window: MirroredWindow;
  const guests: TestGuest[] = [];
  beforeAll(async () => void (browser = await launchBrowser()));
  afterAll(() => browser.close());
  beforeEach(async () => {
    window = await openMirroredWindow(browser, html);
    const environment = { APP_REMOTE_BIND_HOST: '127.0.0.1', APP_REMOTE_TTL_MS: '3600000' };
    harness = await startHarness({ builtins: ['model-demo', 'remote', ...builtins], environment, modules: { 'desktop-window': window.plugin, ...modules } });
  });
  afterEach(async () => {
    for (const guest of guests.splice(0)) guest.close();
    await harness.close();
    await window.close();
  });

  const world: RemoteWorld = {
    get harness() {
      return harness;
    },
    get window() {
      return window;
    },
    open: async (role = 'view', more = {}) => (await harness.call('POST', '/api/remote', { role, transport: 'lan', ...more })).body,
    endpointOf: (code) => new URL(code.urls[0]).origin,
    state: async () => (await harness.call('GET', '/api/remote')).body,
    async come(code, options) {
      const guest = await watchAsGuest(world.endpointOf(code), await joinAsGuest(world.endpointOf(code), code.code), options);
      guests.push(guest);
      return guest;
    },
    async comeToControl(options) {
      const guest = await world.come(await world.open('control'), options);
      await guest.frame();
      const { guestId } = await guest.message('welcome');
      await harness.call('POST', `/api/remote/guests/${guestId}`, { allow: true });
      await guest.message('state', ({ mayControl }) => mayControl);
      return guest;
    },
  };
  return world;
}
