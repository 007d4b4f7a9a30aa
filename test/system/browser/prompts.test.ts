// Tests prompt templates in the page: create, fill in, edit and delete, by keyboard and on a phone.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, isReady, messageField, reads, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('creates, fills in by keyboard, sends, renames and deletes a prompt on a phone', async () => {
  const { page, server, model, home } = await visit({
    script: [{ text: 'I looked.' }],
    context: { viewport: { width: 360, height: 740 } },
  });
  await isReady(page);
  await page.goto(`${server.url}/#/prompts`);
  await page.getByText('No prompts yet.').waitFor();
  await button(page, 'New prompt').click();
  const form = page.getByRole('dialog', { name: 'New prompt' });
  await form.getByLabel('Name', { exact: true }).fill('review');
  await form.getByLabel('Description').fill('Reviews a file');
  await form.getByLabel('Text for the model').fill('Review $1. Look for $2.');
  await form.getByLabel('Names of the placeholders').fill('[file] [what to look for]');
  expect(await axeFaults(page)).toEqual([]);
  await button(form, 'Save').click();
  await page.getByRole('list', { name: 'Prompts' }).getByText('/review [file] [what to look for]').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await page.goto(`${server.url}/#/chat`);
  await isReady(page);
  await messageField(page).pressSequentially('/revi');
  await page.getByRole('option', { name: /^\/review/ }).waitFor();
  await page.keyboard.press('Enter');
  const places = page.getByRole('group', { name: 'Arguments of /review' });
  await places.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.keyboard.type('a b.ts');
  await page.keyboard.press('Tab');
  await page.keyboard.type('slips');
  await page.keyboard.press('Enter');
  await reads(page, 'I looked.');
  await reads(page, '/review "a b.ts" slips');
  expect(JSON.stringify(model.requests[0]!.body)).toContain('Review a b.ts. Look for slips.');
  expect(await messageField(page).inputValue()).toBe('');

  // Escape closes the argument form and leaves the command in the composer.
  await messageField(page).pressSequentially('/revi');
  await page.getByRole('option', { name: /^\/review/ }).waitFor();
  await page.keyboard.press('Enter');
  await places.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => places.count()).toBe(0);
  expect(await messageField(page).inputValue()).toBe('/review ');

  await page.goto(`${server.url}/#/prompts`);
  await button(page, 'Edit /review').click();
  const edit = page.getByRole('dialog', { name: 'Edit /review' });
  await edit.getByLabel('Name', { exact: true }).fill('judge');
  await button(edit, 'Save').click();
  await page.getByText('/judge [file]').waitFor();
  expect(await readFile(join(home, 'prompts/judge.md'), 'utf8')).toContain('Look for $2.');
  await writeFile(join(home, 'prompts/1.md'), 'x');
  await button(page, 'Delete /judge').click();
  await button(page.getByRole('alertdialog'), 'Delete').click();
  await page.getByText('No prompts yet.').waitFor();
  await page.getByText('Invalid file: prompts/1.md cannot be a command').waitFor();
});
