// Tests the card of changes below an answer: review, and undo of one file or the whole turn.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, conversation, isIdle, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content, mode: 'overwrite' } });

test('lists the changes of a turn on a phone, and undoes one file, then the rest', async () => {
  const { page, workspace } = await visit({
    files: (folder) => writeFile(join(folder, 'a.txt'), 'one\n'),
    script: [{ toolCalls: [write('a.txt', 'two\n'), write('b.txt', 'b\n')] }, { text: 'Both are written.' }, { text: 'Nothing else.' }],
    context: { viewport: { width: 360, height: 740 } },
  });
  await say(page, 'write');
  await reads(page, 'Both are written.');
  await isIdle(page);
  const card = conversation(page).getByRole('group', { name: 'Changes of this turn' });
  await card.getByText('2 files').waitFor();
  await card.getByText('+2').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await button(card, 'Review').focus();
  await page.keyboard.press('Enter');
  const files = page.getByRole('list', { name: 'Changed files' });
  await files.getByRole('button', { name: /^b\.txt/ }).click();
  await button(files, 'Undo this file').focus();
  await page.keyboard.press('Enter');
  await files.getByText('undone').waitFor();
  await expect.poll(() => readFile(join(workspace, 'b.txt')).catch(() => 'gone')).toBe('gone');
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Close the pane').click();
  await button(card, 'Undo').click();
  await card.getByText('undone').waitFor();
  expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('one\n');
  await say(page, 'and now?');
  await reads(page, 'Nothing else.');
  await isIdle(page);
  expect(await card.count()).toBe(1);
});
