// Starts a control plane for a test file and opens browser contexts for its visitors. Unexpected faults fail the test.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { closeContext, findBrowser, missingBrowser, watchContext, type Watch } from '../../helpers/browser.ts';
import { startPlane, type Plane } from '../../helpers/plane.ts';
import { sharedBrowser } from '../../helpers/use-browser.ts';
import { settled } from './settled.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { answerOfProvider } from './filled-control-plane.ts';

export interface Visitor {
  readonly page: Page;
  open(path: string): Promise<Page>;
  expectFault: Watch['expectFault'];
}

export interface PlaneVisit {
  readonly plane: Plane;
  visitor(context?: BrowserContextOptions): Promise<Visitor>;
}

/** Returns the shared fixtures of the test file. Skips tests without a browser, or fails them where `CI` is set. */
export function usePlane(environment: Readonly<Record<string, string>> = {}): () => PlaneVisit {
  let browser: Browser | undefined;
  let plane: Plane | undefined;
  let model: ScriptedModel | undefined;
  const closings: (() => Promise<string[]>)[] = [];
  const isMissing = findBrowser() === undefined && process.env['CI'] === undefined;

  beforeAll(async () => {
    if (isMissing) return;
    model = await startScriptedModel(answerOfProvider);
    const upstream = { HUB_UPSTREAM_BASE_URL: model.url, HUB_UPSTREAM_API_KEY: 'sk-of-the-tests' };
    [browser, plane] = await Promise.all([sharedBrowser(), startPlane({ environment: { HUB_ATTEMPTS_PER_MINUTE: '10000', ...upstream, ...environment } })]);
  });
  beforeEach((context) => {
    if (isMissing) context.skip(missingBrowser);
  });
  afterEach(async () => {
    const faults: string[] = [];
    for (const close of closings.splice(0)) faults.push(...(await close()));
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    await plane?.close();
    await model?.close();
  });

  return () => {
    if (!browser || !plane) throw new Error(missingBrowser);
    const [opened, server] = [browser, plane];
    return {
      plane: server,
      async visitor(options = {}) {
        const context = await opened.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', serviceWorkers: 'block', ...options });
        context.setDefaultTimeout(30_000);
        const watch = await watchContext(context, server.url);
        closings.push(async () => {
          await closeContext(context);
          return watch.unexpected();
        });
        const page = await context.newPage();
        return {
          page,
          async open(path) {
            await page.goto(server.url + path);
            await settled(page);
            return page;
          },
          expectFault: watch.expectFault,
        };
      },
    };
  };
}
