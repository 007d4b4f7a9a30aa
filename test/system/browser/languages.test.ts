// Tests the page in other languages: from the browser or chosen on the device, from the first render on, with messages of plugins.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { isReady, messageField, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

const arabic = `
import { writeFileSync } from 'node:fs';
export const manifest = { name: 'own-words', requires: ['http'] };
export function register(registry) {
  registry.add('ui.messages', { language: 'ar', messages: { Language: 'اللغة هنا', 'My numbers': 'أرقامي', '{count} thing': { zero: 'لا شيء', one: 'شيء واحد', two: 'شيئان', few: '{count} أشياء', many: '{count} شيئًا', other: '{count} شيء' } } });
  registry.add('ui.messages', { language: 'nl', messages: { Language: 'Taal' } });
  registry.add('ui.panel', { id: 'numbers', title: 'My numbers', slot: 'panel', module: new URL('./words/numbers.js', import.meta.url).href });
}
`;
const panel = `export function mount(element, { t, tn, language }) {
  element.textContent = [language, t('My numbers'), t('Nobody translated this'), ...[0, 1, 2, 3, 11, 100].map((count) => tn(count, '{count} thing', '{count} things'))].join(' | ');
}`;

async function writePlugin({ home }: { readonly home: string }): Promise<void> {
  await mkdir(join(home, 'plugins', 'words'), { recursive: true });
  await writeFile(join(home, 'plugins', 'own-words.mjs'), arabic);
  await writeFile(join(home, 'plugins', 'words', 'numbers.js'), panel);
}

async function noteTexts(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { seenTexts: seen });
    new MutationObserver(() => {
      for (const { textContent } of Array.from(document.querySelectorAll('h1, h3, label, legend'))) seen.add(`${document.documentElement.lang} ${textContent}`);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  return () => page.evaluate(() => [...(window as unknown as { seenTexts: Set<string> }).seenTexts]);
}

const choice = (page: Page, name: string | RegExp) => page.getByRole('combobox', { name, exact: true });
const root = (page: Page) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir].join(' '));

test("renders in the browser's language from the start and in English when chosen", async () => {
  const { page } = await visit({ context: { locale: 'de-AT' } });
  const seen = await noteTexts(page);
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  await page.reload();
  await page.getByRole('heading', { name: 'Dieser Browser' }).waitFor();
  expect(await root(page)).toBe('de-AT ltr');
  expect((await seen()).filter((text) => !text.startsWith('de-AT '))).toEqual([]);
  expect((await seen()).filter((text) => text.includes('This browser'))).toEqual([]);

  await choice(page, 'Sprache').selectOption('en');
  await page.getByRole('heading', { name: 'This browser' }).waitFor();
  await expect.poll(() => choice(page, 'Language').evaluate((element) => element === document.activeElement)).toBe(true);
  await page.reload();
  await page.getByRole('heading', { name: 'This browser' }).waitFor();
  expect(await root(page)).toBe('en ltr');
  await choice(page, 'Language').selectOption('');
  await page.getByRole('heading', { name: 'Dieser Browser' }).waitFor();
});

test('finds settings by translated and by English words', async () => {
  const { page } = await visit({ context: { locale: 'de-DE' } });
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  await page.reload();
  const search = page.getByRole('searchbox', { name: 'Einstellungen durchsuchen' });
  const label = page.getByText('Längster Herzschlag (Tokens)', { exact: true });
  for (const words of ['herzschlag', 'längster tokens', 'longest heartbeat']) {
    await search.fill(words);
    await label.waitFor();
    await search.fill('');
    await label.waitFor({ state: 'detached' });
  }
});

test('switches the language from the palette and keeps the draft', async () => {
  const { page } = await visit();
  await isReady(page);
  await messageField(page).fill('half a thought');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('deutsch');
  await page.getByRole('option', { name: 'Deutsch', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => root(page)).toBe('de ltr');
  await expect.poll(() => page.locator('textarea').first().inputValue()).toBe('half a thought');
});

test('adds messages, plurals and languages from plugins, with right-to-left layout', async () => {
  const { page } = await visit({ prepare: writePlugin, context: { viewport: { width: 360, height: 740 } } });
  await isReady(page);
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  await expect.poll(() => choice(page, 'Language').locator('option').allInnerTexts()).toEqual(expect.arrayContaining(['English', 'Deutsch', 'Nederlands']));
  await choice(page, 'Language').selectOption('nl');
  await choice(page, 'Taal').waitFor();
  await choice(page, 'Taal').selectOption('ar');
  await choice(page, 'اللغة هنا').waitFor();
  expect(await root(page)).toBe('ar rtl');
  expect(await axeFaults(page)).toEqual([]);
  await page.reload();
  await page.goto(`${page.url().split('#')[0]}#/panel/numbers`);
  const host = page.locator('[data-panel-id="numbers"]');
  await expect.poll(() => host.innerText()).toContain('أرقامي | Nobody translated this | لا شيء | شيء واحد | شيئان');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

const placeOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not shown');
  return { left: box.x, right: box.x + box.width };
};
const isWider = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test('mirrors the page in Arabic on desktop and phone and keeps the direction of code', async () => {
  const code = '```js\nconst a = 1;\n```';
  const { page } = await visit({ context: { locale: 'ar-EG' }, script: [{ text: `نعم\n\n1. one\n\n${code}` }] });
  await expect.poll(() => root(page)).toBe('ar-EG rtl');
  const field = page.locator('textarea').first();
  await field.fill('مرحبا');
  await page.keyboard.press('Enter');
  const block = page.getByRole('log').locator('pre').first();
  await block.getByText('const a = 1;').waitFor();

  const side = await placeOf(page.locator('.frame-side'));
  const main = await placeOf(page.locator('main'));
  expect([side.right, main.left, main.right]).toEqual([1280, 0, side.left]);
  expect(await block.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr');
  // A Latin item has its number on its left, where the list leaves room for it.
  const list = page.getByRole('log').locator('ol').first();
  expect(
    await list.evaluate((element) => [getComputedStyle(element.firstElementChild!).direction, parseFloat(getComputedStyle(element).paddingLeft) > 10]),
  ).toEqual(['ltr', true]);
  expect(await isWider(page)).toBe(false);
  expect(await axeFaults(page)).toEqual([]);

  expect(await page.locator('.chat-header-facts').innerText()).toMatch(/\d/);
  expect(await page.locator('body').innerText()).not.toMatch(/[٠-٩]/);

  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['', '#/settings', '#/waiting', '#/memory', '#/plugins', '#/usage']) {
    await page.goto(`${page.url().split('#')[0]}${path}`);
    await page.getByRole('heading').first().waitFor();
    expect([path, await isWider(page)]).toEqual([path, false]);
  }
  expect(await axeFaults(page)).toEqual([]);
});
