// Tests page behaviour around the conversation: notices, the address, unsaved changes, the chat list and the layout.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, chatList, conversation, entries, isIdle, isReady, messageField, reads, say, useBrowser, openPages } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('removes a token from the address and remembers it', async () => {
  const { openTab, server, origin } = await visit({ isForeign: true, isClosed: true });
  const page = await openTab(`/?token=${server.token}#/settings`);
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(page.url()).toBe(`${origin}/#/settings`);
  expect(await page.evaluate(() => history.length)).toBe(2);
  await page.goto('about:blank');
  await page.goto(`${origin}/#/usage`);
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
});

test('shows an error notice above the composer and hides it in another chat', async () => {
  const { page, server, expectFault } = await visit();
  expectFault(/404.*api\/undo/);
  await isReady(page);
  // With a second chat it is no first run, whose page has no chat actions.
  await server.call('POST', '/api/chats', { activate: false });
  await button(page, 'Actions for this chat').click();
  await page.getByRole('menuitem', { name: /Undo/ }).click();
  const notice = page.getByRole('status', { name: 'Notices' }).getByText(/nothing can be undone/i);
  const box = await notice.boundingBox();
  const composer = await page.getByRole('form', { name: 'Composer' }).boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(composer?.y ?? 0);
  const { chatId } = (await server.call('POST', '/api/chats', { title: 'Another', activate: false })).body;
  await chatList(page).getByRole('link', { name: 'Another' }).click();
  await expect.poll(() => page.url()).toContain(chatId);
  await expect.poll(() => notice.count()).toBe(0);
});

const roundsField = async (page: Page, server: { call(method: string, path: string): Promise<any> }) => {
  const { fields } = (await server.call('GET', '/api/settings')).body;
  return page.getByLabel(fields.find((one: any) => one.key === 'AGENT_MAX_ROUNDS').label, { exact: true });
};

test('keeps unsaved settings while another page is open and resets a setting to its .env value', async () => {
  const { page, server } = await visit({ prepare: ({ home }) => writeFileSync(join(home, '.env'), 'AGENT_MAX_ROUNDS=50\n') });
  await isReady(page);
  await page.goto(`${server.url}/#/settings`);
  const search = page.getByRole('searchbox', { name: 'Search settings' });
  await search.fill('AGENT_MAX_ROUNDS');
  const field = await roundsField(page, server);
  await expect.poll(() => field.inputValue()).toBe('50');
  await field.fill('7');
  await (await openPages(page)).getByRole('menuitem', { name: /^Usage/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  await (await openPages(page)).getByRole('menuitem', { name: /^Settings.*unsaved/ }).click();
  await search.fill('AGENT_MAX_ROUNDS');
  await expect.poll(() => field.inputValue()).toBe('7');
  const value = async (): Promise<unknown> => (await server.call('GET', '/api/settings')).body.fields.find((one: any) => one.key === 'AGENT_MAX_ROUNDS');
  await button(page, 'Save').click();
  await expect.poll(value).toMatchObject({ value: 7, source: 'preferences' });
  await page.getByRole('button', { name: /^Reset to 50/ }).click();
  expect(await field.inputValue()).toBe('50');
  await button(page, 'Save').click();
  await expect.poll(value).toMatchObject({ value: 50, source: 'environment' });
});

test('shows at least 13 chats in the sidebar', async () => {
  const { page, server } = await visit();
  for (let count = 0; count < 20; count++) await server.call('POST', '/api/chats', { title: `Chat ${count}`, activate: false });
  await isReady(page);
  const inView = (): Promise<number> =>
    chatList(page).evaluate(
      (list) =>
        Array.from(list.querySelectorAll('.chat-row')).filter((row) => row.getBoundingClientRect().bottom <= (list.getBoundingClientRect().bottom ?? 0)).length,
    );
  await expect.poll(inView).toBeGreaterThanOrEqual(13);
});

test('announces a stopped turn and aligns replies with the composer', async () => {
  const { page } = await visit({ script: [{ text: ['This is the beginning', ' that never ends'], stallAfter: 1 }, { text: 'word '.repeat(2_000) }] });
  await say(page, 'go');
  await reads(page, 'This is the beginning');
  await button(page, 'Stop').click();
  await isIdle(page);
  const status = page.locator('.transcript p[role="status"]');
  await expect.poll(() => status.innerText()).toBe('Stopped by the user.');
  await say(page, 'again');
  await expect.poll(() => status.innerText()).toBe('The reply is complete.');
  const left = async (part: ReturnType<Page['locator']>): Promise<number> => (await part.first().boundingBox())?.x ?? 0;
  const composer = page.getByRole('form', { name: 'Composer' }).locator('> div');
  expect(Math.abs((await left(entries(page, 'assistant'))) - (await left(composer)))).toBeLessThanOrEqual(1);
  expect(await messageField(page).count()).toBe(1);
  expect(await conversation(page).count()).toBe(1);
});

test('opens the existing empty chat on New chat', async () => {
  const { page, server } = await visit({ script: [{ text: 'Hello.' }] });
  await isReady(page);
  const count = async (): Promise<number> => (await server.call('GET', '/api/chats')).body.chats.length;
  await say(page, 'hi');
  await reads(page, 'Hello.');
  await isIdle(page);
  const first = page.url();
  await button(page, 'New chat').click();
  await expect.poll(() => page.url()).not.toBe(first);
  const empty = page.url();
  await button(page, 'New chat').click();
  await chatList(page).getByRole('link', { name: 'hi' }).click();
  await reads(page, 'Hello.');
  await button(page, 'New chat').click();
  await expect.poll(() => page.url()).toBe(empty);
  expect(await count()).toBe(2);
});

test('saves settings immediately during a turn and applies them when it ends', async () => {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  const { page, server } = await visit({ script: [{ text: ['Working', ' done.'], stallAfter: 1, until }] });
  await say(page, 'go');
  await reads(page, 'Working');
  await (await openPages(page)).getByRole('menuitem', { name: 'Settings' }).click();
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('AGENT_MAX_ROUNDS');
  await (await roundsField(page, server)).fill('7');
  await button(page, 'Save').click();
  await page
    .getByText(/as soon as the running turn ends/)
    .first()
    .waitFor();
  await page.reload();
  await page
    .getByText(/as soon as the running turn ends/)
    .first()
    .waitFor();
  release();
  await expect
    .poll(async () => (await server.call('GET', '/api/settings')).body.fields.find((one: any) => one.key === 'AGENT_MAX_ROUNDS'))
    .toMatchObject({ value: 7, source: 'preferences' });
});
