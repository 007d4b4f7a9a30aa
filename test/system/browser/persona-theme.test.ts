// Tests the persona theme in the page: first paint, editor, contrast, synchronisation between tabs, reset.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults, colourFaults } from './axe-faults.ts';
import { groundOf, measureText, rgbOf } from './persona-world.ts';
import { settled } from './settled.ts';
import { button, isIdle, isReady, reads, say, useBrowser, openPages } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const theme = { mood: 'dreamy', shape: 'sharp', density: 'airy', font: 'serif', accent: '#ffee00', ground: '#7d3fc0' };
const plainGround = rgbOf('#ffffff');

const token = (page: Page, name: string): Promise<string> =>
  page.evaluate((one) => getComputedStyle(document.documentElement).getPropertyValue(one), `--${name}`);
const barColours = (page: Page): Promise<readonly string[]> =>
  page.locator('meta[name="theme-color"]').evaluateAll((tags) => tags.map((tag) => (tag as HTMLMetaElement).content));

test('the page has the colours before its first script runs, by day and in dark mode, and keeps the choice between them', async () => {
  const { page, server } = await visit();
  await isReady(page);
  expect(await groundOf(page)).toBe(plainGround);
  expect((await server.call('PUT', '/api/persona/theme', { theme })).status).toBe(200);
  const { palette } = (await server.call('GET', '/api/persona/theme')).body.personaUiTheme;
  await expect.poll(() => groundOf(page)).toBe(rgbOf(palette.light.surface));
  expect(await barColours(page)).toEqual([palette.light.surface, palette.dark.surface]);

  await page.route('**/assets/*.js', () => undefined);
  await page.goto('about:blank');
  await page.goto(server.url, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.styleSheets.length > 0 && document.body !== null);
  await expect.poll(() => groundOf(page)).toBe(rgbOf(palette.light.surface));
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => groundOf(page)).toBe(rgbOf(palette.dark.surface));
  await page.unroute('**/assets/*.js');

  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('about:blank');
  await page.goto(server.url);
  await isReady(page);
  const themeItem = (await openPages(page)).getByRole('menuitem', { name: /^Theme/ });
  await themeItem.click();
  await themeItem.filter({ hasText: 'Light' }).click();
  await themeItem.filter({ hasText: 'Dark' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => groundOf(page)).toBe(rgbOf(palette.dark.surface));
  expect(await barColours(page)).toEqual([palette.dark.surface, palette.dark.surface]);
  expect(await token(page, 'radius')).toBe('3px');
  expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(/^ui-serif/);
  await server.call('PUT', '/api/persona/theme', { theme: null });
});

test('previews an edited theme with its contrast, discards it, saves it for all tabs and resets it', async () => {
  const { page, server, openTab } = await visit();
  await isReady(page);
  const other = await openTab('/');
  await isReady(other);
  await page.goto(`${server.url}/#/persona`);
  await page.getByText('Dark mode', { exact: true }).waitFor();
  await page.getByRole('radio', { name: 'Playful' }).check();
  await page.getByLabel('Accent').fill('#ffee00');
  await page.getByLabel('Ground').fill('#00a86b');
  const wish = { mood: 'playful', shape: 'soft', density: 'normal', font: 'sans', accent: '#ffee00', ground: '#00a86b' };
  const { palette } = (await server.call('POST', '/api/persona/theme/preview', wish)).body;
  const tried = rgbOf(palette.light.surface);
  await expect.poll(() => groundOf(page)).toBe(tried);
  expect(await groundOf(other)).toBe(plainGround);
  const figures = await page.getByLabel('Contrast, in dark mode').locator('dd').allInnerTexts();
  expect(
    figures
      .slice(0, 4)
      .map(Number.parseFloat)
      .every((figure) => figure >= 4.5),
  ).toBe(true);
  await settled(page);
  expect(await axeFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });

  await button(page, 'Discard').click();
  await expect.poll(() => groundOf(page)).toBe(plainGround);
  await page.getByRole('radio', { name: 'Playful' }).check();
  await page.getByLabel('Ground').fill('#00a86b');
  await button(page, 'Keep this theme').click();
  await expect.poll(() => groundOf(other)).toBe(tried);
  await page.reload();
  await button(page, 'Remove theme').waitFor();
  expect(await groundOf(page)).toBe(tried);

  await page.getByLabel('Ground').fill('#c0392b');
  await expect.poll(() => groundOf(page)).not.toBe(tried);
  await page.goto(`${server.url}/#/usage`);
  await expect.poll(() => groundOf(page)).toBe(tried);

  await page.goto(`${server.url}/#/persona`);
  await button(page, 'Remove theme').click();
  await expect.poll(() => groundOf(page)).toBe(plainGround);
  await expect.poll(() => groundOf(other)).toBe(plainGround);
  expect(await page.evaluate(() => document.documentElement.getAttribute('style') ?? '')).not.toContain('--surface');
});

test.each([
  theme,
  { mood: 'playful', shape: 'round', density: 'compact', font: 'rounded', accent: '#000000', ground: '#ff0000' },
  { mood: 'bold', shape: 'soft', density: 'normal', font: 'mono', accent: '#ffffff', ground: '#00ffff' },
])('keeps all painted text readable with mood $mood and accent $accent on ground $ground', async (one) => {
  const text =
    '## Title\n\nSome `code`, a [link](https://example.org).\n\n> quote\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a: string = "x"; // comment\n```\n';
  const { page, server } = await visit({ script: [{ text }] });
  await isIdle(page);
  await server.call('PUT', '/api/persona/theme', { theme: one });
  await say(page, 'go');
  await reads(page, 'quote');
  await isIdle(page);
  await page.locator('.hljs-keyword, [class*="keyword"]').first().waitFor();
  for (const where of ['', '#/settings', '#/persona', '#/memory', '#/connections']) {
    if (where !== '') {
      await page.goto(`${server.url}/${where}`);
      await settled(page);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { count, faults } = await measureText(page);
      expect(count).toBeGreaterThan(15);
      expect(faults, `${where} ${colorScheme}`).toEqual([]);
    }
    // measureText covers the contrast of all text, axe confirms it on the first page.
    if (where === '') expect(await colourFaults(page)).toEqual([]);
  }
  await server.call('PUT', '/api/persona/theme', { theme: null });
});
