// Finds accessibility violations of a page in the light and the dark theme.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Rules = Readonly<Record<string, { readonly enabled: boolean }>>;

async function violations(page: Page, options: { readonly rules?: Rules; readonly runOnly?: readonly string[] }): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  return page.evaluate(async (given) => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    const { violations } = await axe.run({ resultTypes: ['violations'], preload: false, ...given });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)} (${node.failureSummary.slice(0, 200)})`),
    );
  }, options);
}

/** Rules whose result depends on the theme. All others check only the document. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the violations of all rules in the light theme and of the colour rules in the dark theme.
 * @param options `isFloating`: a menu is open. It is outside all landmarks, which is correct, because its button has the focus.
 */
export async function axeFaults(page: Page, { isFloating = false } = {}): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violations(page, isFloating ? { rules: { region: { enabled: false } } } : {});
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(page, { runOnly: colourRules });
  return [...light, ...dark.map((text) => `dark: ${text}`)];
}

/** Returns the violations of the colour rules in both themes, for a page whose document is covered by another test. */
export async function colourFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violations(page, { runOnly: colourRules })).map((text) => `${colorScheme}: ${text}`));
  }
  return found;
}
