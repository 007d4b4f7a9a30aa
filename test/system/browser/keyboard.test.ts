// Tests keyboard use: from the loaded page to an approved command, and the command palette.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { approvalOf, button, isIdle, messageField, reads, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
  });

async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    if (name.test(at)) {
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
      expect(outline).not.toBe('none');
      return;
    }
    seen.push(at);
  }
  throw new Error(`Tab never came to ${name}; it went: ${seen.join(' → ')}`);
}

test('writes, sends and approves by keyboard only', async () => {
  const { page, workspace } = await visit({
    script: [{ toolCalls: [{ name: 'run_command', args: { command: 'touch made.txt' } }] }, { text: 'Made by hand.' }],
  });
  await isIdle(page);
  await messageField(page).evaluate((field) => field.blur());
  for (let step = 0; step < 80 && !(await messageField(page).evaluate((field) => field === document.activeElement)); step++) await page.keyboard.press('Tab');
  await page.keyboard.type('make it');
  await page.keyboard.press('Enter');
  await approvalOf(page, 'run_command').waitFor();
  await tabTo(page, /^Approve\b/);
  await page.keyboard.press('Enter');
  await reads(page, 'Made by hand.');
  expect(existsSync(join(workspace, 'made.txt'))).toBe(true);
});

test('gives letters that are typed while the palette is loading to the palette', async () => {
  const { page } = await visit();
  await isIdle(page);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/palette-[\w-]+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('plug');
  await page.keyboard.press('Enter');
  release();
  await expect.poll(() => page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').inputValue()).toBe('plug');
  await page.keyboard.type('ins');
  expect(await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').inputValue()).toBe('plugins');
  expect(await page.locator('textarea[name="message"]').inputValue()).toBe('');
});

test('focuses the message field on load, after a new chat and after a dialog, and sends stray letters to it', async () => {
  const { page } = await visit();
  await isIdle(page);
  const hasFocus = (): Promise<boolean> => messageField(page).evaluate((field) => field === document.activeElement);
  await expect.poll(hasFocus).toBe(true);
  await messageField(page).evaluate((field) => field.blur());
  await page.keyboard.type('list the files');
  expect(await messageField(page).inputValue()).toBe('list the files');
  await button(page, 'New chat').first().click();
  await expect.poll(() => messageField(page).inputValue()).toBe('');
  await expect.poll(hasFocus).toBe(true);
  await messageField(page).evaluate((field) => field.blur());
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(hasFocus).toBe(true);
  await page.keyboard.press('Control+,');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.keyboard.type('sp?');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});

test('inserts a line break on Shift+Enter and sends on Enter', async () => {
  const { page, model } = await visit({ script: [{ text: 'Two lines.' }] });
  await isIdle(page);
  await messageField(page).focus();
  await page.keyboard.type('first');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('second');
  await page.keyboard.press('Enter');
  await reads(page, 'Two lines.');
  expect(JSON.stringify((await model.request(0)).body.messages)).toContain(String.raw`first\nsecond`);
});

test('opens pages from the palette, searches messages if no command matches, and closes it on Back', async () => {
  const { page } = await visit({ script: [{ text: 'The heron stands in the reeds.' }] });
  await messageField(page).fill('which bird?');
  await page.keyboard.press('Enter');
  await reads(page, 'heron');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox').fill('heron stands');
  await expect.poll(() => palette.getByRole('option').allInnerTexts()).toEqual(['Search messages for “heron stands”']);
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByText('The heron stands in the reeds.').first().waitFor();
  await page.keyboard.press('Control+k');
  await palette.waitFor();
  await page.goBack();
  await palette.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('settings');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});

test('offers slash commands while typing and runs them without the model', async () => {
  const { page, model } = await visit();
  await isIdle(page);
  await messageField(page).focus();
  await page.keyboard.type('/hel');
  await page.getByRole('option', { name: /help/ }).first().waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await reads(page, 'Lists the commands, or explains one.');
  expect(model.requests).toHaveLength(0);
});

test('focuses the reason field of a denial and sends it with Enter', async () => {
  const { page } = await visit({ script: [{ toolCalls: [{ name: 'run_command', args: { command: 'touch made.txt' } }] }, { text: 'As you say.' }] });
  await isIdle(page);
  await messageField(page).focus();
  await page.keyboard.type('make it');
  await page.keyboard.press('Enter');
  const group = approvalOf(page, 'run_command');
  await button(group, 'Deny').focus();
  await page.keyboard.press('Enter');
  const reason = group.getByLabel('Reason (optional)');
  await expect.poll(() => reason.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('no');
  await page.keyboard.press('Enter');
  await reads(page, 'As you say.');
});
