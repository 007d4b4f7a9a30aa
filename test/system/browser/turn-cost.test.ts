// Tests the usage of a turn below its last answer: time, tokens and cost.
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { conversation, isIdle, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('shows time, tokens and cost below the last answer of each turn, with and without a known price', async () => {
  const usage = { input: 1200, output: 30, cached: 1000, cost: 0.0125 };
  const { page } = await visit({
    script: [
      { text: 'I look.', toolCalls: [{ name: 'list_dir', args: { path: '.' } }], usage },
      { text: 'Nothing here.', usage },
      { text: 'Free words.', usage: { input: 70, output: 5 } },
    ],
    context: { viewport: { width: 360, height: 740 } },
  });
  await say(page, 'look');
  await reads(page, 'Nothing here.');
  await isIdle(page);
  const timers = conversation(page).getByRole('button', { name: /^This turn took .* tokens and cost$/ });
  const shown = async (): Promise<number> => {
    const closed = conversation(page).getByRole('button', { name: 'More actions', expanded: false });
    while ((await closed.count()) > 0) await closed.first().click();
    return timers.count();
  };
  await expect.poll(shown).toBe(1);
  await say(page, 'and now?');
  await reads(page, 'Free words.');
  await isIdle(page);
  await expect.poll(shown).toBe(2);
  const card = page.getByRole('dialog', { name: 'Usage of this turn' });
  await timers.first().focus();
  await page.keyboard.press('Enter');
  await card.getByText('$0.0250').waitFor();
  await card.getByText('2,400 (2,000 cached)').waitFor();
  await card.getByText('scripted', { exact: true }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });
  expect(await timers.first().evaluate((element) => element === document.activeElement)).toBe(true);
  await timers.last().click();
  await card.getByText('no price known for this model').waitFor();
  await page.reload();
  await expect.poll(shown).toBe(2);
});
