// Tests the plan above the composer and the cards of tasks within a turn.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ScriptedRequest } from '../../helpers/scripted-model.ts';
import { axeFaults } from './axe-faults.ts';
import { clickUntil, conversation, isIdle, reads, say, toolCards, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const steps = (...items: [string, string][]) => ({ items: items.map(([text, status]) => ({ text, status })) });
const phone = { viewport: { width: 360, height: 900 }, hasTouch: true, isMobile: true };
const plan = (...items: [string, string][]) => ({ toolCalls: [{ name: 'update_plan', args: steps(...items) }] });

async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await axeFaults(page)).toEqual([]);
}

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

function createGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

test('shows the plan live during the turn, keeps it collapsed after a reload and removes it when all steps are done', async () => {
  const [first, second] = [createGate(), createGate()];
  const { page } = await visit({
    script: [
      plan(['Read the code', 'active'], ['Write a <b>test</b>', 'pending']),
      { ...plan(['Read the code', 'done'], ['Write a <b>test</b>', 'active']), until: first.opened },
      { ...plan(['Read the code', 'done'], ['Write a <b>test</b>', 'done']), until: second.opened },
      { text: 'All done.' },
    ],
  });
  await isIdle(page);
  const region = page.getByRole('region', { name: 'Plan' });
  expect(await region.count()).toBe(0);
  await say(page, 'go');
  await region.getByRole('listitem').filter({ hasText: 'Write a <b>test</b>' }).waitFor();
  await expect.poll(() => region.getByRole('listitem').filter({ hasText: 'Read the code' }).getAttribute('aria-current')).toBe('step');
  await region.getByRole('button').click();
  await region.getByText('1 of 2: Read the code').waitFor();
  expect(await region.getByRole('listitem').count()).toBe(0);
  first.open();
  await region.getByText('2 of 2: Write a <b>test</b>').waitFor();
  await page.reload();
  await region.getByText('2 of 2: Write a <b>test</b>').waitFor();
  second.open();
  await reads(page, 'All done.');
  await isIdle(page);
  await region.waitFor({ state: 'detached' });
});

test('keeps an unfinished plan collapsed after the turn until it is cleared', async () => {
  const { page, server } = await visit({ script: [plan(['One', 'done'], ['Two', 'pending']), { text: 'Stopped halfway.' }] });
  await isIdle(page);
  await say(page, 'go');
  await reads(page, 'Stopped halfway.');
  await isIdle(page);
  const region = page.getByRole('region', { name: 'Plan' });
  await region.getByText('2 of 2: Two').waitFor();
  expect(await region.getByRole('button').getAttribute('aria-expanded')).toBe('false');
  await server.call('POST', '/api/session/reset', { mode: 'soft' });
  await region.waitFor({ state: 'detached' });
});

test('collapses the plan on a phone until it is opened, shows markup as text, and fits the screen', async () => {
  const { page } = await visit({
    script: [plan(['Read the code ## all of it', 'done'], [`A step whose ${'words '.repeat(20)}do not fit`, 'active']), { text: 'Planned.' }],
    context: phone,
  });
  await isIdle(page);
  await say(page, 'plan it');
  await reads(page, 'Planned.');
  const region = page.getByRole('region', { name: 'Plan' });
  await region.getByText('2 of 2').waitFor();
  expect(await region.getByRole('listitem').count()).toBe(0);
  await region.getByRole('button').click();
  await region.getByRole('listitem').filter({ hasText: 'Read the code ## all of it' }).waitFor();
  await expectFits(page);
  await conversation(page)
    .getByRole('button', { name: /update_plan/ })
    .first()
    .click();
  await toolCards(page).first().getByRole('listitem').filter({ hasText: 'Read the code ## all of it' }).waitFor();
  await expectFits(page);
});

test('shows the goal, calls and result of a task in its card, also after a reload', async () => {
  const gate = createGate();
  const goalOf = ({ body }: ScriptedRequest): string => String(body.messages.find((message: any) => message.role === 'user')?.content ?? '');
  const isTask = (request: ScriptedRequest): boolean => goalOf(request).includes('count the files');
  const isParent = (request: ScriptedRequest): boolean => !isTask(request);
  const { page } = await visit({
    script: [
      { when: isParent, toolCalls: [{ name: 'spawn_task', args: { goal: 'count the files' } }] },
      { when: isTask, toolCalls: [{ name: 'list_dir', args: {} }] },
      { when: isTask, text: ['There are ', '**none', '**.'], stallAfter: 2, until: gate.opened },
      { when: isParent, text: 'The folder is empty.' },
    ],
    context: phone,
  });
  await isIdle(page);
  await say(page, 'how many?');
  const card = toolCards(page).first();
  const task = card.getByRole('region', { name: 'Task' });
  const open = async (): Promise<void> => {
    await card.waitFor();
    await clickUntil(card.locator('button[aria-expanded="false"]').first(), task);
  };
  await open();
  await task.getByText('count the files').waitFor();
  await task.getByRole('listitem').filter({ hasText: 'list_dir' }).getByText('done').waitFor();
  await task.locator('strong', { hasText: 'none' }).waitFor();
  await expectFits(page);
  gate.open();
  await reads(page, 'The folder is empty.');
  await isIdle(page);
  await page.reload();
  await reads(page, 'The folder is empty.');
  await open();
  await task.getByText('count the files').waitFor();
  await task.getByRole('listitem').filter({ hasText: 'list_dir' }).getByText('done').waitFor();
  await expect.poll(() => conversation(page).textContent()).toMatch(/There are (?:\*\*)?none/);
});
