// Tests the desktop window in a real browser on a virtual screen.
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { CdpSession, OpenWindow } from 'agent-harness/builtins/desktop/desktop-window';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { findBrowser } from '../../helpers/browser.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { hasProgram, testWith } from '../../helpers/programs-needed.ts';
import { openScreen, type VirtualScreen } from '../../helpers/virtual-screen.ts';
import { commandLine, listeningAt, windowLeader, windowProcesses } from '../../helpers/window-processes.ts';

const test = testWith('Xvfb');
const canRun = hasProgram('Xvfb') || process.env['CI'] === 'true';

describe('desktop window', () => {
  let screen: VirtualScreen;
  let harness: Harness;
  let personHome: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    if (!canRun) return;
    screen = await openScreen();
    personHome = await mkdtemp(join(tmpdir(), 'desktop-person-'));
    const programs = join(personHome, 'bin');
    await mkdir(programs);
    await writeFile(join(programs, 'xdg-open'), `#!/bin/sh\necho "$1" >>'${personHome}/opened'\n`);
    await chmod(join(programs, 'xdg-open'), 0o755);
    harness = await startHarness({ environment: { AGENT_DESKTOP_BROWSER_PATH: findBrowser() ?? '' } });
    environment = { DISPLAY: screen.display, HOME: personHome, PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}` };
  });
  afterAll(async () => {
    if (!canRun) return;
    await harness.close();
    await screen.close();
    await rm(personHome, { recursive: true, force: true, maxRetries: 5 });
  });

  const desktop = () => harness.kernel.resolve('desktopWindow');
  const open = (chatId?: string): Promise<OpenWindow> => desktop().open({ environment, ...(chatId === undefined ? {} : { chatId }) });
  const clients = async (): Promise<number> => (await harness.call('GET', '/api/status')).body.clients;
  const gone = (window: OpenWindow): Promise<unknown> => expect.poll(() => window.closed.aborted).toBe(true);
  async function evaluate(page: CdpSession, expression: string, more: object = {}): Promise<any> {
    const { result } = await page.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true, ...more });
    return result.value;
  }

  test('shows the signed-in page without a token in its address, with the required permissions', async () => {
    const window = await open();
    await expect.poll(clients).toBe(1);
    const page = await window.session();
    await expect.poll(() => evaluate(page, 'history.length')).toBe(1);
    const facts = await evaluate(
      page,
      `(async () => ({
      address: location.href, cookies: document.cookie, referrer: document.referrer, notifications: Notification.permission,
      microphone: (await navigator.permissions.query({ name: 'microphone' })).state, clipboard: (await navigator.permissions.query({ name: 'clipboard-read' })).state,
      camera: (await navigator.permissions.query({ name: 'camera' })).state, workers: (await navigator.serviceWorker.getRegistrations()).length,
    }))()`,
    );
    expect(facts).toMatchObject({ cookies: '', notifications: 'granted', microphone: 'granted', clipboard: 'granted', workers: 0 });
    expect(facts.camera).not.toBe('granted');
    expect(facts.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/(#|$)/);
    expect(JSON.stringify(facts)).not.toContain(harness.token);
    expect(await window.geometry()).toMatchObject({ width: expect.any(Number), scale: 1 });
    expect(await window.state()).toBe('normal');
    await page.detach();
  });

  test('drives the browser through pipes, without a port, automation flags or server variables', async () => {
    await open();
    const pids = await windowProcesses(harness.home);
    const lines = pids.map(commandLine).join('\n');
    expect(lines).not.toMatch(/remote-debugging-port|enable-automation/);
    if (process.getuid?.() !== 0) expect(lines).not.toContain('--no-sandbox');
    expect(listeningAt(pids)).toEqual([]);
    // The browser does not inherit the variables of the server, such as API keys.
    for (const pid of pids) expect(await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).not.toContain('AGENT_');
  });

  test('reuses the open window and navigates it to the requested chat', async () => {
    const first = await open();
    const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
    expect(await open(chatId)).toBe(first);
    const page = await first.session();
    await expect.poll(() => evaluate(page, 'location.hash')).toBe(`#/chat/${chatId}`);
    await page.detach();
  });

  test('opens external addresses in the default browser and keeps the page', async () => {
    const window = await open();
    const page = await window.session();
    const opened = async (): Promise<string[]> => (await readFile(join(personHome, 'opened'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
    const link = `Object.assign(document.createElement('a'), { href: 'https://one.example/a?b=c', target: '_blank', rel: 'noopener noreferrer' })`;
    await evaluate(page, `document.body.appendChild(${link}).click()`, { userGesture: true });
    await expect.poll(opened).toEqual(['https://one.example/a?b=c']);
    await evaluate(page, "void window.open('https://window.example/', '_blank', 'noopener')", { userGesture: true });
    await expect.poll(async () => (await opened()).length).toBe(2);
    await evaluate(page, "void (location.href = 'https://two.example/')", { userGesture: true });
    await expect.poll(opened).toEqual(['https://one.example/a?b=c', 'https://window.example/', 'https://two.example/']);
    const others = async (): Promise<string[]> =>
      (await page.send('Target.getTargets')).targetInfos.filter((one: any) => one.type === 'page').map((one: any) => one.url);
    await expect.poll(others).toHaveLength(1);
    expect(await evaluate(page, 'location.origin')).toBe(harness.url);
    expect(await evaluate(page, "fetch('https://three.example/').then(() => 'reached', () => 'not reached')")).toBe('not reached');
    await page.detach();
  });

  test('reopens at its previous position, also after a token rotation', async () => {
    const first = await open();
    const page = await first.session();
    const bounds = { left: 120, top: 90, width: 900, height: 700 };
    const { windowId } = await page.send('Browser.getWindowForTarget');
    await page.send('Browser.setWindowBounds', { windowId, bounds });
    await expect.poll(async () => (await page.send('Browser.getWindowForTarget')).bounds).toMatchObject(bounds);
    await page.send('Page.close').catch(() => undefined); // Closes like a user. The reply may never arrive.
    await gone(first);
    expect(desktop().current()).toBeUndefined();
    await harness.kernel.resolve('webToken').rotate();
    const opened: OpenWindow[] = [];
    const stop = desktop().watch((window) => opened.push(window));
    const second = await open();
    stop();
    expect(opened).toEqual([second]);
    const again = await second.session();
    expect((await again.send('Browser.getWindowForTarget')).bounds).toMatchObject(bounds);
    // The window has a token of its own, so that its actions differ from those of other devices.
    const held = (): Promise<string | undefined> => evaluate(again, "document.querySelector('meta[name=app-web-auth]')?.content");
    await expect.poll(held).toMatch(/^[0-9a-f]{64}$/);
    const token = (await held()) ?? '';
    expect(token).not.toBe(await harness.kernel.resolve('webToken').current());
    expect((await harness.call('GET', '/api/status', undefined, { authorization: `Bearer ${token}` })).status).toBe(200);
    expect([desktop().isPage({ kind: 'owner', id: 'desktop-window' } as never), desktop().isPage({ kind: 'owner', id: 'owner' } as never)]).toEqual([
      true,
      false,
    ]);
    await again.detach();
  });

  test('leaves no process and no locked profile after the browser was killed', async () => {
    const first = await open();
    process.kill((await windowLeader(harness.home)) as number, 'SIGKILL');
    await gone(first);
    await expect.poll(() => windowProcesses(harness.home)).toEqual([]);
    const second = await open();
    expect(second.closed.aborted).toBe(false);
    expect(await second.state()).toBe('normal');
  });
});
