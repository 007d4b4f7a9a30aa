// Tests remote session codes on the host page: one card per transport, and the words both people compare before granting control.
import { stockBuiltins } from '../../../builtins/distribution/stock.ts';
import type { OpenCode } from '../../../builtins/desktop/remote/contract.ts';
import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { writeMessage } from '../../../builtins/desktop/remote/guest-protocol.ts';
import { findBrowser } from '../../helpers/browser.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { openMirroredWindow, type MirroredWindow } from '../../helpers/mirrored-window.ts';
import { axeFaults } from './axe-faults.ts';
import { addMember, startPlane } from '../../helpers/plane.ts';
import { askAs, startScriptedHost } from '../../helpers/relay.ts';
import { isReady, messageField, sharedBrowser } from '../../helpers/use-browser.ts';

const isMissing = findBrowser() === undefined && process.env['CI'] === undefined;
let browser: Browser;
let harness: Harness;
let window: MirroredWindow;
let opened: OpenCode[];

const relay = {
  register: (registry: any) =>
    void registry.add('remote_transport', {
      ...{ name: 'cloud', unavailable: () => undefined },
      open: async (code: OpenCode) => (opened.push(code), { urls: [`https://relay.test/join/${code.code}#k=secret`] }),
    }),
};

beforeAll(async () => {
  if (!isMissing) browser = await sharedBrowser();
});
beforeEach(async (context) => {
  if (isMissing) return context.skip('no browser');
  opened = [];
});
afterEach(async () => {
  await window?.close();
  await harness?.close();
});

async function visit(modules: Record<string, any>, place: string): Promise<MirroredWindow['page']> {
  window = await openMirroredWindow(browser, '<p>Opening</p>');
  harness = await startHarness({
    environment: { APP_REMOTE_BIND_HOST: '127.0.0.1', AGENT_PERSONA_BOOTSTRAP: '0' },
    modules: { 'desktop-window': window.plugin, ...modules },
    builtins: stockBuiltins.filter((name) => name !== 'desktop-window'),
  });
  const { page } = window;
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${harness.url}/?token=${window.token}${place}`);
  return page;
}

function askThroughRelay(code: OpenCode): string[] {
  const texts: string[] = [];
  const link = { code: code.code, name: 'Far', address: '203.0.113.7', transport: 'cloud' as const, words: 'otter maple comet ribbon' };
  const send = (content: string | Uint8Array): void => void (typeof content === 'string' && texts.push(content));
  harness.kernel
    .resolve('remoteSessions')
    .attach({ ...link, send })
    .receive(writeMessage({ type: 'restore', n: 1, seq: 0, geometry: 0 }));
  return texts;
}

test('creates a relay code on the account page and shows the verification words before granting control', async () => {
  const page = await visit({ relay }, '#/account');
  const section = page.getByRole('region', { name: 'Remote sessions' });
  await section.getByLabel('From anywhere').check();
  await section.getByLabel('See and control it').check();
  expect(await axeFaults(page)).toEqual([]);
  await section.getByRole('button', { name: 'Create a code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Let a viewer control this window' });
  await dialog.getByText('the code alone is not sufficient').waitFor();
  expect(opened).toMatchObject([{ role: 'control' }]);
  expect(await dialog.textContent()).not.toContain('secret');
  await dialog.getByRole('img', { name: 'QR code of the address' }).waitFor();
  await page.keyboard.press('Escape');
  await section.getByText(/Valid for another/).waitFor();

  const texts = askThroughRelay(opened[0] as OpenCode);
  const claim = page.getByRole('dialog', { name: 'A viewer requests control of this window' });
  await claim.getByText('otter maple comet ribbon').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await claim.getByRole('button', { name: 'The words match: allow control' }).click();
  await expect.poll(() => texts.some((text) => text.includes('"mayControl":true'))).toBe(true);
  await section.getByRole('button', { name: 'Withdraw' }).click();
  await section.getByText(/Valid for another/).waitFor({ state: 'detached' });
  expect(texts.at(-1)).toContain('This session has ended.');
});

test('creates a relay code with /remote cloud, and explains the required plan if no relay is available', async () => {
  const page = await visit({ relay }, '');
  await isReady(page);
  await messageField(page).fill('/remote cloud');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Show this window to a viewer' }).getByText('from anywhere, encrypted through the relay').waitFor();
  expect(opened).toMatchObject([{ role: 'view' }]);
  await page.keyboard.press('Escape');
  await window.close();
  await harness.close();

  const other = await visit({}, '');
  await isReady(other);
  await messageField(other).fill('/remote cloud');
  await other.keyboard.press('Enter');
  await other.getByText('The cloud relay requires a Pro account').waitFor();
  await other.goto(`${harness.url}/?token=${window.token}#/account`);
  await other.getByText('From anywhere: The cloud relay requires a Pro account').waitFor();
  expect(await other.getByLabel('From anywhere').count()).toBe(0);
});

test('shows a remote viewer the same verification words as the host', async () => {
  const plane = await startPlane();
  const { token } = await addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'pro' });
  const host = await startScriptedHost({ ask: askAs(token, plane.url) });
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' });
  onTestFinished(async () => {
    await context.close();
    await host.end();
    await plane.close();
  });
  const page = await context.newPage();
  await page.goto(host.cloud.url);
  await page.getByText('Is this your own phone?').waitFor();
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('The host sees these words, too.').waitFor();
  await expect.poll(() => host.guests[0]?.words).toMatch(/^\w+ \w+ \w+ \w+$/);
  await page.getByText(host.guests[0]?.words ?? '').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  host.guests[0]?.send(writeMessage({ type: 'state', host: 'shown', guests: 1, mayControl: true, mayDecide: false }));
  await page.getByText('The host sees these words, too.').waitFor({ state: 'hidden' });
  await page.getByRole('toolbar', { name: 'Keys for the host' }).waitFor();
  host.guests[0]?.send(writeMessage({ type: 'ended', reason: 'It is over.' }));
  await page.getByRole('toolbar', { name: 'Keys for the host' }).waitFor({ state: 'hidden' });
});
