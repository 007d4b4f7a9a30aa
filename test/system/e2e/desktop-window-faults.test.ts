// Tests the desktop window and its viewers under faults: minimising, crashes, navigation, a stale profile lock.
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { CdpSession, OpenWindow } from 'agent-harness/builtins/desktop/desktop-window';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { findBrowser } from '../../helpers/browser.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { joinAsGuest, watchAsGuest, type TestGuest } from '../../helpers/mirrored-window.ts';
import { hasProgram, testWith } from '../../helpers/programs-needed.ts';
import { openScreen, type VirtualScreen } from '../../helpers/virtual-screen.ts';
import { manageWindows, type WindowManager } from '../../helpers/window-manager.ts';
import { commandLine, windowFolder, windowProcesses } from '../../helpers/window-processes.ts';

const test = testWith('Xvfb');
const canRun = hasProgram('Xvfb') || process.env['CI'] === 'true';

describe('desktop window under faults', () => {
  let screen: VirtualScreen;
  let manager: WindowManager;
  let harness: Harness;
  let personHome: string;
  let environment: Record<string, string>;
  let window: OpenWindow;
  let page: CdpSession;
  const guests: TestGuest[] = [];

  beforeAll(async () => {
    if (!canRun) return;
    screen = await openScreen();
    manager = await manageWindows(screen.display);
    personHome = await mkdtemp(join(tmpdir(), 'desktop-person-'));
    const programs = join(personHome, 'bin');
    await mkdir(programs);
    for (const name of ['xdg-open', 'notify-send']) {
      await writeFile(join(programs, name), `#!/bin/sh\necho "$@" >>'${join(personHome, name)}'\n`);
      await chmod(join(programs, name), 0o755);
    }
    harness = await startHarness({
      environment: { AGENT_DESKTOP_BROWSER_PATH: findBrowser() ?? '', APP_REMOTE_BIND_HOST: '127.0.0.1', AGENT_PERSONA_BOOTSTRAP: '0' },
    });
    environment = { DISPLAY: screen.display, HOME: personHome, PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}` };
    // Simulates the stale lock of a dead process after a power loss, with an outdated host name.
    const profile = join(windowFolder(harness.home), 'profile');
    await mkdir(profile, { recursive: true });
    await symlink('another-name-4194000', join(profile, 'SingletonLock'));
    await symlink('/tmp/org.chromium.Chromium.nowhere/SingletonSocket', join(profile, 'SingletonSocket'));
    window = await harness.kernel.resolve('desktopWindow').open({ environment });
    page = await window.session();
  });
  afterEach(() => guests.splice(0).forEach((guest) => guest.close()));
  afterAll(async () => {
    if (!canRun) return;
    await harness.close();
    manager.close();
    await screen.close();
    await rm(personHome, { recursive: true, force: true, maxRetries: 5 });
  });

  const saidBy = (program: string): Promise<string> => readFile(join(personHome, program), 'utf8').catch(() => '');
  async function evaluate(expression: string): Promise<any> {
    const { result } = await page.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true, userGesture: true });
    return result.value;
  }
  async function put(html: string): Promise<void> {
    await evaluate(`(() => {
      document.querySelector('#put')?.remove();
      const box = Object.assign(document.createElement('div'), { id: 'put', innerHTML: ${JSON.stringify(html)} });
      box.style.cssText = 'position:fixed;left:0;top:0;width:300px;height:300px;z-index:9999;background:white';
      box.firstElementChild.style.cssText = 'display:block;width:300px;height:300px';
      document.body.append(box);
    })()`);
  }
  async function press(): Promise<void> {
    const mouse = { x: 150, y: 150, button: 'left', clickCount: 1 };
    await page.send('Input.dispatchMouseEvent', { ...mouse, type: 'mousePressed', buttons: 1 });
    await page.send('Input.dispatchMouseEvent', { ...mouse, type: 'mouseReleased', buttons: 0 });
  }
  const isShown = (): Promise<unknown> => expect.poll(() => evaluate("document.querySelector('textarea')?.offsetHeight > 0")).toBe(true);
  /** Resolves after the page has crashed. Waits for the page first, because the browser cannot crash a page during navigation. */
  async function crash(): Promise<void> {
    await isShown();
    const crashed = new Promise<void>((resolve) => page.on('Inspector.targetCrashed', () => resolve()));
    const refused = page.send('Page.crash').catch((fault: Error) => {
      if (!/Target crashed|browser has ended/i.test(fault.message)) throw fault;
      return crashed;
    });
    await Promise.race([crashed, refused]);
  }

  async function comeToControl(): Promise<TestGuest> {
    const code = (await harness.call('POST', '/api/remote', { role: 'control', transport: 'lan' })).body;
    const origin = new URL(code.urls[0]).origin;
    const guest = await watchAsGuest(origin, await joinAsGuest(origin, code.code));
    guests.push(guest);
    await guest.frame();
    const { guestId } = await guest.message('welcome');
    await harness.call('POST', `/api/remote/guests/${guestId}`, { allow: true });
    await guest.message('state', ({ mayControl }) => mayControl);
    return guest;
  }
  /** Resolves with a frame sent after a visible change of the page. */
  async function framesGoOn(guest: TestGuest): Promise<void> {
    const count = guest.frames.length;
    // Placed on top, because the edge of the body is outside the picture.
    await put(`<p>Frame ${count}</p>`);
    await guest.frame((frame) => guest.frames.indexOf(frame) >= count && !frame.isStill);
  }

  test('opens despite a stale profile lock', async () => {
    await isShown();
    expect(await window.state()).toBe('normal');
  });

  test('reports a minimised window to viewers and restores it for a viewer with control', async () => {
    const { windowId } = await page.send('Browser.getWindowForTarget');
    const minimise = (): Promise<unknown> => page.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'minimized' } });
    await minimise();
    await expect.poll(() => evaluate('document.visibilityState')).toBe('hidden');
    await window.restore();
    await expect.poll(() => evaluate('document.visibilityState')).toBe('visible');
    const guest = await comeToControl();
    await guest.message('state', ({ host }) => host === 'shown');
    await minimise();
    await guest.message('state', ({ host }) => host === 'minimized');
    expect(await window.state()).toBe('minimized');
    const told = guest.messages.length;
    guest.input({ type: 'restore' });
    await guest.message('state', (message) => guest.messages.indexOf(message) >= told && message.host === 'shown');
    expect(await window.state()).toBe('normal');
    await framesGoOn(guest);
  });

  test.each(['by itself', 'by the system'])('reloads a page that crashed %s with a notice and continues the frames of its viewers', async (how) => {
    const guest = await comeToControl();
    const { geometry } = await guest.frame();
    await evaluate('void (globalThis.isOld = true)');
    const notices = (await saidBy('notify-send')).length;
    if (how === 'by itself') await crash();
    else for (const pid of await windowProcesses(harness.home)) if (commandLine(pid).includes('--type=renderer')) process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await saidBy('notify-send')).slice(notices)).toMatch(/crashed and was reloaded/);
    await isShown();
    expect(await evaluate('globalThis.isOld')).toBeUndefined();
    await guest.frame((frame) => frame.geometry > geometry);
    await framesGoOn(guest);
  });

  test('blocks a link opened by a viewer and notifies the host, but opens the link for the host', async () => {
    const guest = await comeToControl();
    await put('<button>read on</button>');
    await evaluate("document.querySelector('#put button').addEventListener('click', () => window.open('https://sly.example/'))");
    const { width, height } = await window.geometry();
    guest.click({ x: 150 / width, y: 150 / height });
    await expect.poll(() => saidBy('notify-send')).toContain('sly.example');
    expect(await saidBy('xdg-open')).toBe('');
    const pages = async (): Promise<number> => (await page.send('Target.getTargets')).targetInfos.filter((one: any) => one.type === 'page').length;
    await expect.poll(pages).toBe(1);
    guest.close();
    const opened = async (): Promise<string> => {
      await press();
      return saidBy('xdg-open');
    };
    await expect.poll(opened, { interval: 500 }).toContain('https://sly.example/');
  });

  test('stores downloads in the user’s folder under safe and unique names', async () => {
    const downloads = join(personHome, 'Downloads');
    async function keep(name: string, text: string): Promise<void> {
      await put(`<a download="${name}" href="data:text/plain,${text}">keep</a>`);
      await press();
    }
    const at = (name: string): Promise<string> => readFile(join(downloads, name), 'utf8').catch(() => '');
    await keep('same.txt', 'first');
    await expect.poll(() => at('same.txt')).toBe('first');
    await keep('same.txt', 'second');
    await expect.poll(() => at('same (1).txt')).toBe('second');
    expect(await at('same.txt')).toBe('first');
    await keep('../../.bashrc', 'evil');
    await expect.poll(() => Promise.all([at('.._.._.bashrc'), at('_.._.bashrc'), at('bashrc')])).toContain('evil');
    await expect(readFile(join(personHome, '.bashrc'))).rejects.toThrow('ENOENT');
  });

  test('opens a file chooser at the host', async () => {
    await page.send('Page.enable');
    await page.send('Page.setInterceptFileChooserDialog', { enabled: true });
    const opened = new Promise<string>((resolve) => page.on('Page.fileChooserOpened', ({ mode }) => resolve(mode)));
    await put('<input type="file" multiple>');
    await press();
    expect(await opened).toBe('selectMultiple');
    await page.send('Page.setInterceptFileChooserDialog', { enabled: false });
  });

  test('stops reloading a page that crashes repeatedly, notifies the user and keeps the window open', async () => {
    const told = async (from: number): Promise<string> => (await saidBy('notify-send')).slice(from);
    let last = '';
    // Crashes of earlier tests may count.
    for (let count = 0; count < 4 && !last.includes('crashes repeatedly'); count++) {
      const from = (await saidBy('notify-send')).length;
      await crash();
      await expect.poll(() => told(from)).toMatch(/was reloaded|crashes repeatedly/);
      last = await told(from);
    }
    expect(last).toContain('The page of the window crashes repeatedly. Close the window and open it again.');
    expect([window.closed.aborted, await window.state()]).toEqual([false, 'normal']);
  }, 90_000);
});
