// Tests the pages for accessibility violations, in the light and the dark theme.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeFaults as both } from './axe-faults.ts';
import { settled } from './settled.ts';
import { conversation, isIdle, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
test('finds no violation in an empty chat and in one with answer, code, tools and a diff', async () => {
  const { page } = await visit({
    files: (workspace) => writeFile(join(workspace, 'a.ts'), 'export const a = 1;\n'),
    script: [
      {
        reasoning: 'Let me think.',
        text: '## Title\n\nSome `code`, a [link](https://example.org), a list:\n\n- [x] one\n- two\n\n> quote\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a: string = "x"; // comment\n```\n',
        toolCalls: [
          { name: 'read_file', args: { path: 'a.ts' } },
          { name: 'read_file', args: { path: 'missing.ts' } },
        ],
      },
      { toolCalls: [{ name: 'edit_file', args: { path: 'a.ts', edits: [{ search: '1', replace: '2' }] } }] },
      { text: 'The end.' },
    ],
  });
  await isIdle(page);
  expect(await both(page)).toEqual([]);
  await say(page, 'go');
  await reads(page, 'The end.');
  await isIdle(page);
  const closed = conversation(page).locator('[aria-expanded="false"]:visible');
  for (let step = 0; step < 20 && (await closed.count()) > 0; step++) await closed.first().click();
  expect(await both(page)).toEqual([]);
});

test('finds no violation on the settings, plugins, usage, search, trash, account, memory and connections pages', async () => {
  const environment = { AGENT_BUDGET_USD_PER_DAY: '0.012', AGENT_BUDGET_USD_FOR_MEMORY: '1' };
  const { page, server } = await visit({ script: [{ text: 'Hello.', usage: { input: 100, output: 50, cost: 0.01 } }], environment });
  await say(page, 'hi');
  await reads(page, 'Hello.');
  await reads(page, "80 percent of the budget 'day' are spent");
  await isIdle(page);
  for (const name of ['settings', 'plugins', 'usage', 'search', 'trash', 'account', 'memory', 'connections']) {
    await page.goto(`${server.url}/#/${name}`);
    await page.getByRole('heading', { level: 1, name: new RegExp(name, 'i') }).waitFor();
    await settled(page);
    expect(await both(page), name).toEqual([]);
    if (name === 'usage') await page.getByRole('row', { name: /^day 83 % \$0\.0100 \$0\.0120 \$0\.0020/ }).waitFor();
  }
});

test('finds no violation in the command palette, the chat menu and the sign-in', async () => {
  const { page, server } = await visit({ script: [{ text: 'Hello.' }] });
  await say(page, 'hi');
  await reads(page, 'Hello.');
  await isIdle(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  expect(await both(page)).toEqual([]);
  await page.keyboard.press('Escape');
  const { chats } = (await server.call('GET', '/api/chats')).body;
  await page.getByRole('button', { name: `Actions for ${chats[0].title}` }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
  expect(await both(page, { isFloating: true })).toEqual([]);
  const foreign = await visit({ isForeign: true });
  foreign.expectFault(/401/);
  await foreign.page.getByLabel('Token').waitFor();
  expect(await both(foreign.page)).toEqual([]);
});
