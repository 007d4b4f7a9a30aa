// Tests the sidebar: its rows, the chat list and the menu of all pages.
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, chatList, isReady, messageField, openPages, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('lists all pages in a keyboard menu and returns the focus to its button or the chosen page', async () => {
  const { page } = await visit();
  await isReady(page);
  const rows = page.getByRole('navigation', { name: 'Pages' });
  expect(await rows.getByRole('link').allInnerTexts()).toEqual(['Approvals']);
  const opener = page.getByRole('button', { name: 'Settings and more' });
  const menu = page.getByRole('menu', { name: 'Settings and more' });
  await opener.press('Enter');
  await menu.getByRole('menuitem', { name: 'Memory' }).waitFor();
  expect(await axeFaults(page, { isFloating: true })).toEqual([]);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await expect.poll(() => opener.evaluate((one) => one === document.activeElement)).toBe(true);
  await opener.press('Enter');
  await menu.getByRole('menuitem', { name: 'Usage' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
});

test('shows the menu in the phone drawer and closes both when a page is chosen', async () => {
  const { page } = await visit({ context: { viewport: { width: 360, height: 740 }, hasTouch: true } });
  await isReady(page);
  await button(page, 'Show chats').click();
  const pages = await openPages(page);
  expect(await axeFaults(page, { isFloating: true })).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await pages.getByRole('menuitem', { name: 'Connections' }).click();
  await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

test('hides drafts without a turn or title, and finds a chat by words in any order without accents', async () => {
  const { page, server } = await visit({ script: [{ text: 'Hello.', always: true }] });
  await isReady(page);
  const links = chatList(page).getByRole('link');
  await chatList(page).getByText('Your chats will appear here.').waitFor();
  expect(await links.count()).toBe(0);
  await server.call('POST', '/api/chats', { title: 'Über den Fluß', workspaceMode: 'scratch', activate: false });
  await expect.poll(() => links.allInnerTexts()).toEqual(['Über den Fluß']);
  await messageField(page).fill('hello there');
  await page.keyboard.press('Enter');
  await expect.poll(() => links.count()).toBe(2);
  await button(page, 'Search').click();
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('fluß uber');
  await page.getByRole('option', { name: /^Über den Fluß/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Über den Fluß' }).waitFor();
});

test('keeps an open menu open when the chat loads', async () => {
  const { context, openTab } = await visit({ isClosed: true });
  let goOn = (): void => undefined;
  const until = new Promise<void>((resolve) => (goOn = resolve));
  await context.route(/\/api\/chats(?:\?|$)/, async (route) => {
    await until;
    await route.continue();
  });
  const page = await openTab();
  const pages = await openPages(page);
  goOn();
  await messageField(page).waitFor();
  expect(await pages.isVisible()).toBe(true);
});
