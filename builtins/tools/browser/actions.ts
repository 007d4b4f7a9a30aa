// Implements the operations of `browser_act`, one function each. Failures are errors whose messages are written for the model.
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { WorkspaceFiles } from 'agent-harness/builtins/tools/files';
import { oneLine } from '#lib/text';
import type { ToolContext } from 'agent-harness/plugins/tools';
import { within } from './deadline.ts';
import { goTo } from './go-to.ts';
import { maxWaitMs, type Action } from './inputs.ts';
import { takeScreenshot } from './screenshot.ts';
import type { Tab } from './tab.ts';
import type { TurnBrowser } from './turn-browser.ts';
import { readUploads } from './uploads.ts';
import { faultText } from './fault-text.ts';
import type { ActionDone } from './action-done.ts';

export interface ActionPlace {
  readonly tab: Tab;
  readonly browser: TurnBrowser;
  readonly call: Pick<ToolContext, 'callId' | 'workspaceRoot'>;
  readonly files: WorkspaceFiles | undefined;
  readonly signal: AbortSignal;
}

type Operation = (action: Action, place: ActionPlace) => Promise<ActionDone | void>;

const shortMs = 5_000;
/** Time limit of any operation in milliseconds; longer than the sum of the limits inside it. */
const longestMs = 25_000;
/** Delay in milliseconds after an action, because the page opens windows and starts navigations a moment later. */
const settleMs = 150;
const loadMs = 2_000;
const typedLimit = 2_000;

export async function runAction(action: Action, place: ActionPlace): Promise<ActionDone> {
  place.signal.throwIfAborted();
  if (place.tab.whyOver !== undefined) throw new Error(place.tab.whyOver);
  try {
    // After a crash of the renderer, some time limits inside an operation have no effect.
    return (await within(longestMs, run[action.op](action, place), 'The page')) ?? {};
  } catch (fault) {
    if (place.tab.whyOver !== undefined) throw new Error(place.tab.whyOver, { cause: fault });
    throw new Error(faultText(fault), { cause: fault });
  }
}

const run: Readonly<Record<Action['op'], Operation>> = {
  goto: async ({ url }, { tab, browser }) => goTo(tab, browser, given(url, 'goto needs url.')),
  click: (action, place) => touch(action, place, (target) => target.click()),
  fill: (action, place) => touch(action, place, (target) => target.fill(given(action.text, 'fill needs text.'))),
  type: (action, place) => touch(action, place, (target) => target.pressSequentially(typed(action.text))),
  select: (action, place) => touch(action, place, async (target) => void (await target.selectOption(given(action.text, 'select needs text.')))),
  check: (action, place) => touch(action, place, (target) => target.check()),
  uncheck: (action, place) => touch(action, place, (target) => target.uncheck()),
  hover: (action, place) => touch(action, place, (target) => target.hover()),
  press,
  scroll,
  back: async (_, { tab: { page } }) => turnPage(page, await page.goBack({ waitUntil: 'commit' }), 'There is no previous page.'),
  forward: async (_, { tab: { page } }) => turnPage(page, await page.goForward({ waitUntil: 'commit' }), 'There is no next page.'),
  wait,
  async screenshot(action, { tab: { page } }) {
    return { shot: await takeScreenshot(hasTarget(action) ? await targetOf(action, page) : page) };
  },
  async snapshot(action, { tab: { page } }) {
    const place = hasTarget(action) ? await targetOf(action, page) : page.locator('body');
    const body = await place.ariaSnapshot({ timeout: shortMs });
    // The result already ends with the whole page and its references.
    return hasTarget(action) ? { body } : { note: 'see below' };
  },
  async upload(action, { tab: { page }, call, files }) {
    const uploads = await readUploads(given(action.paths, 'upload needs paths.'), call, files);
    await (await targetOf(action, page)).setInputFiles(uploads);
    return { note: uploads.map(({ name, buffer }) => `${name}, ${buffer.length} bytes`).join('; ') };
  },
  async dialog({ accept, text }, { tab }) {
    tab.answerNext({ accept: accept === true, ...(text === undefined ? {} : { text }) });
    return { note: `the next dialog will be ${accept === true ? 'accepted' : 'dismissed'}` };
  },
  async read(action, { tab: { page } }) {
    const target = hasTarget(action) ? await targetOf(action, page) : page.locator('body');
    const text = await target.innerText();
    return { body: text.trim() === '' ? await target.inputValue({ timeout: 500 }).catch(() => '') : text };
  },
};

async function touch(action: Action, { tab: { page } }: ActionPlace, work: (target: Locator) => Promise<void>): Promise<void> {
  await work(await targetOf(action, page));
  await settle(page);
}

async function press(action: Action, { tab: { page } }: ActionPlace): Promise<void> {
  const key = given(action.text, 'press needs a key in text, such as Enter.');
  if (hasTarget(action)) await (await targetOf(action, page)).press(key);
  else await within(shortMs, page.keyboard.press(key), 'The page');
  await settle(page);
}

async function scroll(action: Action, { tab: { page } }: ActionPlace): Promise<void> {
  if (hasTarget(action)) return (await targetOf(action, page)).scrollIntoViewIfNeeded();
  const way = action.text ?? 'down';
  if (way === 'top' || way === 'bottom') {
    await within(shortMs, page.evaluate(`window.scrollTo(0, ${way === 'top' ? 0 : 'document.documentElement.scrollHeight'})`), 'The page');
  } else if (way === 'up' || way === 'down') {
    const step = Math.round((page.viewportSize()?.height ?? 800) * 0.9);
    await within(shortMs, page.mouse.wheel(0, way === 'up' ? -step : step), 'The page');
  } else throw new Error(`scroll takes up, down, top and bottom, not ${oneLine(way, 40)}.`);
  await settle(page);
}

async function wait({ ms, text }: Action, { tab: { page }, signal }: ActionPlace): Promise<void> {
  if (text !== undefined)
    return page
      .getByText(text)
      .first()
      .waitFor({ timeout: ms ?? maxWaitMs });
  await delay(given(ms, 'wait needs text or ms.'), undefined, { signal });
}

async function turnPage(page: Page, response: unknown, why: string): Promise<void> {
  if (response === null && page.url() !== 'about:blank') throw new Error(why);
  await settle(page);
}

async function settle(page: Page): Promise<void> {
  await delay(settleMs);
  await page.waitForLoadState('load', { timeout: loadMs }).catch(() => undefined);
}

const hasTarget = ({ ref, selector }: Action): boolean => ref !== undefined || selector !== undefined;

async function targetOf({ op, ref, selector }: Action, page: Page): Promise<Locator> {
  if (ref === undefined) return page.locator(given(selector, `${op} needs ref or selector.`));
  const target = page.getByRef(ref);
  if ((await within(shortMs, target.count(), 'The page')) > 0) return target;
  throw new Error(`The current page has no element ${ref}. A snapshot action returns the whole page with its refs.`);
}

function typed(text: string | undefined): string {
  if ((text ?? '').length > typedLimit) throw new Error(`type takes at most ${typedLimit} characters; use fill for more.`);
  return given(text, 'type needs text.');
}

function given<T>(value: T | undefined, why: string): T {
  if (value === undefined) throw new Error(why);
  return value;
}
