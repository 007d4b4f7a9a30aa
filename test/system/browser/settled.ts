import type { Page } from 'playwright-core';

/** Resolves when the page has its heading and no loading indicator. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
}
