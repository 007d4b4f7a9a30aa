// Stores the revisions on disk, one document each. Renaming a document to its final name activates it.
import { join } from 'node:path';
import { createSerialQueue } from '#lib/async';
import type { Storage } from 'agent-harness/plugins/storage';
import { createActiveFolder, type OutsideTexts } from './active-folder.ts';
import { isRevision, noRevision, type Revision } from './revision.ts';
import { tidyText } from './slices.ts';

/** Content of the next revision; the store adds the number and the time. */
export type NextRevision = Omit<Revision, 'revision' | 'at'>;

export interface Revisions {
  /** Returns the active revision. */
  current(): Promise<Revision>;
  /**
   * Activates the next revision; resolves when it is on disk. Changes run one after the other.
   * @param make returns `undefined` for no change; if it throws, everything stays unchanged
   */
  change(make: (current: Revision, next: { readonly revision: number; readonly at: string }) => NextRevision | undefined): Promise<Revision>;
  /** Returns the content of section files that another program wrote. */
  outside(): Promise<OutsideTexts>;
  /** Restores the files of the active revision, without content that waits for a decision. */
  showAnew(waiting: OutsideTexts): Promise<void>;
  /** Returns the stored revisions, newest first. */
  all(): Promise<readonly Revision[]>;
  wipe(): Promise<void>;
}

const mostRevisions = 200;

/**
 * @param folder path of `persona` in the home folder
 * @param listener `onOutside`: called once per file that another program changed; `onFault`: called when the files could not be written; writing is retried
 */
export function createRevisions(
  folder: string,
  storage: Storage,
  listener: { onOutside(path: string, isWaiting: boolean): void; onFault(fault: unknown): void },
): Revisions {
  const active = createActiveFolder(folder, storage);
  const queue = createSerialQueue();
  const reported = new Set<string>();
  const revisionsFolder = join(folder, 'revisions');
  const wiped = `${folder}.removed`;
  let isShown = true;
  let loaded: Promise<Revision> | undefined;

  const pathOf = (revision: number): string => join(revisionsFolder, `${String(revision).padStart(8, '0')}.json`);

  async function numbers(): Promise<number[]> {
    const names = await storage.list(revisionsFolder);
    return names
      .filter((name) => /^\d{8}\.json$/.test(name))
      .map((name) => Number.parseInt(name, 10))
      .sort((left, right) => right - left);
  }

  async function read(number: number): Promise<Revision | undefined> {
    const found = await storage.readJson(pathOf(number), isRevision);
    return found?.revision === number ? found : undefined;
  }

  async function load(): Promise<Revision> {
    await storage.removeFolder(wiped);
    for (const number of await numbers()) {
      const found = await read(number);
      if (!found) continue;
      // The process ended before it replaced the files.
      if (!(await active.look(found)).isCurrent) await show(found, stillWaiting(await active.leftWaiting(read), found));
      return found;
    }
    return noRevision;
  }

  function current(): Promise<Revision> {
    loaded ??= load().catch((fault: unknown) => {
      loaded = undefined;
      throw fault;
    });
    return loaded;
  }

  /** Writes the files of a revision. The revision is valid without them, because they are only for users. */
  async function show(revision: Revision, waiting: OutsideTexts): Promise<void> {
    try {
      await active.show(revision, waiting);
      isShown = true;
    } catch (fault) {
      isShown = false;
      listener.onFault(fault);
    }
  }

  async function lookOutside(): Promise<OutsideTexts> {
    const revision = await current();
    if (revision.revision === 0) return new Map();
    const { isCurrent, texts, refused } = await active.look(revision);
    for (const [name, text] of texts) report(`soul/${name}.md`, text, true);
    for (const path of refused) report(path, String(revision.revision), false);
    if (!isCurrent && isShown) report('manifest.json', String(revision.revision), false);
    if (!isCurrent || refused.length > 0) await show(revision, texts);
    return texts;
  }

  function report(path: string, what: string, isWaiting: boolean): void {
    const seen = `${path} ${what}`;
    if (reported.has(seen)) return;
    if (reported.size >= 100) reported.clear();
    reported.add(seen);
    listener.onOutside(path, isWaiting);
  }

  return {
    current,
    outside: () => queue.run(lookOutside),
    showAnew: (waiting) => queue.run(async () => show(await current(), waiting)),
    change: (make) =>
      queue.run(async () => {
        const before = await current();
        const stamp = { revision: before.revision + 1, at: new Date().toISOString() };
        const made = make(before, stamp);
        if (!made) return before;
        const waiting = await lookOutside();
        const next: Revision = { ...made, ...stamp };
        // This write activates the revision. The files follow, at the latest at the next start.
        await storage.writeJson(pathOf(next.revision), next);
        loaded = Promise.resolve(next);
        await show(next, stillWaiting(waiting, next));
        for (const number of (await numbers()).slice(mostRevisions)) await storage.remove(pathOf(number));
        return next;
      }),
    async all() {
      await current();
      const found = await Promise.all((await numbers()).map(read));
      return found.flatMap((one) => one ?? []);
    },
    wipe: () =>
      queue.run(async () => {
        await storage.removeFolder(wiped);
        if (await storage.has(folder)) await storage.move(folder, wiped);
        loaded = Promise.resolve(noRevision);
        await storage.removeFolder(wiped);
      }),
  };
}

/** Accepted content no longer waits for a decision. */
function stillWaiting(waiting: OutsideTexts, { slices }: Revision): OutsideTexts {
  return new Map([...waiting].filter(([name, text]) => slices[name] !== undefined && slices[name].text !== tidyText(text)));
}
