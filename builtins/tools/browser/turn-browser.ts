// Runs one browser process with a new profile and with network access only through the gate, manages its tabs, and removes all its files at the end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcessesOf } from '#lib/folder-processes';
import type { BrowserContext, Page } from 'playwright-core';
import { within } from './deadline.ts';
import { startGate, type Gate } from './gate.ts';
import type { Size } from './inputs.ts';
import { launch, readPid } from './launch.ts';
import { removeRecord, writeRecord } from './browser-records.ts';
import { createTab, type Tab } from './tab.ts';
import { findChromium } from '#lib/chromium';

export interface BrowserPorts {
  /** Path of the folder with the records that the next start uses to end leftover browsers. */
  readonly recordFolder: string;
  readonly productName: string;
  /** Live values of the settings. */
  readonly config: { readonly program: string; readonly allowedHosts: string };
  warn(message: string): void;
}

export interface TurnBrowser {
  /** Whether the browser has ended, for any reason. */
  readonly isOver: boolean;
  readonly gate: Gate;
  /** Current value of the setting. */
  readonly allowedHosts: string;
  openTab(size: Size): Promise<Tab>;
  tab(id: string): Tab | undefined;
  /** Returns the usable tabs, oldest first. */
  livingTabs(): readonly Tab[];
  /** Returns the tabs that pages opened since the last call, and the number of windows that were refused. */
  takePopups(): { readonly tabs: readonly Tab[]; readonly refused: number };
  /** Closes the browser. Resolves when all processes have ended and all files are deleted. */
  close(): Promise<void>;
}

export interface StartOptions extends BrowserPorts {
  nextTabId(): string;
  /** Ends the browser when aborted, even during its start. */
  readonly signal: AbortSignal;
}

const tabLimit = 8;
const closeMs = 2_000;
const openMs = 6_000;

/** Starts a browser, which the caller must close. Rejects with a message for the model. */
export async function startTurnBrowser(options: StartOptions): Promise<TurnBrowser> {
  const program = await findProgram(options.config.program);
  const folder = await mkdtemp(join(tmpdir(), `${options.productName}-browser-`));
  let gate: Gate | undefined;
  let pid: number | undefined;
  async function close(): Promise<void> {
    await endProcessesOf(folder, pid);
    pid = undefined;
    await gate?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    await removeRecord(options.recordFolder, folder);
  }
  try {
    await writeRecord(options.recordFolder, folder);
    gate = await startGate(() => options.config.allowedHosts);
    const context = await launch({ program, folder, gate, signal: options.signal });
    pid = await readPid(context);
    options.signal.throwIfAborted();
    return createTurnBrowser(context, gate, close, { ...options, downloadFolder: join(folder, 'downloads') });
  } catch (fault) {
    await close();
    throw fault;
  }
}

function createTurnBrowser(
  context: BrowserContext,
  gate: Gate,
  closeAll: () => Promise<void>,
  { config, nextTabId, downloadFolder }: StartOptions & { readonly downloadFolder: string },
): TurnBrowser {
  const tabs = new Map<Page, Tab>();
  let popups: Tab[] = [];
  let refused = 0;
  let isOver = false;
  let expected = 0;
  let closing: Promise<void> | undefined;
  // The browser starts with one empty page.
  let blankPage = context.pages()[0];

  function add(page: Page): Tab {
    const tab = createTab(nextTabId(), page, downloadFolder);
    tabs.set(page, tab);
    return tab;
  }

  const living = (): Tab[] => [...tabs.values()].filter((tab) => tab.whyOver === undefined);

  context.on('page', (page) => {
    if (expected > 0) return;
    if (living().length < tabLimit) popups.push(add(page));
    else {
      refused++;
      page.close().catch(() => undefined);
    }
  });
  context.once('close', () => (isOver = true));

  async function openPage(size: Size): Promise<Page> {
    const first = blankPage;
    blankPage = undefined;
    const page = first && !first.isClosed() ? first : await askForPage();
    await within(openMs, page.setViewportSize(size), 'The new page');
    return page;
  }

  async function askForPage(): Promise<Page> {
    const asked = context.newPage();
    expected++;
    try {
      return await within(openMs, asked, 'The browser');
    } catch (fault) {
      asked.then((late) => late.close()).catch(() => undefined);
      throw fault;
    } finally {
      expected--;
    }
  }

  return {
    gate,
    get isOver() {
      return isOver;
    },
    get allowedHosts() {
      return config.allowedHosts;
    },
    async openTab(size) {
      const [oldest, ...others] = living();
      // A busy page, or a page whose renderer has just crashed, may never report that it is closed.
      if (oldest && others.length + 1 >= tabLimit) await within(closeMs, oldest.page.close(), 'The oldest page').catch(() => undefined);
      // Chromium may assign a renderer that has just crashed to a new page, and then never reports anything about that page.
      const page = await openPage(size).catch(() => openPage(size));
      const tab = tabs.get(page) ?? add(page);
      tab.beginCall();
      return tab;
    },
    tab: (id) => [...tabs.values()].find((tab) => tab.id === id),
    livingTabs: living,
    takePopups() {
      const taken = { tabs: popups, refused };
      popups = [];
      refused = 0;
      return taken;
    },
    close: () => (closing ??= closeAll()),
  };
}

/** Returns the path of the browser program. Throws an error that names the program to install. */
async function findProgram(configured: string): Promise<string> {
  const program = await findChromium(configured);
  if (program !== undefined) return program;
  if (configured !== '') throw new Error(`AGENT_BROWSER_PATH is ${configured}, which is not a program; use the absolute path of Chromium, Chrome or Edge.`);
  throw new Error('This machine has no Chromium, Chrome or Edge. The user must install one, or set AGENT_BROWSER_PATH to its path.');
}
