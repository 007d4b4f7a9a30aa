// Tests the context ring: how full the context of a chat is, by what, and compacting it.
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, conversation, isIdle, openComposerMenu, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test.each([
  ['on a phone', 360, 740],
  ['wide', 1280, 800],
])('%s, by keyboard: shows the context usage by category and compacts the chat', async (_, width, height) => {
  const { page } = await visit({
    environment: { AGENT_CONTEXT_TOKENS: '20000' },
    script: [...[1, 2, 3].map((n) => ({ text: `Answer ${n}. ${'All is quiet in the harbour tonight. '.repeat(250)}` })), { text: 'Short.', always: true }],
    context: { viewport: { width, height } },
  });
  const ring = page.getByRole('button', { name: /^Context: \d+ percent full$/ });
  await isIdle(page);
  expect(await ring.count()).toBe(0);
  for (const n of [1, 2, 3]) {
    await say(page, `Question ${n}`);
    await reads(page, `Answer ${n}.`);
    await isIdle(page);
  }
  const shown = await openComposerMenu(page);
  const item = shown.getByRole('menuitem', { name: /^Context used/ });
  await expect.poll(() => item.innerText()).toMatch(/\d+ %/);
  await item.press('Enter');
  const percent = async (): Promise<number> => Number(/\d+/.exec((await ring.getAttribute('aria-label')) ?? '')?.[0]);
  await expect.poll(percent).toBeGreaterThan(35);
  const details = page.getByRole('dialog', { name: 'Context of this chat' });
  const meter = details.getByRole('meter', { name: 'Context usage' });
  await meter.waitFor();
  const share = async (): Promise<number> => Number(await meter.getAttribute('aria-valuenow')) / Number(await meter.getAttribute('aria-valuemax'));
  await expect.poll(async () => Math.round((await share()) * 100) - (await percent())).toBe(0);
  const full = await percent();
  expect(await details.getByRole('term').allTextContents()).toEqual(['Instructions', 'Tools', 'Memory', 'Conversation']);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  expect(await axeFaults(page)).toEqual([]);
  await button(details, 'Compact now').focus();
  await page.keyboard.press('Enter');
  await details.getByText(/shortened: the next request has about/).waitFor();
  await expect.poll(percent).toBeLessThan(full);
  await conversation(page).getByText('Earlier parts of the conversation were summarized.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  // The popover restores the focus in a timer after it closes.
  await expect.poll(() => ring.evaluate((element) => element === document.activeElement)).toBe(true);
});
