// What is loaded with the page; how fast it is comes from `npm run bench:page`.
import { expect, test } from 'vitest';
import { noteFigures, readStartFigures } from './measure-page.ts';
import { useBrowser } from './use-browser.ts';

const visit = useBrowser();

test('the first load is small', async () => {
  const { context, origin } = await visit({ isClosed: true });
  const page = await context.newPage();
  await noteFigures(page);
  await page.goto(origin);
  const { bytes } = await readStartFigures(page);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(200_000);
});
