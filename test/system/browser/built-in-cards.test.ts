// What the built-ins show is made of views: the plan, a helper, a difference and usage as the page draws them, on a wide and on a narrow screen.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ScriptedRequest } from '../../helpers/scripted-model.ts';
import { axeFaults } from './axe-faults.ts';
import { button, conversation, isIdle, isReady, reads, say, toolCards, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const screens = { wide: { viewport: { width: 1280, height: 1000 } }, narrow: { viewport: { width: 360, height: 900 }, hasTouch: true, isMobile: true } };
const looks = process.env['LOOK_AT'];

/** As it is drawn; what is another one each time is told by its kind. */
async function drawn(place: Locator): Promise<string> {
  return (await place.ariaSnapshot())
    .replaceAll(/\b\d+(\.\d)? m?s\b/g, '… s')
    .replaceAll(/[A-Z][a-z]{2} \d{1,2}(?=[":])/g, 'day')
    .replaceAll(/\b(call|chat|turn|msg)_[0-9A-Z]{26}/g, '$1_…');
}

async function look(page: Page, name: string): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await axeFaults(page)).toEqual([]);
  if (looks === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(looks, `${name}-${colorScheme}.png`) });
  }
}

const items = [
  { text: 'Read the code ## all of it', status: 'done' },
  { text: 'Write a test that says what is to be, with a step whose words are longer than a narrow screen is wide', status: 'active' },
  { text: 'Mend it', status: 'pending' },
];
const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);

test.each(['wide', 'narrow'] as const)('%s: the plan over the field and in its card', async (size) => {
  let end = (): void => undefined;
  const until = new Promise<void>((resolve) => (end = resolve));
  const { page } = await visit({ script: [{ toolCalls: [{ name: 'update_plan', args: { items } }] }, { text: 'Planned.', until }], context: screens[size] });
  await isIdle(page);
  await say(page, 'plan it');
  const strip = page.getByRole('region', { name: 'Plan' });
  await strip.getByText('2 of 3').waitFor();
  // A phone has no room for it until somebody asks for it.
  if (size === 'narrow') await strip.getByRole('button').click();
  await strip.getByRole('listitem').first().waitFor();
  expect(await drawn(strip)).toMatchSnapshot();
  await conversation(page)
    .getByRole('button', { name: /update_plan/ })
    .first()
    .click();
  const card = toolCards(page).first();
  await card.getByRole('listitem').first().waitFor();
  expect(await drawn(card)).toMatchSnapshot();
  await look(page, `plan-${size}`);
  end();
  await reads(page, 'Planned.');
});

test.each(['wide', 'narrow'] as const)('%s: a helper at work and once it is done', async (size) => {
  let end = (): void => undefined;
  const until = new Promise<void>((resolve) => (end = resolve));
  const isTask = ({ body }: ScriptedRequest): boolean =>
    String(body.messages.find((one: any) => one.role === 'user')?.content ?? '').includes('Count the files');
  const isParent = (request: ScriptedRequest): boolean => !isTask(request);
  const { page } = await visit({
    script: [
      { when: isParent, toolCalls: [{ name: 'spawn_task', args: { goal: 'Count the files:\n1. all of *them*\n2. twice' } }] },
      {
        when: isTask,
        toolCalls: [
          { name: 'list_dir', args: { path: '.' } },
          { name: 'search', args: { pattern: 'a pattern that is longer than a narrow screen is wide, and than a line' } },
        ],
      },
      { when: isTask, text: ['There are ', '**none', '** at all.'], stallAfter: 2, until },
      { when: isParent, text: 'The folder is empty.' },
    ],
    context: screens[size],
  });
  await isIdle(page);
  await say(page, 'how many?');
  const task = toolCards(page).first().getByRole('region', { name: 'Task' });
  await task.waitFor();
  await expect.poll(() => task.getByRole('listitem').count()).toBe(2);
  // What is open at its end is closed until it is.
  await task.locator('strong', { hasText: 'none' }).waitFor();
  expect(await drawn(task)).toMatchSnapshot();
  await look(page, `task-${size}`);
  end();
  await reads(page, 'The folder is empty.');
  await isIdle(page);
  await toolCards(page)
    .first()
    .getByRole('button', { name: /spawn_task/ })
    .click();
  await task.waitFor();
  expect(await drawn(task)).toMatchSnapshot();
});

test.each(['wide', 'narrow'] as const)('%s: the difference in the card of an edit, and part by part in the tab', async (size) => {
  const { page } = await visit({
    files: (workspace) => writeFile(join(workspace, 'long.txt'), `${lines.join('\n')}\n`),
    script: [
      { toolCalls: [{ name: 'read_file', args: { path: 'long.txt' } }] },
      {
        toolCalls: [
          {
            name: 'edit_file',
            args: {
              path: 'long.txt',
              edits: [
                { search: 'line 1\n', replace: 'ONE\n' },
                { search: 'line 25', replace: 'LAST' },
              ],
            },
          },
        ],
      },
      { text: 'Edited.' },
    ],
    context: screens[size],
  });
  await isIdle(page);
  await say(page, 'edit');
  await reads(page, 'Edited.');
  await isIdle(page);
  const card = page.locator('[data-kind="tool"]').filter({ hasText: 'edit_file' }).first();
  await card.locator('.diff-view table').waitFor();
  expect(await drawn(card)).toMatchSnapshot();
  await look(page, `diff-${size}`);
  await button(conversation(page).getByRole('group', { name: 'What this turn changed' }), 'Review').click();
  const files = page.getByRole('list', { name: 'Changed files' });
  await files.getByRole('button', { name: /^long\.txt/ }).click();
  const parts = files.getByRole('list', { name: 'Changes in long.txt' });
  await expect.poll(() => parts.locator('table').count()).toBe(2);
  expect(await drawn(parts)).toMatchSnapshot();
  await look(page, `changes-${size}`);
  await button(parts, 'Undo this part: Line 23').click();
  // What is left is one part, which is the file.
  await parts.waitFor({ state: 'detached' });
  await expect.poll(() => files.locator('table').innerText()).not.toContain('LAST');
});

test.each(['wide', 'narrow'] as const)('%s: usage, asked for in the conversation', async (size) => {
  const { page } = await visit({ isFresh: true, script: [{ text: 'Hello.' }], context: screens[size] });
  await isReady(page);
  await say(page, 'hi');
  await reads(page, 'Hello.');
  await say(page, '/view usage');
  const shown = conversation(page).locator('[data-kind="note"] .view');
  await shown.getByRole('table').first().waitFor();
  expect(await shown.locator('.view-block').evaluateAll((blocks) => blocks.map((block) => (block as HTMLElement).dataset['block']))).toEqual([
    ...['fields', 'table', 'chart', 'table', 'table', 'table', 'table', 'table'],
  ]);
  expect(await drawn(shown.locator('.view-block').first())).toMatchSnapshot();
  expect(await drawn(shown.locator('.view-block').last())).toMatchSnapshot();
  await look(page, `usage-${size}`);
});

test.each(['wide', 'narrow'] as const)('%s: usage as a page, read with what its form says', async (size) => {
  const { page, server } = await visit({ isFresh: true, script: [{ text: 'Hello.' }], context: { ...screens[size], timezoneId: 'America/Los_Angeles' } });
  await isReady(page);
  await say(page, 'hi');
  await reads(page, 'Hello.');
  await page.goto(`${server.url}/#/view/usage`);
  const form = page.getByRole('form', { name: 'Show it with' });
  await form.getByRole('spinbutton', { name: 'Days' }).fill('2');
  await form.getByRole('combobox', { name: 'Chat' }).selectOption({ label: 'hi' });
  expect(await drawn(form)).toMatchSnapshot();
  await button(form, 'Show').click();
  await expect.poll(() => page.url()).toMatch(/#\/view\/usage\?days=2&chat=chat_/);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format();
  await page.getByRole('row', { name: new RegExp(`^${day} `) }).waitFor();
  await page.getByRole('region', { name: 'By plugin' }).getByRole('link', { name: 'agent' }).click();
  await expect.poll(() => page.url()).toMatch(/&plugin=agent$/);
  await expect.poll(() => page.getByRole('region', { name: 'By plugin' }).getByRole('link').count()).toBe(0);
  expect(await form.getByRole('textbox', { name: 'Plugin' }).inputValue()).toBe('agent');
  await look(page, `usage-page-${size}`);
});
