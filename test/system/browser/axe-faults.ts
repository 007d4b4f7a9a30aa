// The judge of accessibility, in light and dark.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** `isFloating`: a menu is open; it stands beside all landmarks, where it belongs to the button that has the focus. */
async function violations(page: Page, isFloating: boolean): Promise<string[]> {
  await page.evaluate(source);
  return page.evaluate(
    async (off) => {
      const { axe } = window as unknown as {
        axe: { run(options: object): Promise<{ violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[] }> };
      };
      const { violations } = await axe.run({ resultTypes: ['violations'], rules: off });
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)} (${node.failureSummary.slice(0, 200)})`),
      );
    },
    isFloating ? { region: { enabled: false } } : {},
  );
}

/** What it finds; empty where all is well. */
export async function axeFaults(page: Page, { isFloating = false } = {}): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violations(page, isFloating)).map((text) => `${colorScheme}: ${text}`));
  }
  return found;
}
