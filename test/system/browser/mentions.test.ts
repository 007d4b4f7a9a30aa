// Tests mentions of files, pasting a long text, and special content in replies: tables, keys and details.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { conversation, isIdle, isReady, lastUserText, messageField, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('completes a file mention through its folder and attaches a long pasted text, on a phone by keyboard', async () => {
  const { page, model } = await visit({
    files: async (folder) => {
      await mkdir(join(folder, 'prices'));
      await writeFile(join(folder, 'prices/list.ts'), 'x');
      await writeFile(join(folder, 'other.md'), 'x');
    },
    script: [{ text: 'I see.' }],
    context: { viewport: { width: 360, height: 740 } },
  });
  await isReady(page);
  await messageField(page).pressSequentially('Look at @pri');
  const list = page.getByRole('listbox', { name: 'Mentions' });
  await list.getByRole('option', { name: /^prices\/ / }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.keyboard.press('Tab');
  expect(await messageField(page).inputValue()).toBe('Look at @prices/');
  await page.keyboard.type('li');
  await list.getByRole('option', { name: /^prices\/list\.ts/ }).waitFor();
  await page.keyboard.press('Enter');
  expect(await messageField(page).inputValue()).toBe('Look at @prices/list.ts ');
  await page.keyboard.type('please @');
  await list.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => list.count()).toBe(0);
  await messageField(page).evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'a long line\n'.repeat(1_000));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByRole('list', { name: 'Attachments' }).getByText('Pasted text.txt').waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await reads(page, 'I see.');
  expect(lastUserText(model.requests[0]!)).toContain('@prices/list.ts please');
});

test('saves a table as CSV, renders keys and details, and shows other markup as text', async () => {
  const { page } = await visit({
    script: [
      {
        text: '| a | b |\n|---|---|\n| 1 | x, y |\n\nPress <kbd>Ctrl</kbd>.\n\n<details>\n<summary>More of it</summary>\n\nHidden **words**.\n\n</details>\n\n<b onclick="x">raw</b>',
      },
    ],
  });
  await say(page, 'go');
  await reads(page, 'Press');
  await isIdle(page);
  await conversation(page).locator('kbd', { hasText: 'Ctrl' }).waitFor();
  await conversation(page).getByText('<b onclick="x">').waitFor();
  await conversation(page).getByText('More of it').click();
  await conversation(page).locator('details strong', { hasText: 'words' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await conversation(page).getByRole('button', { name: 'Save as CSV' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toBe('a,b\r\n1,"x, y"\r\n');
});
