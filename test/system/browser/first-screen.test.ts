// Tests the first screen: few controls, focus in the composer, a first message in two actions, and one way to connect a model.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, isIdle, isReady, messageField, reads, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

const controls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const kinds = 'button, a[href], input, select, textarea, summary';
    return Array.from(document.querySelectorAll<HTMLElement>(kinds))
      .filter((one) => {
        const { width, height, top, bottom } = one.getBoundingClientRect();
        return width > 8 && height > 8 && bottom > 0 && top < innerHeight && one.checkVisibility() && !one.closest('.chat-row');
      })
      .map((one) => one.getAttribute('aria-label') ?? one.innerText);
  });

test.each([
  ['wide', 1280, 800, 15],
  ['on a phone', 390, 844, 10],
])('%s, with a new home: shows few controls, one "Connect a model" and no dialog, and sends on Enter', async (_, width, height, most) => {
  const { page } = await visit({
    script: 'demo',
    environment: { AGENT_PERSONA_BOOTSTRAP: '1' },
    context: { viewport: { width, height } },
  });
  await isReady(page);
  await button(page, 'Connect a model').waitFor();
  const found = await controls(page);
  expect(found.length, found.join(', ')).toBeLessThanOrEqual(most);
  expect(found.filter((name) => name === 'Connect a model')).toHaveLength(1);
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await axeFaults(page)).toEqual([]);
  await expect.poll(() => messageField(page).evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('list the files');
  await page.keyboard.press('Enter');
  await reads(page, 'list the files');
  await isIdle(page);
  // A phone has it in the menu of the chat's title.
  if (width < 600) await page.getByRole('button', { name: /Ask$/ }).click();
  expect(await page.getByRole(width < 600 ? 'menuitem' : 'button', { name: 'Connect a model', exact: true }).count()).toBe(1);
});

test('shows at most 15 controls and the model name once when a model is configured', async () => {
  const { page } = await visit({ context: { viewport: { width: 1280, height: 800 } } });
  await isReady(page);
  await page.getByRole('button', { name: /^Model: / }).waitFor();
  const found = await controls(page);
  expect(found.length, found.join(', ')).toBeLessThanOrEqual(15);
  expect(found.filter((name) => name.startsWith('Model'))).toHaveLength(1);
});
