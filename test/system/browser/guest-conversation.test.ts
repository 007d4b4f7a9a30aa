// The whole way: the page of the host in one browser window, a phone that comes by its code, and a conversation that is typed on the phone.
import { stockBuiltins } from '../../../builtins/distribution/stock.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeContext, findBrowser, watchContext, type Watch } from '../../helpers/browser.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { openMirroredWindow, type MirroredWindow } from '../../helpers/mirrored-window.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { axeFaults } from './axe-faults.ts';
import { approvalOf, button, isReady, messageField, reads, sharedBrowser } from '../../helpers/use-browser.ts';

const isMissing = findBrowser() === undefined && process.env['CI'] === undefined;
let browser: Browser;
let harness: Harness;
let model: ScriptedModel;
let window: MirroredWindow;
let phone: BrowserContext;
let watch: Watch;

beforeAll(async () => {
  if (!isMissing) browser = await sharedBrowser();
});
beforeEach(async (context) => {
  if (isMissing) return context.skip('no browser');
  window = await openMirroredWindow(browser, '<p>Opening</p>');
  model = await startScriptedModel([
    { text: 'Grüße zurück.' },
    { toolCalls: [{ name: 'run_command', args: { command: 'touch made.txt' } }] },
    { text: 'It was not done.' },
  ]);
  const environment = { ...model.environment, APP_REMOTE_BIND_HOST: '127.0.0.1', AGENT_PERSONA_BOOTSTRAP: '0' };
  harness = await startHarness({
    environment,
    modules: { 'desktop-window': window.plugin },
    builtins: stockBuiltins.filter((name) => name !== 'desktop-window'),
  });
  await window.page.setViewportSize({ width: 1000, height: 700 });
  await window.page.emulateMedia({ reducedMotion: 'reduce' });
  await window.page.goto(`${harness.url}/?token=${window.token}`);
  await isReady(window.page);
});
afterEach(async () => {
  if (phone) await closeContext(phone);
  await window?.close();
  await harness?.close();
  await model?.close();
});

async function comeAsPhone(url: string): Promise<Page> {
  phone = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, reducedMotion: 'reduce' });
  phone.setDefaultTimeout(15_000);
  watch = await watchContext(phone, new URL(url).origin);
  const page = await phone.newPage();
  await page.goto(url);
  await page.getByLabel('Name of this device').fill('Pocket');
  await page.getByRole('button', { name: 'Join' }).tap();
  await page.locator('main[data-tone="live"]').waitFor();
  return page;
}

/** Taps on the phone what the host shows there. */
async function tapOn(guest: Page, target: ReturnType<typeof button>): Promise<void> {
  const there = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const size = window.page.viewportSize() ?? { width: 1, height: 1 };
  const picture = (await guest.getByRole('img').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const x = picture.x + ((there.x + there.width / 2) / size.width) * picture.width;
  await guest.touchscreen.tap(x, picture.y + ((there.y + there.height / 2) / size.height) * picture.height);
}

test('a conversation is typed on a phone that was allowed to, composition included; what needs the host stays with the host', async () => {
  const host = window.page;
  // As /remote control does.
  await messageField(host).fill('/remote control');
  await host.keyboard.press('Enter');
  const dialog = host.getByRole('dialog', { name: 'Let a guest control this window' });
  await dialog.getByRole('img', { name: 'QR code of the address' }).waitFor();
  expect(await axeFaults(host)).toEqual([]);
  const { codes } = (await harness.call('GET', '/api/remote')).body;

  const guest = await comeAsPhone(codes[0].urls[0]);
  // The code does not stay in the picture.
  await dialog.waitFor({ state: 'detached' });
  const bar = host.getByRole('region', { name: 'Guests of this window' });
  await bar.getByText('Pocket sees this window').waitFor();

  await guest.getByRole('button', { name: 'Ask to control' }).tap();
  const claim = host.getByRole('dialog', { name: 'A guest asks to control this window' });
  await claim.getByText('Pocket').waitFor();
  expect(await axeFaults(host)).toEqual([]);
  await claim.getByRole('button', { name: 'Allow control' }).click();
  await bar.getByText('Pocket sees this window and may control it').waitFor();
  const field = guest.getByRole('textbox', { name: 'Text for the host' });
  await field.waitFor();

  await tapOn(guest, messageField(host));
  await expect.poll(() => messageField(host).evaluate((one) => document.activeElement === one)).toBe(true);
  await field.tap();
  const cdp = await phone.newCDPSession(guest);
  await cdp.send('Input.imeSetComposition', { text: 'gru', selectionStart: 3, selectionEnd: 3 });
  await cdp.send('Input.imeSetComposition', { text: 'grü', selectionStart: 3, selectionEnd: 3 });
  await cdp.send('Input.insertText', { text: 'grüße 你好' });
  await guest.keyboard.press('Enter');
  await expect.poll(() => messageField(host).inputValue()).toBe('grüße 你好');
  await guest.getByRole('button', { name: 'Press Enter' }).tap();
  await reads(host, 'Grüße zurück.');

  await field.fill('make it');
  await guest.getByRole('button', { name: 'Send the text' }).tap();
  await expect.poll(() => messageField(host).inputValue()).toBe('make it');
  await guest.getByRole('button', { name: 'Press Enter' }).tap();
  const approval = approvalOf(host, 'run_command');
  await approval.waitFor();
  await tapOn(guest, button(approval, 'Allow once'));
  await guest.getByText('The host keeps approvals, settings and the like to itself.').waitFor();
  expect((await harness.call('GET', '/api/pending')).body.approvals).toHaveLength(1);

  await bar.getByRole('button', { name: 'Guests' }).click();
  await bar.getByRole('button', { name: 'Stop control of Pocket' }).click();
  await guest.getByText('Watching', { exact: true }).waitFor();
  await bar.getByRole('button', { name: 'End all' }).click();
  await bar.waitFor({ state: 'detached' });
  await guest.locator('main[data-tone="over"]').waitFor();
  expect(watch.unexpected()).toEqual([]);
});
