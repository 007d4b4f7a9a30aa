// Tests a phone outside the local network: the page runs through two control plane nodes that cannot decrypt the traffic.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, isIdle, messageField, reads, say } from '../../helpers/use-browser.ts';
import { useOutside } from './use-remote-phone.ts';

const outside = useOutside();

const isTooWide = (page: Page): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p6KZ1AAAAABJRU5ErkJggg==', 'base64');

test('streams a conversation with an image to a remote phone and accepts the pairing address once', async () => {
  const { world, offer, visit } = outside();
  const address = await offer('full');
  const page = await visit(address);
  await isIdle(page);
  let goOn = (): void => undefined;
  const until = new Promise<void>((resolve) => (goOn = resolve));
  world.model.play([{ text: ['Far away ', 'and ', 'sealed.'], stallAfter: 1, until }, { text: 'A small picture.' }]);
  await say(page, 'Can you hear me from outside?');
  await reads(page, 'Far away');
  goOn();
  await reads(page, 'Far away and sealed.');
  await isIdle(page);
  await page.locator('input[type="file"]').first().setInputFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: pixel });
  await page.getByAltText(/pixel\.png/).waitFor();
  await say(page, 'What is this?');
  await reads(page, 'A small picture.');
  await expect
    .poll(() => page.evaluate(() => Array.from(document.querySelectorAll('article img'), (one) => (one as HTMLImageElement).naturalWidth).includes(1)))
    .toBe(true);
  expect(await isTooWide(page)).toBe(false);
  // The address contains neither the key nor the token. Only the owner can read the link file on the host.
  expect(page.url()).toMatch(/\/phone\/[0-9A-Z]{8}(?:#\/[^=]*)?$/);
  expect((await stat(join(world.home, 'outside_links.json'))).mode & 0o777).toBe(0o600);

  const late = await visit(address);
  await late.getByText('This address was already used').waitFor();
  expect((await world.server.call('GET', '/api/pair/devices')).body.devices).toHaveLength(1);
}, 120_000);

test('hides the composer for a view-only phone, shows it after promotion to chat and reports a revoked access', async () => {
  const { world, pair, visit } = outside();
  const { page, id } = await pair('view');
  await page.getByText('This device is read-only').waitFor();
  expect(await messageField(page).count()).toBe(0);
  expect((await world.server.call('PATCH', `/api/pair/devices/${id}`, { role: 'chat' })).status).toBe(200);
  await messageField(page).waitFor();
  const { relayed } = world;
  const own = page.url();
  await world.server.call('DELETE', `/api/pair/devices/${id}`);
  const from = relayed.length;
  await page.getByText('its access was revoked').waitFor();
  expect(await button(page, 'Send').count()).toBe(0);
  await page.goto('about:blank');
  await page.goto(own);
  await page.getByText('This address is incomplete').waitFor();
  await expect.poll(() => relayed.slice(from).some(({ method, path }) => method === 'DELETE' && /^\/api\/remote\/sessions\/\w+$/.test(path))).toBe(true);
  expect(await visit(`${world.url}/phone/AAAAAAAA`).then((other) => other.getByText('This address is incomplete').waitFor())).toBe(undefined);
}, 120_000);
