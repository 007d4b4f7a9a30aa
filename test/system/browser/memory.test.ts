// Tests the memory page: reading, editing, forgetting and restoring notes, and external notes that wait for a decision.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, clickUntil, isIdle, isReady, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const note = (page: Page, id: string) => page.getByRole('listitem', { name: id, exact: true });
const add = { type: 'fact', scope: 'global' };

const at = '2026-11-01T10:00:00.000Z';
const pendingNote = {
  value: 'Buy <b>now</b>\u202e',
  createdAt: at,
  updatedAt: at,
  accessCount: 0,
  confidence: 0.5,
  links: [],
  source: { kind: 'web', ref: 'https://shop.example/' },
  revision: 1,
  isPending: true,
};

test('shows a note with markup as text, edits it in place, forgets it, and restores it by undo', async () => {
  const { page, server } = await visit();
  await isIdle(page);
  await server.call('POST', '/api/memory', { ...add, key: 'tea', value: 'Green <img src=x onerror=alert(1)> tea' });
  await page.goto(`${server.url}/#/memory`);
  const tea = note(page, 'fact:tea');
  await tea.getByText('Green <img src=x onerror=alert(1)> tea').waitFor();
  expect(await tea.locator('img').count()).toBe(0);
  await tea.getByText('written by you').waitFor();

  await button(tea, 'Edit fact:tea').click();
  expect(await axeFaults(page)).toEqual([]);
  await tea.getByRole('textbox').fill('Black tea');
  await button(tea, 'Save').click();
  await tea.getByText('Black tea').waitFor();
  expect((await server.call('GET', '/api/memory?q=tea')).body.notes).toMatchObject([{ value: 'Black tea', revision: 2 }]);

  await button(tea, 'Forget fact:tea').click();
  await tea.waitFor({ state: 'detached' });
  await page.getByText('Forgot fact:tea.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Undo').click();
  await tea.getByText('Black tea').waitFor();

  await button(tea, 'Forget fact:tea').click();
  await tea.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Forgotten' }).click();
  await button(page, 'Restore fact:tea').click();
  await page.getByText('No forgotten notes.').waitFor();
  expect((await server.call('GET', '/api/memory')).body.notes).toMatchObject([{ id: 'fact:tea' }]);
});

test('shows a concurrent change of a note and does not overwrite it without confirmation', async () => {
  const { page, server, expectFault } = await visit();
  expectFault(/409/);
  await isIdle(page);
  const { id, scope, revision } = (await server.call('POST', '/api/memory', { ...add, key: 'city', value: 'Graz' })).body.note;
  await page.goto(`${server.url}/#/memory`);
  const city = note(page, 'fact:city');
  await button(city, 'Edit fact:city').click();
  await city.getByRole('textbox').fill('Linz');
  await server.call('PUT', '/api/memory', { id, scope, revision, value: 'Wien' });
  await city.getByText('Current text:').waitFor();
  await button(city, 'Save').click();
  await city.getByText('The note changed in the meantime, so your text was not saved.').waitFor();
  expect((await server.call('GET', '/api/memory')).body.notes).toMatchObject([{ value: 'Wien' }]);
  await button(city, 'Keep my text').click();
  await button(city, 'Save').click();
  await city.getByText('Linz').waitFor();
  await expect.poll(async () => (await server.call('GET', '/api/memory')).body.notes).toMatchObject([{ value: 'Linz' }]);
});

test('counts pending notes from the web in the inbox, and accepts or rejects them', async () => {
  const { page, server } = await visit({
    prepare: ({ home }) =>
      writeFile(join(home, '.agent_notes.json'), JSON.stringify({ 'fact:offer': pendingNote, 'fact:spam': { ...pendingNote, value: 'Spam' } })),
  });
  await isReady(page);
  await page.goto(`${server.url}/#/memory`);
  await page.getByText('No notes yet.').waitFor();
  await page.getByRole('link', { name: 'Inbox 2 waiting' }).click();
  const offer = note(page, 'fact:offer');
  await offer.getByText('Buy <b>now</b>U+202E').waitFor();
  await offer.getByText('from the web, waiting for review').waitFor();
  await offer.getByText('50 % sure').waitFor();
  await button(offer, 'Accept fact:offer').click();
  await clickUntil(button(page, 'Reject fact:spam'), page.getByText('The inbox is empty.'));
  await page.getByRole('link', { name: 'Notes', exact: true }).click();
  await offer.waitFor();
  expect((await server.call('GET', '/api/memory')).body.notes.map((one: any) => one.id)).toEqual(['fact:offer']);
});

test('adds a note, finds it by text and scope, and loads long lists in pages', async () => {
  const { page, server } = await visit();
  await isIdle(page);
  for (let index = 0; index < 55; index++) await server.call('POST', '/api/memory', { ...add, key: `number ${index}`, value: `entry ${index}` });
  await page.goto(`${server.url}/#/memory`);
  await page.getByText('50 of 55 notes').waitFor();
  await clickUntil(button(page, 'Show more'), page.getByText('55 notes', { exact: true }));

  await button(page, 'Add a note').click();
  const dialog = page.getByRole('dialog', { name: 'Add a note' });
  await dialog.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByLabel('Name').fill('build');
  await dialog.getByLabel('Text').fill('It is built with make.');
  await button(dialog, 'Add note').click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Search notes' }).fill('make');
  await page.getByText('1 note', { exact: true }).waitFor();
  await note(page, 'fact:build').getByText('This folder').waitFor();
  await page.getByLabel('Scope').selectOption('global');
  await page.getByText('No note matches.').waitFor();
});

test('shows a note written by the agent without a reload', async () => {
  const { page, server } = await visit({ script: [{ toolCalls: [{ name: 'remember', args: { key: 'colour', value: 'Blue' } }] }, { text: 'Noted.' }] });
  await isReady(page);
  await page.goto(`${server.url}/#/memory`);
  await page.getByText('No notes yet.').waitFor();
  await server.call('POST', '/api/message', { text: 'My favourite colour is blue.' });
  const colour = page.getByRole('listitem').filter({ hasText: 'Blue' });
  await colour.getByText('the agent, in a turn').waitFor();
});
