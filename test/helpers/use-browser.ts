// One browser for the test files of a worker, one server for a file, one visit or more for a test; what went wrong unnoticed fails the test.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { canShareSite, findBrowser, launchBrowser, missingBrowser, openSite, openVisit, type Site, type Visit, type VisitOptions } from './browser.ts';

/** Serves the test files of this worker, one after the other; ends with its process. */
let shared: Browser | undefined;

/**
 * Answers how to open a visit. Without a browser tests are skipped; where `CI` is set they fail.
 * @param options `sharesServer`: whether a test that leaves nothing behind hands its server on to the next one of the file; a file says so once its tests were seen to pass that way
 */
export function useBrowser({ sharesServer = false }: { readonly sharesServer?: boolean } = {}): (options?: VisitOptions) => Promise<Visit> {
  let browser: Browser | undefined;
  const visits: Visit[] = [];
  /** For visits that can share it, until one of them leaves something behind. */
  let site: Site | undefined;
  const isMissing = findBrowser() === undefined && process.env['CI'] === undefined;

  beforeAll(async () => {
    if (isMissing) return;
    if (shared?.isConnected() !== true) shared = await launchBrowser();
    browser = shared;
  });
  beforeEach((context) => {
    if (isMissing) context.skip(missingBrowser);
  });
  afterEach(async () => {
    const faults: string[] = [];
    for (const visit of visits.splice(0)) faults.push(...(await visit.close()));
    if (site && !(await site.tidy())) await closeSite();
    expect(faults).toEqual([]);
  });
  afterAll(closeSite);

  async function closeSite(): Promise<void> {
    await site?.close();
    site = undefined;
  }

  return async (options = {}) => {
    if (!browser) throw new Error(missingBrowser);
    // A second visit of a test has a site of its own.
    const shared = sharesServer && canShareSite(options) && visits.length === 0 ? (site ??= await openSite()) : undefined;
    const visit = await openVisit(browser, options, shared);
    visits.push(visit);
    return visit;
  };
}

// What the tests look at, by role and name.
export const conversation = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' });
export const messageField = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });
export const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
export const connection = (page: Page): Locator => page.getByRole('status', { name: 'Connection' });
export const chatList = (page: Page): Locator => page.getByRole('navigation', { name: 'Chats' });
export const approvalOf = (page: Page, tool: string): Locator => page.getByRole('group', { name: `Approval of ${tool}` });
export const entries = (page: Page, kind: string): Locator => conversation(page).locator(`article[data-kind="${kind}"]`);
export const toolCards = (page: Page, state?: string): Locator =>
  conversation(page).locator(`article[data-kind="tool"]${state === undefined ? '' : `[data-state="${state}"]`}`);

/**
 * Clicks until that shows: while a page is still being filled a button may move away under the click.
 * What is shown already is not clicked for.
 */
export async function clickUntil(target: Locator, shown: Locator): Promise<void> {
  await expect
    .poll(
      async () => {
        if (await shown.isVisible()) return true;
        await target.click({ timeout: 5_000 }).catch(() => undefined);
        return shown.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 30_000 },
    )
    .toBe(true);
}

export async function say(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text);
  await button(page, 'Send').click();
}

/** Resolves when the text stands in the conversation. */
export async function reads(page: Page, text: string | RegExp): Promise<void> {
  await conversation(page).getByText(text).first().waitFor();
}

/** Resolves when no turn runs any more. */
export async function isIdle(page: Page): Promise<void> {
  await connection(page).getByText('STANDBY').waitFor();
}

/** As {@link isIdle}, with the first chat there: who goes to another page before that goes without one. */
export async function isReady(page: Page): Promise<void> {
  await isIdle(page);
  await messageField(page).waitFor();
}

/** The text of the last user message of a request to the model. */
export function lastUserText(request: { readonly body: any }): string {
  const content = request.body.messages.findLast((message: any) => message.role === 'user')?.content;
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

/** Unfolds the place that has the links of all pages, where it is folded. */
export async function openPages(page: Page): Promise<Locator> {
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const all = pages.getByRole('button', { name: /^All pages/ });
  await all.waitFor();
  if ((await all.getAttribute('aria-expanded')) !== 'true') await all.click();
  await pages.locator('ul:not([hidden])').nth(1).waitFor();
  return pages;
}
