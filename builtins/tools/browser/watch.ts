// Provides the browser pages of a chat to viewers. Pages are read only on request, and once for all concurrent viewers.
import { oneLine } from '#lib/text';
import type { Browsers, OpenPages } from './browsers.ts';
import { readTitle, takePicture } from './look.ts';
import type { Tab } from './tab.ts';

export interface WatchedTab {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** Whether the agent used this tab last. */
  readonly isActive: boolean;
}

export interface WatchedBrowser {
  readonly state: OpenPages['state'];
  readonly tabs: readonly WatchedTab[];
  /** Text for users if there is no tab. */
  readonly note?: string;
}

export interface Picture {
  readonly jpeg: Uint8Array;
  /** Time of the image in milliseconds of this process. */
  readonly takenAt: number;
}

export interface Watch {
  list(chatId: string): Promise<WatchedBrowser>;
  /** Returns an image of a tab; `undefined` if the chat has no such tab. Rejects if there is no image yet and none could be taken in time. */
  picture(chatId: string, tabId: string): Promise<Picture | undefined>;
}

interface Sight {
  title(): Promise<string>;
  picture(): Promise<Picture>;
}

/** Minimum time in milliseconds between two reads of a tab. */
const restMs = 500;
const urlLimit = 2_000;
const titleLimit = 200;

const notes = {
  closed: 'This chat has no browser now. The agent opens one when needed, and it is closed when the turn ends.',
  starting: 'The browser is starting.',
  open: 'No page is open in the browser.',
} as const;

export function createWatch(browsers: Pick<Browsers, 'openIn' | 'findInChat'>): Watch {
  const sights = new WeakMap<Tab, Sight>();

  function sightOf(tab: Tab): Sight {
    const sight = sights.get(tab) ?? createSight(tab);
    sights.set(tab, sight);
    return sight;
  }

  return {
    async list(chatId) {
      const { state, tabs } = browsers.openIn(chatId);
      const active = tabs.reduce<Tab | undefined>((last, tab) => (last && last.usedAt >= tab.usedAt ? last : tab), undefined);
      const shown = tabs.map(async (tab) => ({
        id: tab.id,
        url: oneLine(tab.url, urlLimit),
        title: oneLine(await sightOf(tab).title(), titleLimit),
        isActive: tab === active,
      }));
      return { state, tabs: await Promise.all(shown), ...(tabs.length === 0 ? { note: notes[state] } : {}) };
    },
    async picture(chatId, tabId) {
      const tab = browsers.findInChat(chatId, tabId);
      if (!tab || tab.whyOver !== undefined) return undefined;
      try {
        return await sightOf(tab).picture();
      } catch (fault) {
        // The tab may have ended in the meantime.
        if (tab.whyOver !== undefined || browsers.findInChat(chatId, tabId) !== tab) return undefined;
        throw fault;
      }
    },
  };
}

/** Creates the reader of a tab. After a failed read, it returns the last result. */
function createSight({ page }: Tab): Sight {
  let title = '';
  let picture: Picture | undefined;
  return {
    title: sharing(restMs, async () => (title = await readTitle(page).catch(() => title))),
    picture: sharing(restMs, async () => {
      try {
        const jpeg = await takePicture(page);
        return (picture = { jpeg, takenAt: performance.now() });
      } catch (fault) {
        if (picture) return picture;
        throw fault;
      }
    }),
  };
}

/** Runs `work` at most once per `ms` milliseconds and never concurrently; calls in between receive the last result. */
function sharing<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined;
  let startedAt = 0;
  let isRunning = false;
  return () => {
    if (last && (isRunning || performance.now() - startedAt < ms)) return last;
    startedAt = performance.now();
    isRunning = true;
    last = work().finally(() => (isRunning = false));
    return last;
  };
}
