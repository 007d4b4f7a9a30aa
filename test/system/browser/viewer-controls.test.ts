// Tests which controls a remote viewer with control may use: an explicit allowlist.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { settled } from './settled.ts';
import { approvalOf, button, isIdle, openPages, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

/** Names of all visible controls that are not blocked for remote viewers, without the links between pages. */
const unmarked = (page: Page, within: string): Promise<string[]> =>
  page.evaluate((scope) => {
    const kinds = 'button, a[href], input, select, textarea, [contenteditable], [role=button], [role^=menuitem], [role=switch], [role=tab], [role=option]';
    const nameOf = (one: Element): string => (one.getAttribute('aria-label') ?? one.textContent ?? '').replace(/\s+/g, ' ').trim();
    const found = Array.from(document.querySelectorAll(`${scope} :is(${kinds})`)).filter(
      (one) => one.checkVisibility() && !one.closest('[data-guest="refuse"], nav[aria-label="Pages"]'),
    );
    return [...new Set(found.map(nameOf))].sort();
  }, within);

/** Controls that navigate, read, write messages, or make a reversible change. */
const harmless =
  /^(?:Agent Harness|Skip to the message field|Keyboard shortcuts|(?:Hide|Show) chats|Settings and more|Message|Send|Stop|Copy|Copy as text|More actions|Edit|Regenerate|Fork here|Add files and more|Actions for .+|go|(?:List the files|Write notes\.md|Explain how|Find a bug).*|(?:STANDBY|BUSY).*|(?:Run|ask_user|(?:Ran )?\d).*)$/;
const strange = async (page: Page, within = 'body'): Promise<string[]> => (await unmarked(page, within)).filter((name) => !harmless.test(name));

test('blocks all controls for remote viewers except on the search and read-only pages', async () => {
  const { page, server } = await visit({ script: [{ text: 'Hello.' }] });
  await isIdle(page);
  const hrefsOf = (within: Locator) => within.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const linked = [...(await hrefsOf(page.getByRole('navigation', { name: 'Pages' }))), ...(await hrefsOf(await openPages(page)))];
  expect(linked).toEqual(expect.arrayContaining(['#/settings', '#/plugins', '#/connections', '#/account', '#/memory']));
  for (const address of linked.filter((one) => !['#/search', '#/view/usage', '#/view/costs', '#/view/why'].includes(one))) {
    await page.goto(`${server.url}/${address}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await settled(page);
    expect(await page.locator('.frame-page [data-guest="refuse"]').count(), address).toBeGreaterThan(0);
    expect(await unmarked(page, '.frame-page'), address).toEqual([]);
  }
});

test('allows remote viewers to write, read and navigate in a chat, and reserves decisions and menus for the host', async () => {
  const { page } = await visit({
    script: [
      { toolCalls: [{ name: 'run_command', args: { command: 'touch x' } }] },
      { toolCalls: [{ name: 'ask_user', args: { prompt: 'Which?', options: ['one', 'two'] } }] },
      { text: 'The end.' },
    ],
  });
  await isIdle(page);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  expect(await strange(page)).toEqual([]);
  await say(page, 'go');
  const approval = approvalOf(page, 'run_command');
  await approval.waitFor();
  expect([await strange(page), await axeFaults(page)]).toEqual([[], []]);
  await button(approval, 'Always…').click();
  await page.getByRole('menu').waitFor();
  expect([await strange(page), await axeFaults(page)]).toEqual([[], []]);
  await page.keyboard.press('Escape');
  await button(approval, 'Deny').click();
  await approval.getByLabel('Reason (optional)').waitFor();
  expect([await strange(page), await axeFaults(page)]).toEqual([[], []]);
  await button(approval, 'Deny now').click();
  const question = page.getByRole('group', { name: 'Question' });
  await question.waitFor();
  expect([await strange(page), await axeFaults(page)]).toEqual([[], []]);
  await button(question, 'one').click();
  await reads(page, 'The end.');
  await isIdle(page);
  expect(await strange(page)).toEqual([]);

  await page.getByRole('button', { name: /^Mode: / }).click();
  await page.getByRole('menu').waitFor();
  expect(await unmarked(page, '[role=menu]')).toEqual([]);
  await page.keyboard.press('Escape');
  await openPages(page);
  expect((await unmarked(page, '[role=menu]')).filter((name) => name.startsWith('Theme'))).toEqual([]);
  await page.keyboard.press('Escape');
  await button(page, 'Actions for this chat').click();
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  expect(await unmarked(page, '[role=menu]')).toEqual(['Archive', 'Delete', 'Fork', 'Pin', 'Rename', 'Tags']);
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').waitFor();
  expect(await unmarked(page, '[role=alertdialog]')).toEqual(['Keep']);
  await button(page, 'Keep').click();
  for (const [keys, filled, out] of [
    ['Control+k', 'combobox', []],
    ['Control+/', 'heading', ['Close']],
  ] as const) {
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.locator('main').focus();
    await page.keyboard.press(keys);
    await page.getByRole('dialog').getByRole(filled).waitFor();
    expect(await unmarked(page, '[role=dialog]'), keys).toEqual(out);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});
