// What must not get lost of the page's speed; the exact figures come from `npm run bench:page`.
import { expect, test } from 'vitest';
import { measureStream, noteFigures, readStartFigures, streamedReply } from './measure-page.ts';
import { isIdle, messageField, reads, say, useBrowser } from './use-browser.ts';
import { writeChat } from './write-chat.ts';

const visit = useBrowser();

test('the first load is small, and soon usable', async () => {
  const { context, origin } = await visit({ isClosed: true });
  const page = await context.newPage();
  await noteFigures(page);
  await page.goto(origin);
  const { bytes, interactive } = await readStartFigures(page);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(200_000);
  expect(interactive).toBeLessThan(4_000);
});

test('an answer that streams into a long chat leaves the page free, and costs no more the longer it gets', async () => {
  const { context, origin } = await visit({
    isClosed: true,
    prepare: (place) => void writeChat({ ...place, entries: 2_000 }),
    script: [streamedReply(350, 30)],
  });
  const page = await context.newPage();
  await noteFigures(page);
  await page.goto(origin);
  await reads(page, 'answer 999:');
  await isIdle(page);
  await say(page, 'write');
  await reads(page, /quick brown/);
  const { blockedShare, firstThird, lastThird, heapEarly, heapLate } = await measureStream(page, 6_000);
  expect(blockedShare).toBeLessThan(0.3);
  expect(lastThird / Math.max(firstThird, 0.2)).toBeLessThan(3);
  expect(heapLate / heapEarly).toBeLessThan(1.5);
  await messageField(page).fill('typed meanwhile', { timeout: 2_000 });
});
