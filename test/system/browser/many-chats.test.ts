// Tests the chat list with many chats: grouping, multi-select, temporary chats, folders, export and import.
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Visit } from '../../helpers/browser.ts';
import { plantCodex } from '../../helpers/foreign-homes.ts';
import { axeFaults } from './axe-faults.ts';
import { button, chatList, isReady, messageField, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
async function pick(page: Page, option: string): Promise<void> {
  const opener = page.getByRole('button', { name: /^Settings and more/ });
  await opener.press('Enter');
  await page.getByRole(option === 'Group by folder' ? 'menuitemcheckbox' : 'menuitem', { name: option }).press('Enter');
  // A closing menu restores the focus with a delay. Keys pressed before that would reach the menu.
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
}
/** The default folder of new chats. */
const usualRoot = async (server: Visit['server']): Promise<string> => (await server.call('GET', '/api/chats')).body.chats[0].workspaceRoot;
const small = { width: 360, height: 740 };

test('keeps chats grouped by folder after a reload', async () => {
  const { page, server } = await visit();
  await isReady(page);
  const root = await usualRoot(server);
  const other = join(root, 'beacon');
  mkdirSync(other, { recursive: true });
  await server.call('POST', '/api/chats', { title: 'Light it', workspaceMode: 'folder', workspaceRoot: other, activate: false });
  await server.call('POST', '/api/chats', { title: 'Try it', workspaceMode: 'scratch', activate: false });
  const list = chatList(page);
  await list.getByRole('link', { name: 'Light it' }).waitFor();
  await pick(page, 'Group by folder');
  const headings = list.getByRole('heading');
  await expect.poll(() => headings.allInnerTexts()).toEqual(['Scratch folders', 'beacon']);
  await page.reload();
  await expect.poll(() => headings.allInnerTexts()).toContain('beacon');
  expect(await axeFaults(page)).toEqual([]);
});

test('tags, archives and deletes several chats together by keyboard, also at 360 px', async () => {
  const { page, server } = await visit();
  await isReady(page);
  for (const title of ['One', 'Two', 'Three']) await server.call('POST', '/api/chats', { title, workspaceMode: 'scratch', activate: false });
  await page.setViewportSize(small);
  await button(page, 'Show chats').click();
  const list = page.getByRole('dialog').getByRole('navigation', { name: 'Chats' });
  const bar = list.getByRole('group', { name: 'Selected chats' });
  const start = async (...titles: string[]): Promise<void> => {
    await pick(page, 'Select several');
    for (const title of titles) await list.getByRole('checkbox', { name: title }).press('Space');
    await bar.getByText(`${titles.length} chats selected`).waitFor();
  };
  const facts = async (): Promise<any> => {
    const { chats } = (await server.call('GET', '/api/chats?archived=true')).body;
    return Object.fromEntries(
      chats
        .filter(({ title }: any) => /^(One|Two|Three)$/.test(title))
        .map((chat: any) => [chat.title, [...chat.tags, ...(chat.archived ? ['archived'] : [])]]),
    );
  };
  await start('One', 'Two');
  expect(await axeFaults(page)).toEqual([]);
  await button(bar, 'Tag selected chats').press('Enter');
  await page.getByRole('textbox', { name: 'Tags' }).fill('later');
  await page.keyboard.press('Enter');
  await expect.poll(facts).toEqual({ One: ['later'], Two: ['later'], Three: [] });
  await bar.waitFor({ state: 'detached' });
  await start('Two', 'Three');
  await button(bar, 'Archive selected chats').press('Enter');
  await expect.poll(facts).toEqual({ One: ['later'], Two: ['later', 'archived'], Three: ['archived'] });
  await pick(page, 'Archived (2)');
  await pick(page, 'Select several');
  await button(bar, 'All').press('Enter');
  await button(bar, 'Delete selected chats').press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect.poll(facts).toEqual({ One: ['later'] });
  // A deleted chat leaves the list before the deletion has completed.
  const trash = async (): Promise<string[]> => (await server.call('GET', '/api/chats/trash')).body.chats.map(({ title }: any) => title);
  await expect.poll(trash).toEqual(expect.arrayContaining(['Two', 'Three']));
});

test('ends the selection of a completed bulk action and keeps one started meanwhile', async () => {
  const { page, server } = await visit();
  await isReady(page);
  for (const title of ['One', 'Two']) await server.call('POST', '/api/chats', { title, workspaceMode: 'scratch', activate: false });
  const list = chatList(page);
  const bar = list.getByRole('group', { name: 'Selected chats' });
  const isChange = (asked: Request): boolean => asked.method() === 'PATCH';
  let answer: (() => Promise<void>) | undefined;
  await page.route('**/api/chats/*', async (route) => {
    if (isChange(route.request())) answer = () => route.continue();
    else await route.continue();
  });
  await pick(page, 'Select several');
  await list.getByRole('checkbox', { name: 'One' }).press('Space');
  await Promise.all([page.waitForRequest(isChange), button(bar, 'Archive selected chats').press('Enter')]);
  await button(bar, 'End selection').press('Enter');
  await pick(page, 'Select several');
  await list.getByRole('checkbox', { name: 'Two' }).press('Space');
  await expect.poll(() => answer).toBeDefined();
  const [done] = await Promise.all([page.waitForResponse((response) => isChange(response.request())), answer?.()]);
  await done.finished();
  await list.getByRole('checkbox', { name: 'One' }).waitFor({ state: 'detached' });
  await bar.getByText('1 chat selected').waitFor();
});

test('labels a temporary chat and deletes it permanently', async () => {
  const { page, server } = await visit();
  await isReady(page);
  await page.getByRole('button', { name: /^Settings and more/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Temporary chat' }).press('Enter');
  await page.getByText('Temporary', { exact: true }).first().waitFor();
  const { chats } = (await server.call('GET', '/api/chats')).body;
  const [{ chatId }] = chats.filter(({ temporary }: any) => temporary);
  await button(page, 'Actions for this chat').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByText('cannot be restored').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(async () => (await server.call('GET', '/api/chats')).body.chats.filter(({ temporary }: any) => temporary)).toEqual([]);
  // It passes through the trash.
  await expect.poll(async () => (await server.call('GET', '/api/chats/trash')).body.chats.map((chat: any) => chat.chatId)).not.toContain(chatId);
});

test('chooses the folder of a new chat from the recent folders or by browsing', async () => {
  const { page, server } = await visit();
  await isReady(page);
  const root = await usualRoot(server);
  mkdirSync(join(root, 'harbour/quay'), { recursive: true });
  const open = async () => {
    await page.getByRole('button', { name: /^Settings and more/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'New chat in folder…' }).press('Enter');
    return page.getByRole('dialog', { name: 'New chat' });
  };
  const dialog = await open();
  await dialog.getByRole('list', { name: 'Recent folders' }).getByRole('button').first().press('Enter');
  expect(await dialog.getByRole('textbox', { name: 'Folder' }).inputValue()).toBe(root);
  await button(dialog, 'Browse').press('Enter');
  await button(dialog, 'harbour').press('Enter');
  await button(dialog, 'quay').press('Enter');
  await dialog.getByText('It contains no folders.').waitFor();
  await button(dialog, 'Up').press('Enter');
  await button(dialog, 'quay').waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Folder' }).inputValue()).toBe(join(root, 'harbour'));
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize(small);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(small.width);
  await button(dialog, 'Create').press('Enter');
  await messageField(page).waitFor();
  await expect
    .poll(async () => (await server.call('GET', '/api/chats')).body.chats.map(({ workspaceRoot }: any) => workspaceRoot))
    .toContain(join(root, 'harbour'));
});

test('exports a chat as HTML and JSON and imports the JSON file', async () => {
  const { page, server } = await visit({ script: [{ text: 'The lamp is **lit**.' }] });
  await isReady(page);
  await messageField(page).fill('Light the lamp');
  await page.keyboard.press('Enter');
  await page.getByText('The lamp is').first().waitFor();
  await button(page, 'Actions for this chat').click();
  await page.getByRole('menuitem', { name: 'Export', exact: true }).click();
  const save = async (kind: RegExp) => {
    await page.getByRole('radio', { name: kind }).check();
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').press('Enter')]);
    return { name: download.suggestedFilename(), path: await download.path() };
  };
  const whole = await save(/^A page/);
  expect(whole.name).toBe('light-the-lamp.html');
  expect(await readFile(whole.path, 'utf8')).toContain('The lamp is <strong>lit</strong>.');
  expect(await axeFaults(page)).toEqual([]);
  const file = await save(/^JSON/);
  await page.goto(`${server.url}/#/import-file`);
  await page.getByLabel('File').setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await page.getByText('This is not an exported chat.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByLabel('File').setInputFiles({ name: file.name, mimeType: 'application/json', buffer: await readFile(file.path) });
  await page.getByText('This chat came from a file.').waitFor();
  expect((await server.call('GET', '/api/chats')).body.chats.filter(({ imported }: any) => imported?.from === 'file')).toHaveLength(1);
});

test('imports selected sessions of another agent', async () => {
  const { page, server } = await visit({ prepare: ({ home, workspace }) => plantCodex(home, workspace) });
  await isReady(page);
  await page.getByRole('button', { name: /^Settings and more/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Import from another agent' }).press('Enter');
  await page.getByText('No sessions of Claude Code were found.').waitFor();
  await page.getByRole('radio', { name: 'Codex' }).check();
  const sessions = page.getByRole('list', { name: 'Sessions of Codex' });
  await sessions.getByRole('checkbox', { name: /Light the beacon/ }).press('Space');
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Import 1 session').press('Enter');
  await sessions.getByRole('link', { name: 'Light the beacon.' }).click();
  await page.getByText('This chat came from codex.').waitFor();
  expect((await server.call('GET', '/api/chats')).body.chats.filter(({ imported }: any) => imported)).toHaveLength(1);
});

test('renders only visible rows of five hundred chats, also grouped by folder', async () => {
  const { page } = await visit({ prepare: ({ home, workspace }) => plantChats(home, workspace, 500) });
  await isReady(page);
  const list = chatList(page);
  await list.getByRole('link', { name: 'Chat 499', exact: true }).waitFor();
  await pick(page, 'Group by folder');
  await list.getByRole('link', { name: 'Chat 499', exact: true }).waitFor();
  expect(await list.getByRole('listitem').count()).toBeLessThan(100);
  await pick(page, 'Select several');
  await list.getByRole('checkbox', { name: /^Chat 499/ }).check();
  const bar = list.getByRole('group', { name: 'Selected chats' });
  await button(bar, 'All').click();
  await bar.getByText(/^50\d chats selected$/).waitFor();
});

/** Writes chats as an earlier process would. */
function plantChats(home: string, workspaceRoot: string, count: number): void {
  for (let at = 0; at < count; at++) {
    const chatId = `chat_01ARZ3NDEKTSV4RRFFQ69G${String(at).padStart(4, '0')}`;
    const time = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
    const meta = {
      chatId,
      title: `Chat ${at}`,
      workspaceMode: 'folder',
      workspaceRoot,
      workspaceFingerprint: `path:${workspaceRoot}`,
      createdAt: time,
      updatedAt: time,
      turns: 0,
    };
    mkdirSync(join(home, 'chats', chatId), { recursive: true });
    writeFileSync(join(home, 'chats', chatId, 'meta.json'), JSON.stringify(meta));
  }
}
