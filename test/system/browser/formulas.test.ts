// Tests formulas in a reply: drawn as MathML, stable while streaming, copied as TeX.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { conversation, isIdle, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const drawn = (page: Page) => conversation(page).locator('math');
const reply = [
  'Euler: $e^{i\\pi} + 1 = 0$, and \\(\\sqrt{2}\\).',
  '$$\n\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}\n$$',
  'As it is known:\n\\[\n\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\n\\]',
  'Between $5 and $6, in `$HOME`.',
  'Broken: $\\frac{1$ ends.',
  `$$${Array.from({ length: 40 }, (_, index) => `x_{${index}}`).join(' + ')}$$`,
].join('\n\n');

test('renders formulas as MathML, leaves prices and code unchanged, and shows the source of a broken formula', async () => {
  const { page } = await visit({ script: [{ text: reply }], context: { viewport: { width: 360, height: 740 } } });
  await say(page, 'explain');
  await reads(page, 'ends.');
  await isIdle(page);
  await expect.poll(() => drawn(page).count()).toBe(5);
  expect(await conversation(page).locator('math mfrac').count()).toBe(1);
  expect(await conversation(page).locator('math mtable').count()).toBe(1);
  await reads(page, 'Between $5 and $6, in $HOME.');
  await conversation(page).locator('code[title]').getByText('$\\frac{1$').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await axeFaults(page)).toEqual([]);
});

test('returns the TeX source of selected formulas', async () => {
  const { page } = await visit({ script: [{ text: 'Euler: $e^{i\\pi} + 1 = 0$, ever.\n\n$$\nx^2\n$$\n\nThe end.' }] });
  await say(page, 'explain');
  await reads(page, 'The end.');
  await isIdle(page);
  await expect.poll(() => drawn(page).count()).toBe(2);
  const selected = await conversation(page).evaluate((log) => {
    getSelection()?.selectAllChildren(log.querySelector('article[data-kind="assistant"] .md') as Element);
    return getSelection()?.toString();
  });
  expect(selected?.replace(/\s+/g, ' ')).toContain('Euler: $e^{i\\pi} + 1 = 0$, ever. $$ x^2 $$ The end.');
});

test('shows a formula as source while it streams and keeps rendered ones in place', async () => {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  const text = ['First $a_1$ and $b_2$.\n\n', '$$\n', '\\frac{a_1}', '{b_2}\n', '$$\n\n', 'That is it.'];
  const { page } = await visit({ script: [{ text, stallAfter: 3, until }] });
  await say(page, 'explain');
  await expect.poll(() => drawn(page).count()).toBe(2);
  await conversation(page).locator('.md-formula-lines').getByText('\\frac{a_1}').waitFor();
  const first = await drawn(page).first().elementHandle();
  release();
  await reads(page, 'That is it.');
  await isIdle(page);
  await expect.poll(() => drawn(page).count()).toBe(3);
  expect(await first?.evaluate((one) => one.isConnected)).toBe(true);
});
