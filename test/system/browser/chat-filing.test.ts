// Tests filing a chat: its mode, tags, pin and archive, the trash, and its file changes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { button, chatList, isIdle, isReady, say, useBrowser, openPages } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('sets mode, tags and pin, archives and restores a chat, and updates a second tab', async () => {
  const { page, server, openTab } = await visit();
  await isReady(page);
  const { chatId } = (await server.call('GET', '/api/chats')).body.chats[0];
  await server.call('PATCH', `/api/chats/${chatId}`, { title: 'Harbour' });
  await server.call('POST', '/api/chats', { title: 'Beacon', activate: false });
  const chat = async (): Promise<any> => (await server.call('GET', `/api/chats/${chatId}`)).body;
  const menu = async (item: string): Promise<void> => {
    await button(page, 'Actions for this chat').click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  const other = await openTab('/');
  await chatList(other).getByRole('link', { name: 'Harbour' }).waitFor();

  await button(page, 'Mode: Ask').click();
  await page.getByRole('menuitemradio', { name: /Careful/ }).click();
  await button(page, 'Mode: Careful').waitFor();
  expect(await chat()).toMatchObject({ mode: 'careful' });

  await menu('Tags');
  await page.getByRole('textbox', { name: 'Tags' }).fill('work, #later, work');
  await page.getByRole('dialog', { name: 'Tags' }).getByRole('button', { name: 'Save' }).click();
  await expect.poll(chat).toMatchObject({ tags: ['work', 'later'] });
  await menu('Pin');
  await chatList(other).getByRole('heading', { name: 'Pinned' }).waitFor();
  await chatList(other).getByText('#work #later').waitFor();
  await button(page, 'Search').click();
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('#later work');
  await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining('Harbour'), 'Search messages for “#later work”']);
  await page.keyboard.press('Escape');

  await menu('Archive');
  await chatList(other).getByRole('link', { name: 'Harbour' }).waitFor({ state: 'detached' });
  await (await openPages(other)).getByRole('menuitem', { name: 'Archived (1)' }).click();
  await chatList(other).getByRole('link', { name: 'Harbour' }).waitFor();
  await (await openPages(other)).getByRole('menuitem', { name: 'Back to the chats' }).click();
  await menu('Unarchive');
  await chatList(other).getByRole('link', { name: 'Harbour' }).waitFor();
});

test('restores a deleted chat from the trash and erases one only after confirmation', async () => {
  const { page, server } = await visit();
  await isReady(page);
  for (const title of ['Old plans', 'Notes']) {
    const { chatId } = (await server.call('POST', '/api/chats', { title, activate: false })).body;
    await server.call('DELETE', `/api/chats/${chatId}`);
  }
  await (await openPages(page)).getByRole('menuitem', { name: 'Trash' }).click();
  const rows = page.getByRole('list', { name: 'Deleted chats' });
  await rows.getByRole('heading', { name: 'Old plans' }).waitFor();
  await button(rows, 'Erase Notes').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep' }).click();
  expect((await server.call('GET', '/api/chats/trash')).body.chats).toHaveLength(2);
  await button(rows, 'Erase Notes').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Erase' }).click();
  await rows.getByRole('heading', { name: 'Notes' }).waitFor({ state: 'detached' });
  await button(rows, 'Restore Old plans').click();
  await page.getByRole('heading', { level: 1, name: 'Old plans' }).waitFor();
  expect((await server.call('GET', '/api/chats/trash')).body.chats).toEqual([]);
});

test('lists the file changes of a chat with line counts and shows each diff', async () => {
  const calls = [
    { name: 'write_file', args: { path: 'harbour.md', content: '# Harbour\n\nThe lamp is lit at nine.\n', mode: 'overwrite' } },
    { name: 'write_file', args: { path: 'notes/new.md', content: 'A new note.\n' } },
  ];
  const { page } = await visit({
    files: (workspace) => writeFileSync(join(workspace, 'harbour.md'), '# Harbour\n\nThe lamp is lit at eight.\n'),
    script: [{ toolCalls: calls }, { text: 'Done.' }],
  });
  await say(page, 'Change it');
  await isIdle(page);
  await button(page, 'Actions for this chat').click();
  await page.getByRole('menuitem', { name: 'Changes', exact: true }).click();
  const files = page.getByRole('list', { name: 'Changed files' });
  await files.getByText('notes/new.md').waitFor();
  await files.getByRole('button', { name: /^harbour\.md Edited \+1 −1/ }).click();
  await files.getByText('The lamp is lit at nine.').waitFor();
  await page.locator('.diff-view table').waitFor();
});
