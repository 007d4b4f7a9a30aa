// Below an answer: the turn as a file for whoever helps, looked through and saved as it was shown; and the turn run again.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, entries, isReady, openActions, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('a problem is reported as a file: looked through, ticked, struck, saved as it was shown; and the turn is run again', async () => {
  const { page, workspace } = await visit({
    script: [
      { text: 'I look at the ships first.', toolCalls: [{ name: 'read_file', args: { path: 'ships.md' } }] },
      { text: 'Three ships: Ada, Bea and **Carl**.' },
    ],
  });
  await writeFile(join(workspace, 'ships.md'), '- Ada, of oak\n- Bea, of iron\n- Carl, of nothing\n');
  await isReady(page);
  await say(page, 'Which ships are there?');
  await reads(page, 'Three ships');
  await openActions(entries(page, 'assistant').last());
  await button(page, 'Report a problem…').last().click();
  await page.getByText('One file for whoever helps: the turn plays').waitFor();
  const ticks = page.getByRole('form', { name: 'Change parameters' });
  await ticks.getByLabel('What its calls answered').check();
  await ticks.getByLabel('Strike out').fill('Carl');
  await ticks.getByRole('button', { name: 'Show' }).click();
  await page.getByText('of iron').first().waitFor();
  await expect.poll(() => page.locator('[data-view="support"]').getAttribute('aria-busy')).toBe('false');
  expect(await axeFaults(page)).toEqual([]);
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save this file').click()]);
  const saved = await readFile(await download.path(), 'utf8');
  expect(download.suggestedFilename()).toMatch(/^support-[0-9a-z]{8}\.json$/);
  expect(saved).toContain('of iron');
  expect(saved).not.toContain('Carl');
  expect(saved).not.toContain(workspace);
  const shown = (await page.locator('[data-view="support"]').textContent()) ?? '';
  expect(shown.replace(/\s+/g, '')).toContain(saved.replace(/\s+/g, ''));
  await page.goBack();
  await page.goBack();
  await openActions(entries(page, 'assistant').last());
  await button(page, 'Replay…').last().click();
  await page.getByRole('cell', { name: 'Which ships are there?' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page
    .getByRole('button', { name: /^Replay/ })
    .first()
    .click();
  await page.getByText(/Byte-equal, \d+ events/).waitFor();
});
