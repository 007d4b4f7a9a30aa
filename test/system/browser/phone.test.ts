// Tests the page with touch input at a width of 360 pixels.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { settled } from './settled.ts';
import { approvalOf, button, chatList, conversation, isIdle, messageField, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const sticksOut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    return Array.from(document.querySelectorAll('body *'))
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => `${element.tagName}.${element.className}`)
      .slice(0, 5);
  });

test('scrolls horizontally on no page', async () => {
  const { page, server } = await visit({
    context: phone,
    script: [
      {
        text: `A [link](https://example.org/${'long'.repeat(40)}) and \`${'code'.repeat(40)}\`.\n\n\`\`\`\n${'wide '.repeat(80)}\n\`\`\`\n\n| a | b | c | d | e | f |\n|---|---|---|---|---|---|\n| ${'cell '.repeat(6)} | ${'cell '.repeat(6)} | c | d | e | f |`,
      },
    ],
  });
  await isIdle(page);
  await say(page, 'x'.repeat(300));
  await conversation(page).getByRole('table').waitFor();
  await isIdle(page);
  expect(await sticksOut(page)).toEqual([]);
  expect(await axeFaults(page)).toEqual([]);
  for (const name of ['settings', 'plugins', 'usage', 'search', 'account', 'memory', 'connections']) {
    await page.goto(`${server.url}/#/${name}`);
    await page.getByRole('heading', { level: 1, name: new RegExp(name, 'i') }).waitFor();
    await settled(page);
    expect(await sticksOut(page), name).toEqual([]);
  }
});

test('opens the chat list, starts a chat and approves a command by touch', async () => {
  const { page, workspace } = await visit({
    context: phone,
    script: [{ toolCalls: [{ name: 'run_command', args: { command: 'touch made.txt' } }] }, { text: 'Made on the road.' }],
  });
  await isIdle(page);
  await page
    .getByRole('button', { name: /^(?:open |show )?(?:chats|chat list|menu)/i })
    .first()
    .tap();
  await chatList(page).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'New chat').tap();
  await say(page, 'make it');
  const group = approvalOf(page, 'run_command');
  await group.waitFor();
  expect(await sticksOut(page)).toEqual([]);
  const size = await button(group, 'Approve').boundingBox();
  expect(size?.height).toBeGreaterThanOrEqual(44);
  await button(group, 'Approve').tap();
  await reads(page, 'Made on the road.');
  expect(existsSync(join(workspace, 'made.txt'))).toBe(true);
});

test('closes the chat list after New chat, even if the open chat is the empty one', async () => {
  const { page } = await visit({ context: phone });
  await isIdle(page);
  const addresses: string[] = [];
  for (let time = 0; time < 3; time++) {
    await button(page, 'Show chats').tap();
    await button(page, 'New chat').tap();
    await chatList(page).waitFor({ state: 'hidden' });
    await messageField(page).waitFor();
    addresses.push(page.url());
  }
  expect(addresses[2]).toBe(addresses[1]);
});

test('is installable with valid manifest icons and opens an offline page without a network', async () => {
  const { page, server, context, expectFault } = await visit({ context: { ...phone, serviceWorkers: 'allow' } });
  expectFault(/ERR_INTERNET_DISCONNECTED|ERR_INCOMPLETE_CHUNKED|ERR_FAILED|504/);
  await isIdle(page);
  const link = await page.locator('link[rel="manifest"]').first().getAttribute('href');
  const manifest = await (await page.request.get(new URL(link ?? '', server.url).href)).json();
  expect(manifest).toMatchObject({ name: expect.any(String), start_url: expect.any(String), display: 'standalone' });
  for (const { src } of manifest.icons) expect((await page.request.get(new URL(src, server.url).href)).status()).toBe(200);
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state)).toBe('activated');
  await expect.poll(() => page.evaluate(async () => (await caches.match('/offline.html'))?.status)).toBe(200);
  await page.reload();
  await isIdle(page);
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('heading', { name: /does not answer/ }).waitFor();
  await page.getByRole('link', { name: 'Try again' }).waitFor();
  await context.setOffline(false);
  await isIdle(page);
});
