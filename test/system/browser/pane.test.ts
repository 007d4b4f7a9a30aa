// Tests the pane beside a chat: changes with partial undo, the file tree, the viewer and previews.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, conversation, isIdle, isReady, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const lines = (change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 60 }, (_, index) => `${change[index + 1] ?? `const line${index + 1} = ${index + 1};`}\n`).join('');
const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content, mode: 'overwrite' } });
const pane = (page: Page) => page.getByRole('complementary', { name: 'Side pane' });

test('keeps the pane closed during a turn and undoes one part of a file, then the rest', async () => {
  const { page, workspace } = await visit({
    files: (folder) => writeFile(join(folder, 'a.ts'), lines()),
    script: [{ toolCalls: [write('a.ts', lines({ 2: 'two();', 30: 'thirty();', 58: 'last();' })), write('b.txt', 'b\n')] }],
    context: { viewport: { width: 1280, height: 800 } },
  });
  await say(page, 'write');
  await isIdle(page);
  const card = conversation(page).getByRole('group', { name: 'Changes of this turn' });
  await card.getByText('2 files').waitFor();
  expect(await pane(page).count()).toBe(0);
  await page.keyboard.press('Control+.');
  const files = pane(page).getByRole('list', { name: 'Changed files' });
  await files.getByRole('button', { name: /^a\.ts/ }).click();
  expect(await axeFaults(page)).toEqual([]);
  await button(files, 'Undo this part: Line 27').click();
  await expect.poll(() => readFile(join(workspace, 'a.ts'), 'utf8')).toBe(lines({ 2: 'two();', 58: 'last();' }));
  await expect.poll(() => files.getByRole('button', { name: /^Undo this part/ }).count()).toBe(2);
  await button(card, 'Review').click();
  await expect.poll(() => pane(page).getByRole('radio', { name: 'One turn' }).isChecked()).toBe(true);
  await button(card, 'Undo').click();
  await card.getByText('undone').waitFor();
  expect(await readFile(join(workspace, 'a.ts'), 'utf8')).toBe(lines());
  await button(page, 'Close the pane').click();
  await page.keyboard.press('Control+.');
  await pane(page).waitFor();
  await page.reload();
  await pane(page).waitFor();
});

test('marks changed files in the tree, opens the line named in a reply, and sandboxes previews', async () => {
  const { page, expectFault } = await visit({
    files: async (folder) => {
      await mkdir(join(folder, 'src'));
      await writeFile(join(folder, 'src/app.ts'), lines());
      await writeFile(
        join(folder, 'page.html'),
        '<style>h1{color:rgb(1,2,3)}</style><h1>Hello</h1><script>document.title="ran";document.body.append("ran")</script>',
      );
      await writeFile(join(folder, 'table.csv'), 'name,size\n"a, b",2\n');
      await writeFile(
        join(folder, 'draw.svg'),
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>',
      );
    },
    script: [
      { toolCalls: [{ name: 'edit_file', args: { path: 'src/app.ts', edits: [{ search: 'const line5 = 5;', replace: 'five();' }] } }] },
      { text: 'See `src/app.ts:42`, and src/app.ts:5 as well. Made with `node.js` as `page.html`. Not a place: `http://a.b:80`.' },
    ],
    context: { viewport: { width: 1280, height: 800 } },
  });
  await say(page, 'go');
  await reads(page, 'Not a place');
  await isIdle(page);
  await conversation(page).getByRole('button', { name: 'page.html', exact: true }).waitFor();
  expect(await conversation(page).getByRole('button', { name: 'node.js' }).count()).toBe(0);
  await conversation(page).getByRole('button', { name: 'src/app.ts:42' }).click();
  const viewer = pane(page).getByRole('region', { name: 'src/app.ts' });
  const marked = viewer.locator('.file-marked');
  await marked.waitFor();
  await expect.poll(() => marked.evaluate((one) => one.getBoundingClientRect().top > 100 && one.getBoundingClientRect().bottom < 780)).toBe(true);
  expect(await axeFaults(page)).toEqual([]);
  await button(viewer, 'Back to the files').click();
  const tree = pane(page).getByRole('navigation', { name: 'Files of the workspace' });
  await tree.getByRole('button', { name: /^src/ }).click();
  await tree.getByRole('button', { name: /app\.ts.*Edited/ }).waitFor();

  await tree.getByRole('button', { name: /^page\.html/ }).click();
  // The browser reports the blocked page script.
  expectFault(/Blocked script execution/);
  await button(pane(page), 'Preview').click();
  const frame = page.frameLocator('iframe[title="Preview of page.html"]');
  await frame.getByRole('heading', { name: 'Hello' }).waitFor();
  expect(await frame.getByRole('heading').evaluate((one) => getComputedStyle(one).color)).toBe('rgb(1, 2, 3)');
  expect(await frame.locator('body').textContent()).not.toMatch(/ran$/);
  await button(pane(page), 'Run scripts').click();
  await expect.poll(() => frame.locator('body').textContent()).toMatch(/ran$/);
  expect(await frame.locator('body').evaluate(() => [self.origin, navigator.onLine].map(String)[0])).toBe('null');
  expect(await axeFaults(page)).toEqual([]);
});

test('previews a CSV file as a table and an SVG file as an image', async () => {
  const { page } = await visit({
    files: async (folder) => {
      await writeFile(join(folder, 'table.csv'), 'name,size\n"a, b",2\n');
      await writeFile(
        join(folder, 'draw.svg'),
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>',
      );
    },
    context: { viewport: { width: 1280, height: 800 } },
  });
  await isReady(page);
  await page.keyboard.press('Control+.');
  const look = async (name: RegExp): Promise<void> => {
    await pane(page).getByRole('tab', { name: 'Files' }).click();
    await pane(page).getByRole('button', { name }).click();
    await button(pane(page), 'Preview').click();
  };
  await look(/^table\.csv/);
  await pane(page).getByRole('cell', { name: 'a, b' }).waitFor();
  await look(/^draw\.svg/);
  await pane(page).getByRole('img', { name: 'draw.svg' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
});

test('opens and closes the pane as a sheet by keyboard on a phone', async () => {
  const { page } = await visit({
    files: (folder) => writeFile(join(folder, 'a.ts'), lines()),
    script: [{ toolCalls: [write('a.ts', lines({ 2: 'two();' }))] }, { text: 'Done.' }],
    context: { viewport: { width: 360, height: 740 } },
  });
  await isReady(page);
  await say(page, 'write');
  await reads(page, 'Done.');
  await isIdle(page);
  const sheet = page.getByRole('dialog', { name: 'Side pane' });
  expect(await sheet.count()).toBe(0);
  await page.locator('.pane-button').focus();
  await page.keyboard.press('Enter');
  await sheet.getByRole('list', { name: 'Changed files' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await sheet.getByRole('tab', { name: /^Changes/ }).focus();
  await page.keyboard.press('ArrowRight');
  await sheet.getByRole('navigation', { name: 'Files of the workspace' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => sheet.count()).toBe(0);
});
