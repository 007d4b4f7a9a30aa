// The side of the page: the height belongs to the chats, and all pages are one press away.
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, chatList, isReady, openPages, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('all pages unfold by the keyboard, close with Escape, and with the page that was chosen', async () => {
  const { page } = await visit();
  await isReady(page);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  expect(await pages.getByRole('link').allInnerTexts()).toEqual(['Waiting', 'Settings']);
  const row = (await pages.boundingBox())!.height;
  expect(row).toBeLessThan(70);
  expect((await chatList(page).boundingBox())!.height).toBeGreaterThan(page.viewportSize()!.height - row - 80);
  const all = button(pages, 'All pages');
  await all.press('Enter');
  await pages.getByRole('link', { name: 'Memory' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => pages.getByRole('link').count()).toBe(2);
  expect(await all.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await pages.getByRole('link', { name: 'Usage' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  await expect.poll(() => pages.getByRole('link').count()).toBe(2);
  await pages.getByRole('link', { name: 'Settings' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});

test('on a phone the same place is in the drawer, and a page that is chosen closes both', async () => {
  const { page } = await visit({ context: { viewport: { width: 360, height: 740 }, hasTouch: true } });
  await isReady(page);
  await button(page, 'Show chats').click();
  const pages = await openPages(page);
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await pages.getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});
