// Tests interruptions of a turn: a reload, a killed server, a lost network.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whileServerAway } from '../../helpers/browser.ts';
import { button, connection, entries, isIdle, messageField, reads, say, useBrowser, openPages } from '../../helpers/use-browser.ts';

const visit = useBrowser();

function gate(): { readonly until: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  return { until, release };
}

test('continues a running turn after a reload', async () => {
  const { until, release } = gate();
  const { page } = await visit({ script: [{ text: ['The first half', ' and the second half.'], stallAfter: 1, until }] });
  await say(page, 'tell me');
  await reads(page, 'The first half');
  await page.reload();
  await reads(page, 'The first half');
  await button(page, 'Stop').waitFor();
  release();
  await reads(page, 'The first half and the second half.');
  await isIdle(page);
  expect(await entries(page, 'assistant').count()).toBe(1);
  expect(await entries(page, 'user').count()).toBe(1);
});

test('keeps an unsent draft after a reload and in a new tab', async () => {
  const { page, openTab } = await visit({ script: [{ text: 'Hello.' }] });
  await say(page, 'hi');
  await reads(page, 'Hello.');
  await isIdle(page);
  await messageField(page).fill('half a thought');
  await expect
    .poll(() => page.evaluate(() => Object.values({ ...localStorage, ...sessionStorage }).some((text) => String(text).includes('half a thought'))))
    .toBe(true);
  await page.reload();
  await expect.poll(() => messageField(page).inputValue()).toBe('half a thought');
  const address = page.url();
  await page.goto('about:blank');
  const other = await openTab();
  await other.goto(address);
  await expect.poll(() => messageField(other).inputValue()).toBe('half a thought');
});

test('reconnects after the server is killed and restarted, without duplicate entries', async () => {
  const { page, server, model, startAgain, expectFault } = await visit({
    context: { serviceWorkers: 'allow' },
    files: (workspace) => writeFile(join(workspace, 'a.txt'), 'a\n'),
    script: [
      { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] },
      { text: ['It was about to say', ' more'], stallAfter: 1 },
      { text: 'After the crash.' },
    ],
  });
  expectFault(whileServerAway);
  await say(page, 'work');
  await reads(page, 'It was about to say');
  await server.stop('SIGKILL');
  await connection(page).getByText('OFFLINE').waitFor();
  await startAgain();
  await isIdle(page);
  await reads(page, 'It was about to say');
  await reads(page, /interrupted/i);
  await expect.poll(() => Promise.all(['user', 'tool', 'assistant'].map((kind) => entries(page, kind).count()))).toEqual([1, 1, 1]);
  await say(page, 'go on');
  await reads(page, 'After the crash.');
  expect(model.requests).toHaveLength(3);
});

test('loads a part of the page after the server is back', async () => {
  const { page, server, startAgain, expectFault } = await visit({ context: { serviceWorkers: 'allow' }, script: [{ text: 'Not needed.' }] });
  expectFault(whileServerAway);
  // The list of pages is loaded before the server ends.
  await (await openPages(page)).getByRole('menuitem', { name: 'Usage' }).waitFor();
  await page.keyboard.press('Escape');
  await server.stop('SIGKILL');
  await (await openPages(page)).getByRole('menuitem', { name: 'Usage' }).click();
  await connection(page).getByText('OFFLINE').waitFor();
  await startAgain();
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  expect(await page.getByText(/could not be shown/).count()).toBe(0);
});

test('reloads the page after a failed script download and keeps the draft', async () => {
  const { page, expectFault } = await visit();
  expectFault(/view-page.*ERR_FAILED|ERR_FAILED.*view-page/);
  await isIdle(page);
  await messageField(page).fill('half a thought');
  await page.route(/view-page-[^/]*\.js$/, (route) => route.abort(), { times: 1 });
  await (await openPages(page)).getByRole('menuitem', { name: 'Usage' }).click();
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  await page.goBack();
  await expect.poll(() => messageField(page).inputValue()).toBe('half a thought');
});

test('sends a message from the outbox once after being offline', async () => {
  const { page, context, model, expectFault } = await visit({ script: [{ text: 'First.' }, { text: 'Second.' }] });
  expectFault(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_INCOMPLETE_CHUNKED|ERR_FAILED/);
  await say(page, 'one');
  await reads(page, 'First.');
  await isIdle(page);
  await context.setOffline(true);
  await connection(page).getByText('OFFLINE').waitFor({ timeout: 30_000 });
  await say(page, 'two');
  await reads(page, 'two');
  await reads(page, /Sent as soon as the server responds/);
  expect(model.requests).toHaveLength(1);
  await context.setOffline(false);
  await reads(page, 'Second.');
  await isIdle(page);
  expect(await entries(page, 'user').count()).toBe(2);
  expect(model.requests).toHaveLength(2);
});

test('keeps a message written while the server is down after a page reload', async () => {
  const { page, server, model, startAgain, expectFault } = await visit({ script: [{ text: 'First.' }, { text: 'Heard you.' }] });
  expectFault(whileServerAway);
  await say(page, 'one');
  await reads(page, 'First.');
  await isIdle(page);
  await server.stop('SIGKILL');
  await connection(page).getByText('OFFLINE').waitFor();
  await say(page, 'written in the dark');
  await reads(page, 'written in the dark');
  await startAgain();
  await page.reload();
  await reads(page, 'Heard you.');
  await isIdle(page);
  expect(await entries(page, 'user').count()).toBe(2);
  expect(model.requests).toHaveLength(2);
});
