// Tests the support bundle of a turn: preview, redaction, download, and the replay of the turn.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, entries, isReady, openActions, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('saves a support bundle exactly as previewed with redactions, and replays the turn', async () => {
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
  await page.getByText('One file for support, from which the turn can be replayed').waitFor();
  const ticks = page.getByRole('form', { name: 'Change parameters' });
  await ticks.getByLabel('Call results').check();
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
  await page.getByText(/The replay is identical, \d+ events/).waitFor();
});
