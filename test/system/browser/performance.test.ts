// What is loaded with the page; how fast it is comes from `npm run bench:page`.
import { expect, test } from 'vitest';
import { noteFigures, readStartFigures } from './measure-page.ts';
import { isReady, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

/** Another language is one file more. */
test.each([
  ['en-GB', 200_000],
  ['ar-EG', 234_000],
])('the first load is small: %s', async (locale, limit) => {
  const { context, origin } = await visit({ isClosed: true, context: { locale } });
  const page = await context.newPage();
  await noteFigures(page);
  await page.goto(origin);
  const { bytes } = await readStartFigures(page);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(limit);
});

test('at rest nothing in the page moves, so that leaving it open costs nothing', async () => {
  const { page } = await visit();
  await isReady(page);
  // A transition that has just begun may end; what goes on without an end never would.
  await page.waitForFunction(() => document.getAnimations().length === 0);
});
