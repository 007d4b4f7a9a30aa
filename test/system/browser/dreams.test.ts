// Tests dream runs on the memory page: evidence, inbox decisions, undo, and forgetting what came from a chat.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shownIn } from '../../unit/builtins/dream/generated-conversations.ts';
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

test('shows the notes of a dream run with their evidence, decides the inbox, and undoes the rest', async () => {
  const { page, server } = await visit({ script });
  await isReady(page);
  await server.call('POST', '/api/message', { text: 'I use Helix for everything.' });
  await reads(page, 'The shop closes on Sundays at noon.');
  await expect.poll(async () => (await server.call('GET', '/api/status')).body.busy).toBe(false);
  await page.goto(`${server.url}/#/memory`);
  await button(page, 'Dream now').click();
  const run = page.locator('.dream').first();
  await run.getByText('1 stored, 1 waiting, 1 refused').waitFor();
  await run.locator('summary').click();
  await run.getByText('It states more than its evidence, or the opposite.').waitFor();
  const link = run.getByRole('link', { name: 'you' }).first();
  expect(await link.getAttribute('href')).toMatch(/^#\/chat\/chat_\w+\/msg_\w+$/);

  const editor = note(page, 'fact:editor');
  await button(editor, 'Pin fact:editor').click();
  await button(editor, 'Unpin fact:editor').click();
  await button(editor, 'Pin fact:editor').waitFor();

  await page.getByRole('link', { name: 'Inbox 1 waiting' }).click();
  const hours = note(page, 'fact:hours');
  await hours.getByText('The statement is from the assistant, not from you.').waitFor();
  await button(hours, 'Exclude the subject of fact:hours').click();
  await page.getByText('The inbox is empty.').waitFor();
  const never = page.getByRole('listitem', { name: 'Never fact:hours' });
  await button(never, 'Allow again').click();
  await never.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Notes', exact: true }).click();
  await run.locator('summary').click();
  await button(run, 'Undo this dream').click();
  await button(page.getByRole('alertdialog'), 'Undo').click();
  await run.getByText('undone', { exact: true }).waitFor();
  await run.getByText('You decided about this note after the run.').waitFor();
  await editor.waitFor({ state: 'detached' });
});

test('accepts a pending note with edited text and forgets the notes from a chat', async () => {
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
  await page.getByText('The inbox is empty.').waitFor();
  await page.getByRole('link', { name: 'Notes', exact: true }).click();
  await hours.getByText('The shop is closed on Sundays.').waitFor();
  const editor = note(page, 'fact:editor');
  await editor.getByText('Sources').click();
  await button(editor, 'Delete all data derived from the chat of fact:editor').click();
  await button(page.getByRole('alertdialog'), 'Forget').click();
  await editor.waitFor({ state: 'detached' });
  expect((await server.call('GET', '/api/memory')).body.notes).toMatchObject([{ value: 'The shop is closed on Sundays.' }]);
});
