// Tests the size of the first page load. `npm run bench:page` measures the loading time.
import { expect, test } from 'vitest';
import { noteFigures, readStartFigures } from './measure-page.ts';
import { isReady, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

/** A second language adds one file. */
test.each([
  ['en-GB', 200_000],
  ['ar-EG', 235_500],
])('keeps the first load below its size limit: %s', async (locale, limit) => {
  const { context, origin } = await visit({ isClosed: true, context: { locale } });
  const page = await context.newPage();
  await noteFigures(page);
  await page.goto(origin);
  const { bytes } = await readStartFigures(page);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(limit);
});

test('runs no animation while the page is idle', async () => {
  const { page } = await visit();
  await isReady(page);
  // A transition in progress ends by itself, an endless animation does not.
  await page.waitForFunction(() => document.getAnimations().length === 0);
});
