// Every page, light and dark, before the judge of accessibility: no violation.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../helpers/sources.ts';
import { axeFaults as both } from './axe-faults.ts';
import { settled } from './settled.ts';
import { approvalOf, button, conversation, isIdle, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
test('the chat: empty, with an answer, code, tools and a diff, while it asks for approval, with a question', async () => {
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
      { toolCalls: [{ name: 'run_command', args: { command: 'touch x' } }] },
      { toolCalls: [{ name: 'ask_user', args: { prompt: 'Which?', options: ['one', 'two'] } }] },
      { text: 'The end.' },
    ],
  });
  await isIdle(page);
  expect(await both(page)).toEqual([]);
  await say(page, 'go');
  const group = approvalOf(page, 'run_command');
  await group.waitFor();
  expect(await both(page)).toEqual([]);
  await button(group, 'Always…').click();
  await page.getByRole('menu').waitFor();
  expect(await both(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await button(group, 'Deny').click();
  await group.getByLabel('Reason (optional)').waitFor();
  expect(await both(page)).toEqual([]);
  await button(group, 'Deny now').click();
  const question = page.getByRole('group', { name: 'Question' });
  await question.waitFor();
  expect(await both(page)).toEqual([]);
  await button(question, 'one').click();
  await reads(page, 'The end.');
  await isIdle(page);
  const closed = conversation(page).locator('[aria-expanded="false"]');
  for (let step = 0; step < 20 && (await closed.count()) > 0; step++) await closed.first().click();
  expect(await both(page)).toEqual([]);
});

test('the pages settings, plugins, usage, search, account, memory and connections', async () => {
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

test('notes with their editor and a new one, what a folder brings, the forms of connections, and a plan', async () => {
  const items = ['done', 'active', 'pending'].map((status) => ({ text: `A step that is ${status}`, status }));
  const { page, server } = await visit({
    files: (workspace) => writeFile(join(workspace, 'AGENTS.md'), 'Use tabs.\n'),
    script: [{ toolCalls: [{ name: 'update_plan', args: { items } }] }, { text: 'Begun.' }],
  });
  await say(page, 'go');
  await reads(page, 'Begun.');
  await isIdle(page);
  await page.getByRole('link', { name: 'Look at it' }).waitFor();
  await page.getByRole('region', { name: 'Plan' }).getByRole('button').click();
  expect(await both(page)).toEqual([]);

  await server.call('POST', '/api/memory', { key: 'city', value: 'Graz', scope: 'global' });
  await page.goto(`${server.url}/#/memory`);
  await button(page, 'Edit fact:city').click();
  expect(await both(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await button(page, 'Forget fact:city').click();
  await button(page, 'Undo').waitFor();
  expect(await both(page)).toEqual([]);
  await button(page, 'Add a note').click();
  expect(await both(page)).toEqual([]);

  await page.goto(`${server.url}/#/connections`);
  await button(page, 'Trust: 1 file with instructions').waitFor();
  expect(await both(page)).toEqual([]);
  for (const name of ['Add MCP server', 'Add OpenAPI document']) {
    await button(page, name).click();
    await page.getByRole('dialog').waitFor();
    expect(await both(page)).toEqual([]);
    await page.keyboard.press('Escape');
  }
});

test('the palette, the menu of a chat, and the sign-in', async () => {
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

test('a phone', async () => {
  const { page } = await visit({ context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, script: [{ text: 'Hello.' }] });
  await say(page, 'hi');
  await reads(page, 'Hello.');
  await isIdle(page);
  expect(await both(page)).toEqual([]);
  await page
    .getByRole('button', { name: /^(?:open |show )?(?:chats|chat list|menu)/i })
    .first()
    .tap();
  expect(await both(page)).toEqual([]);
});

test('what a plugin says by itself, what it asks for, and its page', async () => {
  const args = { what: 'Hand in the report', due: new Date().toISOString() };
  const { page, server } = await visit({
    environment: { AGENT_PLUGIN_DIR: join(root, 'examples/deadlines'), EXAMPLE_DEADLINES_PATTERN: '* * * * * *' },
    script: [{ toolCalls: [{ name: 'set_deadline', args }] }, { text: 'Noted.' }, { text: 'Hello.' }],
  });
  await isIdle(page);
  await say(page, 'Remind me.');
  await conversation(page).getByRole('article', { name: 'deadlines said' }).waitFor();
  await reads(page, 'Noted.');
  await isIdle(page);
  await server.call('POST', '/api/session/reset', { mode: 'soft', greet: true });
  await reads(page, 'Hello.');
  await conversation(page).getByRole('article', { name: 'agent asked' }).waitFor();
  expect(await both(page)).toEqual([]);
  await page.goto(`${server.url}/#/panel/deadlines`);
  await button(page, 'Done: Hand in the report').waitFor();
  expect(await both(page)).toEqual([]);
});
