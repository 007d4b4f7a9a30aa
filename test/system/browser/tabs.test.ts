// Tests several tabs: the same chat in two tabs, and a shared chat list.
import { expect, test } from 'vitest';
import { approvalOf, button, chatList, entries, isIdle, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('shows the same chat in two tabs and removes an approval answered in the other tab', async () => {
  const { page, openTab, server } = await visit({
    script: [{ toolCalls: [{ name: 'run_command', args: { command: 'touch made.txt' } }] }, { text: 'Both of you see this.' }],
  });
  const other = await openTab();
  await isIdle(other);
  await say(page, 'make it');
  const chatId = (await server.call('GET', '/api/chats')).body.activeChatId;
  await other.goto(`${server.url}/#/chat/${chatId}`);
  await approvalOf(page, 'run_command').waitFor();
  await button(approvalOf(other, 'run_command'), 'Approve').click();
  await approvalOf(page, 'run_command').waitFor({ state: 'detached' });
  for (const tab of [page, other]) {
    await reads(tab, 'Both of you see this.');
    expect(await entries(tab, 'user').count()).toBe(1);
    expect(await entries(tab, 'tool').count()).toBe(1);
  }
});

test('creates one chat when two tabs open together on an empty server', async () => {
  const { context, openTab, server } = await visit({ script: [{ text: 'Hello.' }], isClosed: true });
  const answered: (() => void)[] = [];
  // Holds both answers until both tabs have requested the empty chat list.
  await context.route('**/api/chats?*', async (route) => {
    const response = await route.fetch();
    if (answered.length < 2) {
      await new Promise<void>((resolve) => {
        answered.push(resolve);
        if (answered.length === 2) answered.forEach((go) => go());
      });
    }
    // The page may have closed meanwhile.
    await route.fulfill({ response }).catch(() => undefined);
  });
  const [one, other] = await Promise.all([openTab(), openTab()]);
  for (const tab of [one, other]) await expect.poll(() => tab.url()).toContain('/#/chat/');
  expect(other.url()).toBe(one.url());
  expect((await server.call('GET', '/api/chats')).body.chats).toHaveLength(1);
});

test('renames, creates, searches and deletes chats in the list, synchronised with another tab', async () => {
  const { page, openTab, server } = await visit({ script: [{ text: 'Hello.' }] });
  await say(page, 'about whales');
  await reads(page, 'Hello.');
  await isIdle(page);
  const { chats } = (await server.call('GET', '/api/chats')).body;
  const other = await openTab();
  await chatList(other).getByRole('link', { name: chats[0].title }).waitFor();
  await button(chatList(page), `Actions for ${chats[0].title}`).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel(/title/i).fill('Whales');
  await page.keyboard.press('Enter');
  for (const tab of [page, other]) await chatList(tab).getByRole('link', { name: 'Whales' }).waitFor();
  await button(page, 'New chat').click();
  await expect.poll(async () => await entries(page, 'user').count()).toBe(0);
  await button(page, 'Search').click();
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('whal');
  await page.getByRole('option', { name: /^Whales/ }).waitFor();
  await page.keyboard.press('Escape');
  await chatList(page).getByRole('link', { name: 'Whales' }).waitFor();
  await button(chatList(page), 'Actions for Whales').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await button(page.getByRole('alertdialog').or(page.getByRole('dialog')), 'Delete').click();
  for (const tab of [page, other]) await chatList(tab).getByRole('link', { name: 'Whales' }).waitFor({ state: 'detached' });
});
