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

test('requests each resource of the API once while it opens a chat', async () => {
  const { page, context, origin } = await visit();
  await isReady(page);
  const later = await context.newPage();
  const requests: string[] = [];
  later.on('request', (request) => void requests.push(request.url().replace(origin, '')));
  const last = later.waitForResponse((response) => response.url().includes('/api/usage?'));
  await later.goto(page.url());
  await last;
  const resources = requests.filter((path) => path.startsWith('/api/'));
  expect(resources).toContainEqual(expect.stringMatching(/^\/api\/chats\/.*\/transcript/));
  expect(resources).toEqual([...new Set(resources)]);
  // The settings are large and needed on their own page only.
  expect(resources).not.toContain('/api/settings');
  expect(requests.length).toBeLessThan(40);
});

test('runs no animation while the page is idle', async () => {
  const { page } = await visit();
  await isReady(page);
  // A transition in progress ends by itself, an endless animation does not.
  await page.waitForFunction(() => document.getAnimations().length === 0);
});
