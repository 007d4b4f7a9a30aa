// Pairs phones outside the local network with a computer through a control plane, for browser tests.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { closeContext, findBrowser, missingBrowser, watchContext, type Watch } from '../../helpers/browser.ts';
import { missingForOutside } from '../../helpers/relay-nodes.ts';
import { startOutsideWorld, type OutsideWorld } from '../../helpers/remote-pairing.ts';
import { makeMarks, markBeginning, marksIn } from '../../helpers/planted-texts.ts';
import { textsInFolder, textsInMemory } from '../../helpers/process-memory.ts';
import { isIdle, reads, say, sharedBrowser } from '../../helpers/use-browser.ts';

export interface Phone {
  readonly page: Page;
  readonly id: string;
}

export interface Outside {
  readonly world: OutsideWorld;
  offer(role?: string): Promise<string>;
  visit(address: string): Promise<Page>;
  pair(role?: string): Promise<Phone>;
}

const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' } as const;

/** Returns the shared fixtures of the test file. Skips tests if a requirement is missing, or fails them where `CI` is set. */
export function useOutside(): () => Outside {
  const missing = findBrowser() === undefined ? missingBrowser : missingForOutside;
  const isMissing = missing !== undefined && process.env['CI'] === undefined;
  const open: { readonly context: BrowserContext; readonly watch: Watch }[] = [];
  let browser: Browser;
  let world: OutsideWorld;
  beforeAll(async () => {
    if (isMissing) return;
    if (missing !== undefined) throw new Error(missing);
    [browser, world] = await Promise.all([sharedBrowser(), startOutsideWorld()]);
  }, 90_000);
  beforeEach(async (context) => {
    if (isMissing) return context.skip(missing);
    await world.startNodes();
  });
  afterEach(async () => {
    if (isMissing) return;
    world.tamper = undefined;
    const faults: string[] = [];
    for (const { context, watch } of open.splice(0)) {
      await closeContext(context);
      faults.push(...watch.unexpected());
    }
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    if (isMissing) return;
    await world.close();
  });

  const devices = async (): Promise<{ readonly id: string }[]> => (await world.server.call('GET', '/api/pair/devices')).body.devices;

  async function offer(role?: string): Promise<string> {
    const { status, body } = await world.server.call('POST', '/api/pair/begin', { way: 'outside', ...(role === undefined ? {} : { role }) });
    expect([status, body.address]).toEqual([200, expect.stringMatching(new RegExp(`^${world.url}/phone/[0-9A-Z]{8}#k=[\\w-]{43}$`))]);
    return body.address;
  }

  async function visit(address: string): Promise<Page> {
    const context = await browser.newContext(phone);
    context.setDefaultTimeout(30_000);
    const watch = await watchContext(context, world.url);
    // The browser logs errors while a link is broken or refused.
    watch.expectFault(/status of (?:401|403|404|429|50\d)|ERR_/);
    open.push({ context, watch });
    const page = await context.newPage();
    await page.goto(address);
    return page;
  }

  async function pair(role?: string): Promise<Phone> {
    const before = new Set((await devices()).map(({ id }) => id));
    const page = await visit(await offer(role));
    await isIdle(page);
    const fresh = (await devices()).find(({ id }) => !before.has(id));
    return { page, id: fresh?.id ?? '' };
  }

  return () => ({ world, offer, visit, pair });
}

/** Exchanges `count` random texts between a phone and its computer. Expects that no node has one in its memory, home or output. */
export async function expectNoMarksInNodes({ world, pair }: Outside, count: number): Promise<void> {
  const { page } = await pair('full');
  const marks = makeMarks(count);
  const rounds = Math.ceil(count / 200);
  const share = count / rounds / 2;
  for (let round = 0; round < rounds; round++) {
    const [said, answered] = [marks.slice(2 * share * round, 2 * share * round + share), marks.slice(2 * share * round + share, 2 * share * (round + 1))];
    world.model.play([{ text: answered.map((mark) => `${mark} `), delayMs: 2 }]);
    await say(page, said.join(' '));
    await reads(page, answered.at(-1) ?? '');
    await isIdle(page);
  }
  const { relayed } = world;
  expect(relayed.filter(({ body, reply }) => body.includes(markBeginning) || reply.includes(markBeginning))).toEqual([]);
  for (const [at, { pid, output }] of world.nodes.entries()) {
    expect(await marksIn({ pid, home: world.homes[at] ?? '', output: output() }, marks)).toEqual([]);
  }
  // Control: the search finds the conversation on the computer, and the requested path in a node.
  expect((await textsInMemory(world.server.pid, markBeginning, marks)).length).toBeGreaterThan(count / 2);
  expect(await textsInFolder(world.home, marks)).toHaveLength(count);
  const polled = await Promise.all(world.nodes.map(({ pid }) => textsInMemory(pid, '/api/remote/', ['/api/remote/poll'])));
  expect(polled.flat()).not.toEqual([]);
}
