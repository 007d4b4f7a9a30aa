// Tests the panel with the page of the agent's browser during and after a turn.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScriptedReply } from '../../helpers/scripted-model.ts';
import { findBrowser, type Visit } from '../../helpers/browser.ts';
import { axeFaults } from './axe-faults.ts';
import { button, isIdle, isReady, reads, say, useBrowser, openPages } from '../../helpers/use-browser.ts';

const visit = useBrowser();
let address = '';
const site = createServer((request, response) => {
  const name = request.url === '/second' ? 'Second page' : 'First page';
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${name}</title><body style="background: #0a7">`);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

const panelOf = (page: Page): Locator => page.locator('[data-panel-id="browser"]');
const pictureOf = (page: Page): Locator => panelOf(page).getByRole('img');
const opens = (path: string): ScriptedReply => ({ toolCalls: [{ name: 'browser_open', args: { url: address + path } }] });
const environment = (): Record<string, string> => ({ AGENT_BROWSER_ALLOWED_HOSTS: new URL(address).host, AGENT_BROWSER_PATH: findBrowser() ?? '' });

const colourOf = (page: Page): Promise<number[]> =>
  pictureOf(page).evaluate((shown) => {
    const picture = shown as unknown as { decode(): Promise<void>; naturalWidth: number; naturalHeight: number };
    return picture.decode().then(() => {
      const { document } = globalThis as any;
      const canvas = document.createElement('canvas');
      canvas.width = picture.naturalWidth;
      canvas.height = picture.naturalHeight;
      const pen = canvas.getContext('2d');
      pen.drawImage(picture, 0, 0);
      return [...pen.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data].slice(0, 3);
    });
  });

/** Installs a clock that the test can advance. It also runs on its own. */
async function openWithClock({ context, openTab }: Visit): Promise<Page> {
  await context.clock.install();
  return openTab();
}

async function letTimersRun(page: Page): Promise<void> {
  await page.clock.runFor(5_000);
  await page.evaluate(() => fetch('/api/config'));
}

function countRequests(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (/\/browser(\/|$)/.test(new URL(request.url()).pathname)) count++;
  });
  return () => count;
}

test("shows the agent's open page with its address, and a closed note after the turn", async () => {
  let end = (): void => undefined;
  const until = new Promise<void>((resolve) => (end = resolve));
  const opened = await visit({ environment: environment(), isClosed: true, script: [opens('/'), opens('/second'), { text: 'That was it.', until }] });
  const { expectFault } = opened;
  // A screenshot may be requested just when its page is closed.
  expectFault(/404.*picture/);
  const page = await openWithClock(opened);
  await isReady(page);
  await (await openPages(page)).getByRole('menuitem', { name: 'Browser', exact: true }).click();
  await panelOf(page).getByText('The agent has no page open in this chat.').waitFor();
  await page.goBack();
  await say(page, `look at ${address}/ and ${address}/second`);
  await (await openPages(page)).getByRole('menuitem', { name: 'Browser', exact: true }).click();
  await panelOf(page).waitFor();
  await panelOf(page).getByText(`${address}/second`).waitFor({ timeout: 30_000 });
  await page.getByRole('img', { name: 'Picture of the page “Second page”' }).waitFor();
  const [red = 255, green = 0, blue = 0] = await colourOf(page);
  expect([red < 40, Math.abs(green - 170) < 20, Math.abs(blue - 119) < 20]).toEqual([true, true, true]);
  const source = await pictureOf(page).getAttribute('src');
  await expect.poll(() => pictureOf(page).getAttribute('src')).not.toBe(source);

  await button(panelOf(page), 'First page').press('Enter');
  await page.getByRole('img', { name: 'Picture of the page “First page”' }).waitFor();
  await button(panelOf(page), 'Follow the agent').press('Enter');
  await page.getByRole('img', { name: 'Picture of the page “Second page”' }).waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => (globalThis as any).document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });

  end();
  await panelOf(page).getByText('The browser was closed').waitFor({ timeout: 30_000 });
  expect(await axeFaults(page)).toEqual([]);
  const asked = countRequests(page);
  await letTimersRun(page);
  expect(asked()).toBe(0);
});

test('requests nothing while the panel is closed or the page is hidden', async () => {
  let end = (): void => undefined;
  const until = new Promise<void>((resolve) => (end = resolve));
  const opened = await visit({ environment: environment(), isClosed: true, script: [opens('/'), { text: 'That was it.', until }] });
  opened.expectFault(/404.*picture/);
  const page = await openWithClock(opened);
  await page.evaluate(() => localStorage.setItem('pane', 'hidden'));
  const asked = countRequests(page);
  await isIdle(page);
  await say(page, `look at ${address}/`);
  await page.getByRole('button', { name: /browser_open/ }).waitFor({ timeout: 30_000 });
  expect(asked()).toBe(0);
  await (await openPages(page)).getByRole('menuitem', { name: 'Browser', exact: true }).click();
  await panelOf(page).waitFor();
  await pictureOf(page).waitFor({ timeout: 30_000 });
  await page.evaluate(() => {
    const { document, Event } = globalThis as any;
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await letTimersRun(page);
  const hidden = asked();
  await letTimersRun(page);
  expect(asked()).toBe(hidden);
  await page.evaluate(() => {
    const { document, Event } = globalThis as any;
    delete document.hidden;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(asked).toBeGreaterThan(hidden + 3);
  await page.goBack();
  await letTimersRun(page);
  const gone = asked();
  await letTimersRun(page);
  expect(asked()).toBe(gone);
  end();
  await reads(page, 'That was it.');
});

test("shows the agent's open page in the pane beside the chat", async () => {
  let end = (): void => undefined;
  const until = new Promise<void>((resolve) => (end = resolve));
  const { page, expectFault } = await visit({
    environment: environment(),
    script: [opens('/'), { text: 'That was it.', until }],
    context: { viewport: { width: 1280, height: 800 } },
  });
  expectFault(/404.*picture/);
  await isReady(page);
  await say(page, `look at ${address}/`);
  const pane = page.getByRole('complementary', { name: 'Side pane' });
  await page.keyboard.press('Control+.');
  await pane.getByRole('tab', { name: /^Browser/ }).click();
  await pane.getByRole('img', { name: 'Picture of the page “First page”' }).waitFor({ timeout: 30_000 });
  expect(await axeFaults(page)).toEqual([]);
  end();
  await reads(page, 'That was it.');
  await pane.getByText('The browser was closed').waitFor({ timeout: 30_000 });
});
