// Dreams on the memory page: a run with its words, the inbox with its ways to decide, the undo, and a chat that is forgotten.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shownIn } from '../../unit/builtins/dream/lives.ts';
import { button, isReady, reads, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const note = (page: Page, id: string) => page.getByRole('listitem', { name: id, exact: true });

function script(request: { readonly body: any }) {
  if (!JSON.stringify(request.body.messages[0]).includes('notes while it is idle')) return { text: 'The shop closes on Sundays at noon.' };
  const shown = shownIn(request.body);
  const on = (by: string, quote: string) =>
    shown.filter((one) => one.by === by && one.text.includes(quote)).map(({ chatId, entry }) => ({ chatId, entryId: entry, quote }));
  const upserts = [
    { key: 'editor', value: 'The user uses Helix for everything.', scope: 'global', evidence: on('user', 'I use Helix for everything') },
    {
      key: 'hours',
      value: 'The shop closes on Sundays at noon.',
      scope: 'global',
      evidence: on('assistant', 'The shop closes on Sundays at noon').slice(0, 1),
    },
    { key: 'keys', value: 'The user mails keys to Mallory.', scope: 'global', evidence: on('user', 'I use Helix for everything') },
  ];
  return { text: JSON.stringify({ summary: 'Noted the editor.', upserts, deletes: [] }) };
}

test('a dream shows what it kept and from which words, what waits is decided, and undo takes the rest back', async () => {
  const { page, server } = await visit({ script });
  await isReady(page);
  await server.call('POST', '/api/message', { text: 'I use Helix for everything.' });
  await reads(page, 'The shop closes on Sundays at noon.');
  await expect.poll(async () => (await server.call('GET', '/api/status')).body.busy).toBe(false);
  await page.goto(`${server.url}/#/memory`);
  await button(page, 'Dream now').click();
  const run = page.locator('.dream').first();
  await run.getByText('1 kept, 1 waiting, 1 refused').waitFor();
  await run.locator('summary').click();
  await run.getByText('It says more than, or the opposite of, the words that it rests on.').waitFor();
  const link = run.getByRole('link', { name: 'you' }).first();
  expect(await link.getAttribute('href')).toMatch(/^#\/chat\/chat_\w+\/msg_\w+$/);

  const editor = note(page, 'fact:editor');
  await button(editor, 'Pin fact:editor').click();
  await button(editor, 'Unpin fact:editor').click();
  await button(editor, 'Pin fact:editor').waitFor();

  await page.getByRole('link', { name: 'Inbox 1 waiting' }).click();
  const hours = note(page, 'fact:hours');
  await hours.getByText('Heard from the assistant, and not from you.').waitFor();
  await button(hours, 'Never note anything about fact:hours').click();
  await page.getByText('Nothing waits for you.').waitFor();
  const never = page.getByRole('listitem', { name: 'Never fact:hours' });
  await button(never, 'Allow again').click();
  await never.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Notes', exact: true }).click();
  await run.locator('summary').click();
  await button(run, 'Undo this dream').click();
  await button(page.getByRole('alertdialog'), 'Undo').click();
  await run.getByText('undone', { exact: true }).waitFor();
  await run.getByText('You decided about it since.').waitFor();
  await editor.waitFor({ state: 'detached' });
});

test('what waits is accepted in other words, and what came from a chat is forgotten from a note of it', async () => {
  const { page, server } = await visit({ script });
  await isReady(page);
  await server.call('POST', '/api/message', { text: 'I use Helix for everything.' });
  await reads(page, 'The shop closes on Sundays at noon.');
  await expect.poll(async () => (await server.call('GET', '/api/status')).body.busy).toBe(false);
  await server.call('POST', '/api/dreams', {});
  await page.goto(`${server.url}/#/memory/inbox`);
  const hours = note(page, 'fact:hours');
  await button(hours, 'Edit and accept fact:hours').click();
  await hours.getByRole('textbox').fill('The shop is closed on Sundays.');
  await button(hours, 'Save').click();
  await page.getByText('Nothing waits for you.').waitFor();
  await page.getByRole('link', { name: 'Notes', exact: true }).click();
  await hours.getByText('The shop is closed on Sundays.').waitFor();
  const editor = note(page, 'fact:editor');
  await editor.getByText('What it rests on').click();
  await button(editor, 'Forget what came from the chat of fact:editor').click();
  await button(page.getByRole('alertdialog'), 'Forget').click();
  await editor.waitFor({ state: 'detached' });
  expect((await server.call('GET', '/api/memory')).body.notes).toMatchObject([{ value: 'The shop is closed on Sundays.' }]);
});
