// Tests a chat of ten thousand entries: opens at its end and scrolls back.
import { expect, test } from 'vitest';
import { openEventStream } from '../../helpers/event-stream.ts';
import { conversation, isIdle, isReady, reads, say, useBrowser } from '../../helpers/use-browser.ts';
import { writeChat } from './write-chat.ts';

const visit = useBrowser();

test('opens a chat of 10,000 entries at its end with few elements and scrolls back without losing the position', async () => {
  const { page, server } = await visit({ prepare: (place) => void writeChat({ ...place, entries: 10_000 }), script: [{ text: 'The newest of all.' }] });
  await reads(page, 'answer 4999:');
  await isIdle(page);
  const elements = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);
  const first = await elements();
  expect(first).toBeLessThan(4_000);

  const oldest = (): Promise<number> =>
    conversation(page).evaluate((log) =>
      Math.min(...Array.from(log.querySelectorAll('article')).map((one) => Number(/(?:question|answer) (\d+)/.exec(one.textContent ?? '')?.[1] ?? Infinity))),
    );
  const topRow = (): Promise<{ text: string; top: number }> =>
    conversation(page).evaluate((log) => {
      const { top } = log.getBoundingClientRect();
      const row = Array.from(log.querySelectorAll('article')).find((one) => one.getBoundingClientRect().top >= top);
      return { text: (row?.textContent ?? '').slice(0, 40), top: Math.round(row?.getBoundingClientRect().top ?? NaN) };
    });
  await conversation(page).hover();
  for (const goal of [4_900, 4_800, 4_600]) {
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, -6_000);
          return oldest();
        },
        { timeout: 20_000, interval: 60 },
      )
      .toBeLessThan(goal);
  }
  expect(await elements()).toBeLessThan(first * 3 + 1_000);

  const seen = await topRow();
  const stream = await openEventStream(server);
  const { turnId } = (await server.call('POST', '/api/message', { text: 'and now?' })).body;
  await stream.until((event: any) => event.turnId === turnId && event.kind === 'turn_end');
  stream.close();
  await isIdle(page);
  expect(await topRow()).toEqual(seen);
  await page.reload();
  await reads(page, 'The newest of all.');
});

test('opens a search hit at its position, however old it is', async () => {
  const { page } = await visit({ prepare: (place) => void writeChat({ ...place, entries: 6_000 }), script: [{ text: 'Nothing new.' }] });
  await isReady(page);
  await page.goto(`${page.url().split('#')[0]}#/search`);
  await page.getByRole('searchbox', { name: 'Search all chats' }).fill('answer 1042:');
  await page.getByRole('link', { name: /answer 1042:/ }).click();
  const found = conversation(page).locator('[aria-current="location"]');
  await found.getByText('answer 1042:').waitFor();
  const isInView = (): Promise<boolean> =>
    found.evaluate((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  await expect.poll(isInView).toBe(true);
  await page.getByRole('button', { name: /Jump to newest/ }).waitFor();

  await say(page, 'and now?');
  await reads(page, 'Nothing new.');
  await page.goBack();
  await page.getByRole('link', { name: /answer 1042:/ }).waitFor();
  await page.goForward();
  await found.getByText('answer 1042:').waitFor();
  await expect.poll(isInView).toBe(true);
  await page.getByRole('button', { name: /Jump to newest/ }).click();
  await reads(page, 'Nothing new.');
});

test('renders all 3,000 lines of an answer in its first render', async () => {
  const answer = Array.from({ length: 1_000 }, (_, index) => `paragraph ${index} with **some** words\nand a [link](https://example.org/${index})\n`).join('\n');
  let chatId = '';
  const { page, server } = await visit({
    isClosed: true,
    prepare: (place) => {
      chatId = writeChat({ ...place, entries: 2, answerOf: () => answer });
    },
  }).then(async (one) => ({ server: one.server, page: await one.openTab('/#/settings') }));
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.evaluate(() => {
    const seen = { articles: 0, isWhole: undefined as boolean | undefined };
    Object.assign(window, { seen });
    let known: Element | null = null;
    new MutationObserver(() => {
      const article = document.querySelector('article[data-kind="assistant"]');
      const text = article?.textContent ?? '';
      if (!article || article === known || !text.includes('paragraph')) return;
      known = article;
      seen.articles++;
      seen.isWhole ??= text.includes('paragraph 0 ') && text.includes('paragraph 999 ');
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.goto(`${server.url}/#/chat/${chatId}`);
  await conversation(page).getByRole('link', { name: 'link' }).first().waitFor({ state: 'attached' });
  await expect.poll(() => conversation(page).locator('a[href="https://example.org/0"]').count(), { timeout: 20_000 }).toBe(1);
  const seen = await page.evaluate(() => (window as unknown as { seen: { articles: number; isWhole: boolean } }).seen);
  expect(seen.isWhole).toBe(true);
  // A virtual list may remove a row once to measure it.
  expect(seen.articles).toBeLessThanOrEqual(3);
});
