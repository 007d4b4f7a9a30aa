// Provides the browser and the server pool of a worker, and one or more visits per test. A test fails on unexpected faults.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { findBrowser, launchBrowser, missingBrowser, openVisit, type Visit, type VisitOptions } from './browser.ts';
import { takeSite, type TakenSite } from './site-pool.ts';

/** Browser shared by the test files of this worker. It ends with the process. */
let shared: Browser | undefined;

/** Returns the browser of this worker, which must not be closed. */
export async function sharedBrowser(): Promise<Browser> {
  if (shared?.isConnected() !== true) shared = await launchBrowser();
  return shared;
}

/** Returns a function that opens a visit. Without a browser, tests are skipped, or fail if `CI` is set. */
export function useBrowser(): (options?: VisitOptions) => Promise<Visit> {
  let browser: Browser | undefined;
  const visits: { readonly visit: Visit; readonly taken: TakenSite }[] = [];
  const isMissing = findBrowser() === undefined && process.env['CI'] === undefined;

  beforeAll(async () => {
    if (!isMissing) browser = await sharedBrowser();
  });
  beforeEach((context) => {
    if (isMissing) context.skip(missingBrowser);
  });
  afterEach(async () => {
    const faults: string[] = [];
    for (const { visit, taken } of visits.splice(0)) {
      faults.push(...(await visit.close()));
      await taken.release();
    }
    expect(faults).toEqual([]);
  });

  return async (options = {}) => {
    if (!browser) throw new Error(missingBrowser);
    const taken = await takeSite(options);
    const visit = await openVisit(browser, options, taken.site);
    visits.push({ visit, taken });
    return visit;
  };
}

export const conversation = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' });
export const messageField = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });
export const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
/** Opens the menu with the remaining actions of a reply. */
export const openActions = (reply: Locator): Promise<void> => button(reply, 'More actions').click();
export const connection = (page: Page): Locator => page.getByRole('status', { name: 'Connection' });
export const chatList = (page: Page): Locator => page.getByRole('navigation', { name: 'Chats' });
export const approvalOf = (page: Page, tool: string): Locator => page.getByRole('group', { name: `Approval of ${tool}` });
export const entries = (page: Page, kind: string): Locator => conversation(page).locator(`article[data-kind="${kind}"]`);
export const toolCards = (page: Page, state?: string): Locator =>
  conversation(page).locator(`article[data-kind="tool"]${state === undefined ? '' : `[data-state="${state}"]`}`);

/**
 * Clicks until `shown` is visible, because a button may move while the page is still loading.
 * Does not click if it is already visible.
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

export async function reads(page: Page, text: string | RegExp): Promise<void> {
  await conversation(page).getByText(text).first().waitFor();
}

export async function isIdle(page: Page): Promise<void> {
  await connection(page).getByText('STANDBY').waitFor();
}

/** Like {@link isIdle}, and waits for the first chat. Navigating to another page earlier would leave the app without a chat. */
export async function isReady(page: Page): Promise<void> {
  await isIdle(page);
  await messageField(page).waitFor();
}

export function lastUserText(request: { readonly body: any }): string {
  const content = request.body.messages.findLast((message: any) => message.role === 'user')?.content;
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

export async function openPages(page: Page): Promise<Locator> {
  const menu = page.getByRole('menu', { name: /^Settings and more/ });
  if (!(await menu.isVisible())) await page.getByRole('button', { name: /^Settings and more/ }).click();
  await menu.waitFor();
  return menu;
}

export async function openComposerMenu(page: Page): Promise<Locator> {
  await button(page, 'Add files and more').click();
  const menu = page.getByRole('menu', { name: 'Add files and more' });
  await menu.waitFor();
  return menu;
}

export async function switchInComposer(page: Page, name: string): Promise<void> {
  await (await openComposerMenu(page)).getByRole('menuitemcheckbox', { name }).click();
}

export async function isOnInComposer(page: Page, name: string): Promise<boolean> {
  const menu = await openComposerMenu(page);
  const isOn = await menu.getByRole('menuitemcheckbox', { name }).getAttribute('aria-checked');
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  return isOn === 'true';
}
