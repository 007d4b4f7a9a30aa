// Tests the remote viewer page on a phone against a scripted host: display, input and errors.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { frameHeaderBytes, writeFrameHeader, writeMessage, type FrameHeader, type HostMessage } from '../../../builtins/desktop/remote/guest-protocol.ts';
import { createGuestPageRoutes } from '../../../builtins/desktop/remote/guest-page.ts';
import { builtPage } from '../../../plugins/lib/page-files.ts';
import { closeContext, findBrowser, watchContext, type Watch } from '../../helpers/browser.ts';
import { root } from '../../helpers/sources.ts';
import { sharedBrowser } from '../../helpers/use-browser.ts';
import { axeFaults } from './axe-faults.ts';

const isMissing = findBrowser() === undefined && process.env['CI'] === undefined;
const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
let browser: Browser;
let jpeg: Buffer;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  if (isMissing) return;
  browser = await sharedBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent('<body style="margin:0;background:#fff"><div style="width:640px;height:800px;background:#c00000"></div></body>');
  jpeg = await page.screenshot({ type: 'jpeg', quality: 80 });
  await page.close();
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Starts a host with one valid code, `GOODCODE`. */
async function playHost(role: 'view' | 'control') {
  const routes = createGuestPageRoutes({
    title: () => 'Agent Harness',
    findFolder: () => builtPage(root, 'guest-web'),
    makeError: (reason) => Object.assign(new Error(reason), { status: 404 }) as never,
  });
  const joins: any[] = [];
  const received: any[] = [];
  const sockets: WebSocket[] = [];
  const server: Server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? '';
      if (request.method === 'POST') {
        let body = '';
        for await (const chunk of request) body += String(chunk);
        joins.push(JSON.parse(body));
        const isGood = joins.at(-1).code === 'GOODCODE';
        response.writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' });
        const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
        response.end(JSON.stringify(isGood ? { token: 't'.repeat(43), role, expiresAt } : { error: { code: 'code_wrong', message: 'That code is wrong.' } }));
        return;
      }
      const isAsset = path.startsWith('/remote/assets/');
      const route = routes[isAsset ? 1 : 0];
      const reply: any = await route?.handle({ headers: request.headers, params: { name: path.split('/').at(-1) } } as never);
      response
        .writeHead(200, { ...reply.headers, 'content-type': reply.type, ...(reply.encoding ? { 'content-encoding': reply.encoding } : {}) })
        .end(reply.content);
    })().catch(() => response.writeHead(404).end());
  });
  const socketServer = new WebSocketServer({ noServer: true });
  let letsIn = true;
  server.on('upgrade', (request, socket, head) => {
    if (!letsIn || !request.url?.includes(`join=${'t'.repeat(43)}`)) return void socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
    socketServer.handleUpgrade(request, socket, head, (made) => {
      sockets.push(made);
      made.on('message', (data) => {
        const message = JSON.parse((data as Buffer).toString());
        if (message.type === 'ping') say({ type: 'pong', at: message.at, hostAt: Date.now() });
        else received.push(message);
      });
      say({ type: 'welcome', role, name: 'Phone', guestId: 'g1', expiresAt: new Date(Date.now() + 3_600_000).toISOString(), heartbeatMs: 2_000 });
      say({ type: 'state', host: 'shown', guests: 1, mayControl: role === 'control', mayDecide: false });
      frame();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let seq = 0;
  const say = (message: HostMessage): void => sockets.at(-1)?.send(writeMessage(message));
  const frame = (header: Partial<FrameHeader> = {}): void => {
    const bytes = Buffer.alloc(frameHeaderBytes + jpeg.length);
    seq += 1;
    const size = { cssWidth: 1280, cssHeight: 800, imageWidth: 1280, imageHeight: 800 };
    writeFrameHeader(bytes, { isStill: false, isLast: false, seq, capturedAt: Date.now(), ...size, geometry: 4, ackedInput: 0, ...header });
    jpeg.copy(bytes, frameHeaderBytes);
    sockets.at(-1)?.send(bytes);
  };
  const host = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ joins, received, say, frame, sockets },
    shut: () => void (letsIn = false),
    async close() {
      for (const socket of sockets) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
    inputs: () => received.filter(({ type }) => type !== 'ack' && type !== 'view'),
  };
  open.push(host);
  return host;
}

async function visit(host: { readonly origin: string }, options = {}): Promise<{ readonly page: Page; readonly watch: Watch }> {
  const context: BrowserContext = await browser.newContext({ ...phone, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(30_000);
  const watch = await watchContext(context, host.origin);
  open.unshift({
    async close() {
      await closeContext(context);
      expect(watch.unexpected()).toEqual([]);
    },
  });
  return { page: await context.newPage(), watch };
}

async function join(host: Awaited<ReturnType<typeof playHost>>, options = {}) {
  const visited = await visit(host, options);
  const { page } = visited;
  await page.goto(`${host.origin}/remote/join#GOODCODE`);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  return visited;
}

const fits = (page: Page): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

test.skipIf(isMissing)('joins with a typed code or one from the address, and reports a wrong code', async () => {
  const host = await playHost('view');
  const { page, watch } = await visit(host);
  watch.expectFault(/401/);
  await page.goto(`${host.origin}/remote/join`);
  expect(await axeFaults(page)).toEqual([]);
  expect(await fits(page)).toBe(true);
  await page.getByLabel('Code').fill('bad-code');
  await page.getByLabel('Name of this device').fill('My phone');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('alert').getByText('That code is wrong.').waitFor();
  expect(host.joins).toEqual([{ code: 'BADCODE', name: 'My phone' }]);
  await page.goto('about:blank');
  await page.goto(`${host.origin}/remote/join#GOODCODE`);
  expect(page.url()).toBe(`${host.origin}/remote/join`);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  await page.touchscreen.tap(160, 300);
  await page.touchscreen.tap(160, 300);
  await expect.poll(() => page.getByRole('img').evaluate((one: HTMLElement) => one.style.transform)).toMatch(/scale\(1\)/);
  await expect.poll(() => host.received.some(({ type, width }) => type === 'view' && width === 1280)).toBe(true);
  expect(host.inputs()).toEqual([]);
});

test.skipIf(isMissing)('sends touch and text input for the shown frame and restores rejected text', async () => {
  const host = await playHost('control');
  const { page } = await join(host);
  expect(await axeFaults(page)).toEqual([]);
  expect(await fits(page)).toBe(true);
  const picture = page.getByRole('img', { name: /The window of the host/ });
  await expect
    .poll(() => picture.evaluate((one: HTMLCanvasElement) => [...(one.getContext('2d')?.getImageData(100, 100, 1, 1).data ?? [])].slice(0, 3)))
    .toEqual([expect.closeTo(192, -1), expect.closeTo(0, -1), expect.closeTo(0, -1)]);
  await expect.poll(() => host.received.some(({ type, seq }) => type === 'ack' && seq === 1)).toBe(true);

  const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.touchscreen.tap(box.x + box.width * 0.25, box.y + box.height * 0.5);
  await expect.poll(() => host.inputs().map(({ type }) => type)).toEqual(['move', 'down', 'up']);
  const down = host.inputs()[1];
  expect(down).toMatchObject({ v: 1, button: 'left', clickCount: 1, geometry: 4, seq: 1 });
  expect(down.x).toBeCloseTo(0.25, 2);
  expect(down.y).toBeCloseTo(0.5, 2);

  // Like an Android keyboard: the word is in the field while it is composed, and its key events have no names.
  const field = page.getByRole('textbox', { name: 'Text for the host' });
  await field.click();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', windowsVirtualKeyCode: 229, key: 'Process', code: '' });
  await cdp.send('Input.imeSetComposition', { text: '日本', selectionStart: 2, selectionEnd: 2 });
  expect(host.inputs()).toHaveLength(3);
  await cdp.send('Input.insertText', { text: '日本' });
  expect(await field.inputValue()).toBe('日本');
  await page.keyboard.press('Enter');
  await expect.poll(() => host.inputs().at(-1)).toMatchObject({ type: 'text', text: '日本' });
  expect(await field.inputValue()).toBe('');
  host.say({ type: 'refused', input: host.inputs().at(-1).n, reason: 'protected' });
  await page.getByText('The host does not allow viewers to use approvals, settings and similar controls. Your text is back in the field.').waitFor();
  expect(await field.inputValue()).toBe('日本');

  const before = host.inputs().length;
  await page.getByRole('button', { name: 'Backspace' }).tap();
  await expect
    .poll(() => host.inputs().slice(before))
    .toMatchObject([
      { type: 'key', key: 'Backspace', down: true },
      { type: 'key', key: 'Backspace', down: false },
    ]);
  expect(await field.evaluate((one) => document.activeElement === one)).toBe(true);
});

test.skipIf(isMissing)('scrolls the host by dragging, zooms locally with two fingers, and moves a pointer in trackpad mode', async () => {
  const host = await playHost('control');
  const { page } = await join(host);
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: string, ...touchPoints: { x: number; y: number; id: number }[]): Promise<unknown> =>
    cdp.send('Input.dispatchTouchEvent', { type: type as never, touchPoints });
  await touch('touchStart', { x: 160, y: 300, id: 0 });
  for (const y of [280, 260, 240]) await touch('touchMove', { x: 160, y, id: 0 });
  await touch('touchEnd');
  await expect.poll(() => host.inputs().reduce((sum, { type, dy }) => sum + (type === 'wheel' ? dy : 0), 0)).toBeCloseTo(60 / (320 / 1280));
  const scrolls = host.inputs().length;
  expect(host.inputs().every(({ type }) => type === 'wheel')).toBe(true);

  const picture = page.getByRole('img', { name: /The window of the host/ });
  const widthOf = async (): Promise<number> => (await picture.boundingBox())?.width ?? 0;
  const whole = await widthOf();
  await touch('touchStart', { x: 140, y: 300, id: 0 }, { x: 180, y: 300, id: 1 });
  await touch('touchMove', { x: 100, y: 300, id: 0 }, { x: 220, y: 300, id: 1 });
  await touch('touchMove', { x: 80, y: 300, id: 0 }, { x: 240, y: 300, id: 1 });
  await touch('touchEnd');
  await expect.poll(widthOf).toBeGreaterThan(whole * 2);
  expect(host.inputs()).toHaveLength(scrolls);
  await page.getByRole('button', { name: 'Show the whole window' }).click();
  await expect.poll(widthOf).toBeCloseTo(whole);

  await page.getByRole('button', { name: 'Trackpad' }).click();
  await touch('touchStart', { x: 100, y: 400, id: 0 });
  for (const x of [112, 124, 136]) await touch('touchMove', { x, y: 400, id: 0 });
  await touch('touchEnd');
  await page.touchscreen.tap(60, 200);
  await expect.poll(() => host.inputs().at(-1)?.type).toBe('up');
  const up = host.inputs().at(-1);
  expect(up.x).toBeGreaterThan(0.55);
  expect(up.y).toBeCloseTo(0.5, 1);
});

test.skipIf(isMissing)('shows a minimised window and an ended session as not live, and reconnects after a lost connection', async () => {
  const host = await playHost('control');
  const { page, watch } = await join(host);
  watch.expectFault(/WebSocket|401/);
  const app = page.getByRole('main');
  host.say({ type: 'state', host: 'minimized', guests: 1, mayControl: true, mayDecide: false });
  await page
    .locator('.veil-text')
    .getByText(/window is minimised, so the picture is not updated. The picture is \d+ s old/)
    .waitFor();
  expect(await app.getAttribute('data-tone')).toBe('old');
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Restore the window' }).click();
  await expect.poll(() => host.inputs().at(-1)?.type).toBe('restore');
  host.say({ type: 'state', host: 'shown', guests: 1, mayControl: true, mayDecide: false });
  await expect.poll(() => app.getAttribute('data-tone')).toBe('live');

  const field = page.getByRole('textbox', { name: 'Text for the host' });
  await field.fill('still here');
  host.sockets.at(-1)?.terminate();
  await expect.poll(() => host.sockets.length).toBe(2);
  await expect.poll(() => app.getAttribute('data-tone')).toBe('live');
  expect(await field.inputValue()).toBe('still here');
  await page.reload();
  await expect.poll(() => host.sockets.length).toBe(3);
  await page.getByText('Live', { exact: true }).waitFor();
  expect(host.joins).toHaveLength(1);

  host.say({ type: 'ended', reason: 'The host ended the session.' });
  await page.locator('.veil-text').getByText('The host ended the session.').waitFor();
  expect(await app.getAttribute('data-tone')).toBe('over');
  await page.getByRole('button', { name: 'Enter a code' }).click();
  await page.getByLabel('Code').waitFor();
  await page.reload();
  await page.getByLabel('Code').waitFor();
});

test.skipIf(isMissing)('sends hardware keys to the host and releases held keys when the focus leaves', async () => {
  const host = await playHost('control');
  const { page } = await join(host, { viewport: { width: 1200, height: 800 }, hasTouch: false, isMobile: false, deviceScaleFactor: 1 });
  const stage = page.getByRole('application');
  await stage.click({ position: { x: 600, y: 300 } });
  await expect
    .poll(() =>
      host
        .inputs()
        .map(({ type }) => type)
        .slice(-2),
    )
    .toEqual(['down', 'up']);
  await page.keyboard.down('Shift');
  await page.keyboard.press('A');
  await page.keyboard.press('Control+r', { delay: 1 }).catch(() => undefined);
  await page.getByRole('button', { name: 'Trackpad' }).focus();
  await expect.poll(() => host.inputs().at(-1)?.type).toBe('release');
  const keys = host.inputs().filter(({ type }) => type === 'key');
  expect(keys.slice(0, 3)).toMatchObject([
    { key: 'Shift', down: true },
    { key: 'A', modifiers: 8, down: true },
    { key: 'A', down: false },
  ]);
  expect(keys.some(({ key }) => key === 'r')).toBe(false);
});
