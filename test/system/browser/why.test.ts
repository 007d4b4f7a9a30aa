// Tests the provenance view (Why?): from a call, an answer, an approval or selected text to its sources.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { approvalOf, button, clickUntil, entries, isIdle, isReady, openActions, say, toolCards, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const line = 'The ferry to the northern islands leaves at seven from pier twelve.';
const view = (page: Page): Locator => page.locator('[data-view="why"]');

/** Closes the view. The page stays on the chat. */
async function closeWhy(page: Page): Promise<void> {
  expect(new URL(page.url()).hash).toMatch(/^#\/chat/);
  await page.keyboard.press('Escape');
  await view(page).waitFor({ state: 'detached' });
}

test('opens the provenance of a call and an approval, and follows its links', async () => {
  const { page } = await visit({
    files: (workspace) => writeFile(join(workspace, 'harbour.txt'), `${line}\nTickets are sold on board.\n`),
    context: { viewport: { width: 1280, height: 800 } },
    script: [
      { text: 'I look.', toolCalls: [{ name: 'read_file', args: { path: 'harbour.txt' } }] },
      { text: 'I write it down.', toolCalls: [{ name: 'write_file', args: { path: 'times.txt', content: `Remember: ${line}\n` } }] },
      { text: 'It is noted.', toolCalls: [{ name: 'remember', args: { key: 'ferry', value: line } }] },
      { text: `In short: ${line}` },
    ],
  });
  await isReady(page);
  await say(page, 'Write down when the ferry leaves, and keep it in mind.');

  const question = approvalOf(page, 'remember');
  await clickUntil(question.getByRole('button', { name: 'Why?' }), view(page).getByText('It is waiting for a decision.'));
  await view(page)
    .getByText(/The workspace, in its argument value: harbour\.txt/)
    .waitFor();
  await closeWhy(page);
  await button(question, 'Approve').click();
  await entries(page, 'assistant').getByText('In short:').waitFor();

  const card = toolCards(page).filter({ hasText: 'times.txt' });
  await openCard(card);
  await card.getByRole('button', { name: 'Why?' }).click();
  const source = view(page).getByRole('link', { name: `“${line.slice(0, -1)}”` });
  await source.waitFor();
  await view(page).getByText('The workspace, in its argument content: harbour.txt').waitFor();
  expect(await axeFaults(page)).toEqual([]);

  // Follows links from the quoted text to the call that read it, its turn, a prompt section and a sentence.
  await source.click();
  await view(page)
    .getByText(/^Why the call read_file/)
    .waitFor();
  await view(page).getByRole('link', { name: 'The turn of the call' }).click();
  await view(page)
    .getByRole('link', { name: /^rules: How you work/ })
    .click();
  await view(page).getByRole('link', { name: 'Never claim a result that no tool returned.' }).click();
  await view(page).getByText('The plugin agent added it at the hook prompt.build.').waitFor();
});

test('offers Why? for selected text in the conversation and the prompt, by mouse, touch and keyboard', async () => {
  for (const [name, context] of [
    ['wide', { viewport: { width: 1280, height: 800 } }],
    ['narrow', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ] as const) {
    const { page } = await visit({
      files: (workspace) => writeFile(join(workspace, 'harbour.txt'), `${line}\nTickets are sold on board.\n`),
      context,
      script: [
        { text: 'I look.', toolCalls: [{ name: 'read_file', args: { path: 'harbour.txt' } }] },
        { text: `In short: **the ferry** to the northern islands leaves at seven. Bring a coat, as it is windy.` },
      ],
    });
    await isReady(page);
    await say(page, 'When does the ferry leave? I have two bags.');
    const answer = entries(page, 'assistant').filter({ hasText: 'In short:' });
    await answer.getByText('Bring a coat').waitFor();
    await isIdle(page);
    const why = page.getByRole('button', { name: 'Why?' }).and(page.locator('[aria-keyshortcuts]'));
    expect(await why.count()).toBe(0);

    const strong = answer.getByText('the ferry', { exact: true });
    if (name === 'wide') await strong.dblclick();
    else await select(strong);
    await why.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    if (name === 'wide') await why.click();
    else await why.tap();
    await view(page)
      .getByText(/^Why “In short:/)
      .waitFor();
    await view(page).getByText('The workspace: harbour.txt').waitFor();
    expect(await why.count()).toBe(0);
    await closeWhy(page);

    // Alt+W applies to the selection, else to the focused entry.
    await select(entries(page, 'user').getByText('I have two bags.'));
    await page.keyboard.press('Alt+w');
    await view(page).getByText('It is in a message. You sent it.').waitFor();
    await closeWhy(page);
    await openActions(answer);
    await answer.getByRole('button', { name: 'Why?' }).focus();
    await page.keyboard.press('Alt+w');
    await view(page).getByText('The model wrote it.').waitFor();
    await view(page).getByRole('link', { name: 'Its turn' }).click();
    await view(page)
      .getByRole('link', { name: /^rules: How you work/ })
      .click();
    await select(view(page).getByText('Never claim a result that no tool returned.'));
    await page.keyboard.press('Alt+w');
    await view(page).getByText('The plugin agent added it at the hook prompt.build.').waitFor();
  }
});

async function select(words: Locator): Promise<void> {
  await words.waitFor();
  await words.evaluate((element) => getSelection()?.selectAllChildren(element));
}

test('marks redacted entries in the conversation, other tabs and search results until they are restored', async () => {
  const mark = 'Removed from the conversation';
  const { page, openTab, server, expectFault } = await visit({
    files: (workspace) => writeFile(join(workspace, 'harbour.txt'), `${line}\nTickets are sold on board.\n`),
    context: { viewport: { width: 1280, height: 800 } },
    script: [{ text: 'I look.', toolCalls: [{ name: 'read_file', args: { path: 'harbour.txt' } }] }, { text: 'At seven.' }, { text: 'With pleasure.' }],
  });
  await isReady(page);
  await say(page, 'When does the ferry leave? I have two bags.');
  await entries(page, 'assistant').getByText('At seven.').waitFor();
  await isIdle(page);
  const other = await openTab();
  await entries(other, 'assistant').getByText('At seven.').waitFor();
  await other.setViewportSize({ width: 360, height: 740 });
  expect(await other.getByText(mark).count()).toBe(0);

  // A message. The other tab shows the mark by itself.
  const said = entries(page, 'user');
  await said.getByRole('button', { name: 'Why?' }).click();
  await act(page, 'Remove from the conversation');
  await closeWhy(page);
  await said.getByText(mark).waitFor();
  await entries(other, 'user').getByText(mark).waitFor();

  // A tool call and an answer.
  const card = toolCards(page);
  await openCard(card);
  await card.getByRole('button', { name: 'Why?' }).click();
  await act(page, 'Remove from the conversation');
  await closeWhy(page);
  await card.getByText(mark).waitFor();
  await toolCards(other).getByText(mark).waitFor();
  const answer = entries(page, 'assistant').filter({ hasText: 'At seven.' });
  await openActions(answer);
  await answer.getByRole('button', { name: 'Why?' }).click();
  await act(page, 'Remove from the conversation');
  await closeWhy(page);
  await answer.getByText(mark).waitFor();
  await expect.poll(() => other.getByText(mark).count()).toBe(3);
  for (const [, tab] of [
    ['wide', page],
    ['narrow', other],
  ] as const) {
    expect(await axeFaults(tab)).toEqual([]);
  }

  // The mark survives a reload and new turns.
  await other.reload();
  await expect.poll(() => other.getByText(mark).count()).toBe(3);
  await say(page, 'Thank you.');
  await entries(page, 'assistant').getByText('With pleasure.').waitFor();
  expect(await page.getByText(mark).count()).toBe(3);

  // Search results show and remove the mark without a reload.
  await other.goto(`${new URL(other.url()).origin}/#/search/two%20bags`);
  const hits = other.locator('.search-hits');
  await hits.getByText(mark).waitFor();
  expect(await axeFaults(other)).toEqual([]);

  // Restoring removes the mark everywhere.
  await said.first().getByRole('button', { name: 'Why?' }).click();
  await button(view(page), 'Restore to the conversation').click();
  await button(view(page), 'Remove from the conversation').waitFor();
  await hits.getByText(mark).waitFor({ state: 'detached' });
  await other.goBack();
  await entries(other, 'assistant').getByText('With pleasure.').waitFor();
  expect(await other.getByText(mark).count()).toBe(2);
  expect(await entries(other, 'user').getByText(mark).count()).toBe(0);

  // Disabling the plugin removes all marks, enabling it shows them again. A view may be requested while its plugin stops.
  expectFault(/404.*\/api\/views\/why/);
  const switched = (disabled: boolean): Promise<unknown> => server.call('PUT', '/api/plugins/why', { disabled });
  await switched(true);
  await expect.poll(() => other.getByText(mark).count()).toBe(0);
  await switched(false);
  await expect.poll(() => other.getByText(mark).count()).toBe(2);
});

async function openCard(card: Locator): Promise<void> {
  const head = card.locator('button[aria-expanded]').first();
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
}

async function act(page: Page, label: string): Promise<void> {
  await button(view(page), label).click();
  await button(page.getByRole('alertdialog'), label).click();
  await button(view(page), 'Restore to the conversation').waitFor();
}
