// A whole conversation: the real window of `app desktop` as host, and a phone in a browser of its own that comes through the listener for viewers.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, expect } from 'vitest';
import { closeContext, findBrowser, launchBrowser, watchContext, type Watch } from '../../helpers/browser.ts';
import { hasProgram, testWith } from '../../helpers/programs-needed.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { openScreen, type VirtualScreen } from '../../helpers/virtual-screen.ts';
import { addWindowView, viewWindow, type WindowView } from '../../helpers/watched-window.ts';
import { createProgram, type Program, type Running } from '../../helpers/cli-program.ts';

const test = testWith('Xvfb');
const canRun = hasProgram('Xvfb') || process.env['CI'] === 'true';

let screen: VirtualScreen;
let program: Program;
let model: ScriptedModel;
let browser: Browser;
let running: Running;
let environment: Record<string, string>;
let url: string;
let token: string;
let host: WindowView;
let goOn: () => void;

beforeEach(async () => {
  if (!canRun) return;
  screen = await openScreen();
  program = await createProgram();
  await addWindowView(program.home);
  const until = new Promise<void>((resolve) => (goOn = resolve));
  model = await startScriptedModel([
    { text: ['Grüße ', 'zurück.'], stallAfter: 1, until },
    { toolCalls: [{ name: 'run_command', args: { command: 'touch made.txt' } }] },
    { text: 'It was done.' },
  ]);
  browser = await launchBrowser();
  environment = { DISPLAY: screen.display, AGENT_DESKTOP_BROWSER_PATH: findBrowser() ?? '', APP_REMOTE_BIND_HOST: '127.0.0.1' };
  running = program.start(['desktop'], { environment: { ...environment, ...model.environment, AGENT_PERSONA_BOOTSTRAP: '0' } });
  url = (await running.until(/open in its own window; its server is (http:\S+)/))[1] as string;
  token = (await readFile(join(program.home, 'web_token'), 'utf8')).trim();
  host = viewWindow(url, token);
});
afterEach(async () => {
  if (!canRun) return;
  goOn();
  await browser.close();
  running.child.kill('SIGTERM');
  await running.ended;
  await program.clean();
  await model.close();
  await screen.close();
});

const call = async (path: string): Promise<any> => (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).json();
const messageField = "document.querySelector('textarea')";
const buttonOf = (name: string): string =>
  `[...document.querySelectorAll('button')].find((one) => /^${name}\\s*(Alt\\+[A-Z])?$/.test((one.getAttribute('aria-label') ?? one.textContent).trim()) && one.checkVisibility())`;
const hostReads = (text: string): Promise<unknown> =>
  expect.poll(() => host.evaluate('document.body.innerText'), { message: `the host's page says ${text}` }).toContain(text);
const hostHas = (find: string): Promise<unknown> => expect.poll(() => host.evaluate(`Boolean(${find})`), { message: find }).toBe(true);

async function comeAsPhone(address: string): Promise<{ context: BrowserContext; page: Page; watch: Watch }> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  context.setDefaultTimeout(30_000);
  const watch = await watchContext(context, new URL(address).origin);
  const page = await context.newPage();
  await page.goto(address);
  await page.getByLabel('Name of this device').fill('Pocket');
  await page.getByRole('button', { name: 'Join' }).tap();
  await page.locator('main[data-tone="live"]').waitFor();
  return { context, page, watch };
}

/** Taps the point on the phone at which the host window shows the element. */
async function tapOn(guest: Page, find: string): Promise<void> {
  const at = await host.placeOf(find);
  const picture = await guest.getByRole('img').boundingBox();
  if (!at || !picture) throw new Error(`there is no ${find} to tap`);
  await guest.touchscreen.tap(picture.x + at.x * picture.width, picture.y + at.y * picture.height);
}

/** Returns the current picture on the phone as a data URL. */
const pixels = (guest: Page): Promise<string> => guest.locator('canvas').evaluate((canvas: any) => canvas.toDataURL('image/png'));

test('lets a phone join, control and chat, but not approve, until the host ends the session', async () => {
  await hostHas(messageField);
  await host.click(messageField);
  await host.type('/remote control');
  await host.pressEnter();
  await hostHas("document.querySelector('[role=dialog] svg')");
  const { codes } = await call('/api/remote');
  const { context, page: guest, watch } = await comeAsPhone(codes[0].urls[0]);
  await hostReads('Pocket sees this window');

  await guest.getByRole('button', { name: 'Request control' }).tap();
  await hostHas(buttonOf('Allow control'));
  expect((await call('/api/remote')).guests).toMatchObject([{ state: 'waiting', mayControl: false }]);
  await host.click(buttonOf('Allow control'));
  const field = guest.getByRole('textbox', { name: 'Text for the host' });
  await field.waitFor();
  await expect.poll(() => host.evaluate("document.querySelector('[role=dialog]') === null")).toBe(true);

  await host.evaluate('document.activeElement.blur()');
  await tapOn(guest, messageField);
  await expect.poll(() => host.evaluate(`document.activeElement === ${messageField}`)).toBe(true);
  await field.tap();
  const keyboard = await context.newCDPSession(guest);
  for (const text of ['g', 'gr', 'grü']) await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  expect(await host.evaluate(`${messageField}.value`)).toBe('');
  await keyboard.send('Input.insertText', { text: 'grüße 你好' });
  await guest.keyboard.press('Enter');
  await expect.poll(() => host.evaluate(`${messageField}.value`)).toBe('grüße 你好');
  const before = await pixels(guest);
  await guest.getByRole('button', { name: 'Press Enter' }).tap();
  await hostReads('Grüße');
  let half = before;
  await expect.poll(async () => (half = await pixels(guest)) !== before).toBe(true);
  expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('grüße 你好');
  goOn();
  await hostReads('Grüße zurück.');
  await expect.poll(async () => (await pixels(guest)) !== half).toBe(true);

  await field.fill('make it');
  await guest.getByRole('button', { name: 'Send the text' }).tap();
  await expect.poll(() => host.evaluate(`${messageField}.value`)).toBe('make it');
  await guest.getByRole('button', { name: 'Press Enter' }).tap();
  await hostHas(buttonOf('Approve'));
  await tapOn(guest, buttonOf('Approve'));
  await guest.getByText('The host does not allow viewers to use approvals, settings and similar controls.').waitFor();
  expect((await call('/api/pending')).approvals).toHaveLength(1);

  await host.click(buttonOf('Viewers'));
  await host.click(buttonOf('Stop control of Pocket'));
  await guest.getByText('Watching', { exact: true }).waitFor();
  await hostHas(buttonOf('End all'));
  await host.click(buttonOf('End all'));
  await guest.locator('main[data-tone="over"]').waitFor();
  await expect.poll(async () => (await call('/api/status')).remote).toEqual({ codes: 0, guests: 0, asking: 0 });
  expect(watch.unexpected()).toEqual([]);
  await closeContext(context);

  await host.send('Page.close').catch(() => undefined); // The reply may never arrive.
  await running.until(/The window is closed\. A turn waits for your answer, so the server continues/);
  const { approvals } = await call('/api/pending');
  expect(approvals).toHaveLength(1);
  const again = await program.run(['desktop'], { environment });
  expect(again.stdout).toContain(`its server runs at ${url}`);
  await hostHas(buttonOf('Approve'));
  await host.click(buttonOf('Approve'));
  await hostReads('It was done.');
  await host.send('Page.close').catch(() => undefined);
  expect((await running.ended).code).toBe(0);
});
