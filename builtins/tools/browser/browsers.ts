// Manages one browser per turn: loads the launcher on first use, and ends all browsers that it started.
import { messageOf } from '#lib/errors';
import type { Size } from './inputs.ts';
import type { TurnBrowser, BrowserPorts } from './turn-browser.ts';
import type { Tab } from './tab.ts';

export interface TurnPlace {
  readonly chatId: string;
  readonly turnId: string;
  readonly signal: AbortSignal;
}

export interface OpenPages {
  /** `starting`: the browser is running, but has no visible tab yet. */
  readonly state: 'closed' | 'starting' | 'open';
  readonly tabs: readonly Tab[];
}

export interface Browsers {
  /** Opens a tab in the turn's browser; starts the browser if necessary. Rejects with a message for the model. */
  openTab(place: TurnPlace, size: Size): Promise<Tab>;
  /** Returns the browser of a turn; `undefined` if it has not started. */
  browserOf(turnId: string): TurnBrowser | undefined;
  /** Returns a tab of a turn; `undefined` if there is none. */
  findTab(turnId: string, tabId: string): Tab | undefined;
  /** Returns a tab of any turn in a chat, to describe the target of a call. */
  findInChat(chatId: string, tabId: string): Tab | undefined;
  /** Returns the open pages of a chat's turns, without accessing them. */
  openIn(chatId: string): OpenPages;
  /** Ends the browser when the turn is aborted, even if no tool is running. */
  endWithTurn(turn: { readonly turnId: string; readonly signal: AbortSignal }): void;
  /** Ends the browser of a turn. Resolves when its processes have ended and its files have been deleted. */
  endTurn(turnId: string): Promise<void>;
  /** Ends the browsers of one chat or of all chats. */
  endAll(chatId?: string): Promise<void>;
  /** Ends browsers that earlier servers left running, and deletes their files. Contract: never rejects. */
  removeLeftovers(): Promise<void>;
}

/** Maximum number of browsers that run at the same time in all chats; each needs several hundred megabytes. */
const browserLimit = 6;

interface Running {
  readonly chatId: string;
  readonly started: Promise<TurnBrowser>;
  readonly stop: AbortController;
  /** The browser; set when it has started. */
  browser?: TurnBrowser;
  isWatched?: boolean;
  ending?: Promise<void>;
}

export function createBrowsers(ports: BrowserPorts): Browsers {
  const running = new Map<string, Running>();
  const ending = new Map<Running, string>();
  let tabCount = 0;
  const nextTabId = (): string => `tab_${++tabCount}`;

  function start({ chatId, turnId }: TurnPlace): Running {
    if (running.size >= browserLimit) throw new Error(`${browserLimit} browsers are already running; retry when another turn has ended.`);
    const stop = new AbortController();
    const started = import('./turn-browser.ts').then(({ startTurnBrowser }) => startTurnBrowser({ ...ports, nextTabId, signal: stop.signal }));
    const entry: Running = { chatId, started, stop };
    running.set(turnId, entry);
    started.then(
      (browser) => (entry.browser = browser),
      () => drop(turnId, entry),
    );
    return entry;
  }

  function drop(turnId: string, entry: Running): void {
    if (running.get(turnId) === entry) running.delete(turnId);
  }

  /** Ends a browser; all callers get the same promise. */
  function end(turnId: string, entry: Running): Promise<void> {
    drop(turnId, entry);
    if (entry.ending) return entry.ending;
    ending.set(entry, turnId);
    entry.ending = finish(entry).finally(() => ending.delete(entry));
    return entry.ending;
  }

  async function finish({ stop, started }: Running): Promise<void> {
    stop.abort(new Error('The browser was closed.'));
    const browser = await started.catch(() => undefined);
    await browser?.close();
  }

  async function openTab(place: TurnPlace, size: Size): Promise<Tab> {
    const known = running.get(place.turnId);
    // A crashed browser is replaced.
    if (known?.browser?.isOver) await end(place.turnId, known);
    const entry = running.get(place.turnId) ?? start(place);
    const onAbort = (): void => void end(place.turnId, entry).catch(() => undefined);
    place.signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (place.signal.aborted) await end(place.turnId, entry);
      return await (await entry.started).openTab(size);
    } finally {
      place.signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    openTab: (place, size) =>
      openTab(place, size).catch((fault: unknown) => {
        const died = !place.signal.aborted && running.get(place.turnId)?.browser?.isOver === true;
        return died ? openTab(place, size) : Promise.reject(fault);
      }),
    browserOf: (turnId) => running.get(turnId)?.browser,
    findTab: (turnId, tabId) => running.get(turnId)?.browser?.tab(tabId),
    findInChat(chatId, tabId) {
      for (const entry of running.values()) {
        const tab = entry.chatId === chatId ? entry.browser?.tab(tabId) : undefined;
        if (tab) return tab;
      }
      return undefined;
    },
    openIn(chatId) {
      const found = [...running.values()].filter((entry) => entry.chatId === chatId && entry.browser?.isOver !== true);
      const started = found.flatMap(({ browser }) => browser ?? []);
      const state = started.length > 0 ? 'open' : found.length > 0 ? 'starting' : 'closed';
      return { state, tabs: started.flatMap((browser) => browser.livingTabs()) };
    },
    endWithTurn({ turnId, signal }) {
      const entry = running.get(turnId);
      if (!entry || entry.isWatched) return;
      entry.isWatched = true;
      const onAbort = (): void => void end(turnId, entry).catch((fault: unknown) => ports.warn(`a browser could not be ended: ${String(fault)}`));
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    },
    async endTurn(turnId) {
      const entry = running.get(turnId);
      if (entry) await end(turnId, entry);
      for (const [one, turn] of ending) if (turn === turnId) await one.ending;
    },
    async endAll(chatId) {
      const chosen = [...[...running].map(([turnId, entry]) => ({ turnId, entry })), ...[...ending].map(([entry, turnId]) => ({ turnId, entry }))];
      await Promise.all(chosen.filter(({ entry }) => chatId === undefined || entry.chatId === chatId).map(({ turnId, entry }) => end(turnId, entry)));
    },
    async removeLeftovers() {
      try {
        const { endOrphanedBrowsers } = await import('./browser-records.ts');
        await endOrphanedBrowsers(ports.recordFolder, `${ports.productName}-browser-`);
      } catch (fault) {
        ports.warn(`browsers of ended servers could not be removed: ${messageOf(fault)}`);
      }
    },
  };
}
