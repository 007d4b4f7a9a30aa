// Manages the notes of one file: reads them once, adds changes of other processes, appends its own changes, and occasionally merges the journal into the list.
import { rename, rm } from 'node:fs/promises';
import type { Disposable } from 'agent-harness/kernel';
import { createSerialQueue } from '#lib/async';
import { inSlices, yieldToEventLoop } from '#lib/event-loop';
import type { StoredNote } from '../contract.ts';
import { appendLine, isSame, pathsOf, readLines, readWhole, replaceList, stampOf, writeTemporary, type Stamp } from '../note-disk.ts';
import { NoteTable, type NoteWrite, type WatchedWrites } from './note-table.ts';
import { scanNotes, type FoundNotes } from './note-scan.ts';
import { parseList, printList } from './parse-list.ts';

export interface NoteFileParts {
  /** Absolute path of `.agent_notes.json`. */
  readonly path: string;
  /** Locks the file, so that no other process merges its journal. Rejects if another process holds the lock. */
  lock(path: string): Promise<Disposable>;
  /** Quarantines and reports a list that cannot be parsed. */
  moveAside(path: string): Promise<void>;
  /** Called after a note was added, changed or deleted. */
  changed(id: string, note: StoredNote | undefined): void;
}

export interface NoteFile {
  readonly path: string;
  /** All notes, including deleted ones. Valid until the next await; must be read after {@link refresh}. */
  readonly notes: ReadonlyMap<string, StoredNote>;
  /** Applies the changes on disk. */
  refresh(): Promise<void>;
  /** Serial number of the newest change. */
  readonly serial: number;
  /** Returns whether {@link refresh} would read the whole file, which takes seconds for a large one. */
  isBehind(): Promise<boolean>;
  /** Returns the notes with words of the queries from disk, without waiting for {@link refresh}; `undefined` for a small file, or another layout. */
  scan(queries: readonly string[]): Promise<FoundNotes | undefined>;
  /** Yields to other work, including running scans. */
  readonly pause: () => Promise<void>;
  /** Computes changes atomically in this process. Resolves when they are on disk. `isKept`: whether no other process changed the same state just before. */
  change(decide: () => readonly NoteWrite[]): Promise<(NoteWrite & { readonly isKept: boolean })[]>;
  accessCount(id: string): number;
  /** Counts a use in addition to those in the note; {@link rest} writes the count. */
  count(id: string, known?: number): void;
  /** Writes counts, and merges the journal when due. `isQuiet`: the system is idle, so a small file is merged early. `isForced`: merges always. */
  rest(options: { readonly isQuiet: boolean; readonly isForced?: boolean }): Promise<void>;
  /** Number of bytes of changes that are not merged into the list yet. */
  readonly openBytes: number;
}

/** Size in bytes up to which the journal is merged whenever the system is idle; reading such a list is as fast as scanning it. */
const smallList = 1 << 20;
const openLimit = 4 << 20;

export function openNoteFile(parts: NoteFileParts): NoteFile {
  const paths = pathsOf(parts.path);
  const table = new NoteTable(parts.changed);
  let isRead = false;
  let list: Stamp;
  let folding: Stamp;
  let journal: { readonly file: string; end: number } | undefined;
  const { run: inTurn } = createSerialQueue();
  let foldRun: Promise<void> | undefined;
  let scanning: Promise<unknown> | undefined;
  const pause = async (): Promise<void> => {
    await yieldToEventLoop();
    await scanning;
  };

  async function look(): Promise<{ readonly journalNow: Stamp; readonly isBehind: boolean }> {
    // Stamps the files in the order in which lines move, so that a moving line is found at its next position.
    const journalNow = await stampOf(paths.journal);
    const foldingNow = await stampOf(paths.folding);
    const listNow = await stampOf(paths.list);
    const isRotated = journal !== undefined && (journalNow?.file !== journal.file || journalNow.size < journal.end);
    return { journalNow, isBehind: !isRead || isRotated || !isSame(list, listNow) || !isSame(folding, foldingNow) };
  }

  /** Applies the lines that were written since the last call, by any process. */
  async function takeIn(watched?: WatchedWrites): Promise<void> {
    const { journalNow, isBehind } = await look();
    if (isBehind) return readAll(watched);
    if (!journalNow || journalNow.size === (journal?.end ?? 0)) return;
    const part = await readLines(paths.journal, journal?.end ?? 0);
    if (part?.file !== journalNow.file) return readAll(watched);
    journal = { file: part.file, end: part.end };
    table.add(part.lines, watched);
  }

  /** Reads all lines. They move only from the journal, through the file that is being merged, to the list, so this order misses no line. */
  async function readAll(watched?: WatchedWrites): Promise<void> {
    const open = await readLines(paths.journal, 0);
    const foldingNow = await stampOf(paths.folding);
    const half = await readLines(paths.folding, 0);
    const whole = await readWhole(paths.list);
    const entries = whole && (await parseList(whole.bytes.toString('utf8'), pause));
    if (whole && !entries) await parts.moveAside(paths.list);
    await table.load(entries ?? [], [...(half?.lines ?? []), ...(open?.lines ?? [])], pause, watched);
    list = entries ? whole?.stamp : undefined;
    folding = foldingNow;
    journal = open && { file: open.file, end: open.end };
    isRead = true;
  }

  async function scan(queries: readonly string[]): Promise<FoundNotes | undefined> {
    if (((await stampOf(paths.list))?.size ?? 0) < smallList) return undefined;
    // Reads in the same order as `readAll`.
    const open = await readLines(paths.journal, 0);
    const half = await readLines(paths.folding, 0);
    const whole = await readWhole(paths.list);
    if (!whole) return undefined;
    const newer = new Map<string, StoredNote>();
    await inSlices(table.read([...(half?.lines ?? []), ...(open?.lines ?? [])]), ([id, note]) => {
      if (note.revision > (newer.get(id)?.revision ?? -1)) newer.set(id, note);
    });
    return scanNotes(whole.bytes, newer, queries);
  }

  async function writeCounts(): Promise<void> {
    const counts = table.takeCounts();
    if (counts.length === 0) return;
    await appendLine(paths.journal, JSON.stringify({ counts: Object.fromEntries(counts) as object }), 0o600);
    await takeIn();
  }

  function isDue(isQuiet: boolean): boolean {
    const open = journal?.end ?? 0;
    if (open === 0 && folding === undefined) return false;
    const size = list?.size ?? 0;
    return isQuiet ? size < smallList || open > Math.max(smallList, size / 4) : open > Math.max(openLimit, size / 2);
  }

  /** Merges the journal into the list. Other work reads and changes notes while the new list is written; only the beginning and the end block it. */
  async function fold(): Promise<void> {
    const lock = await parts.lock(paths.list).catch(() => undefined);
    if (!lock) return; // another process is merging
    try {
      for (let passes = 0; passes < 2; passes++) {
        const hasHalf = (await stampOf(paths.folding)) !== undefined;
        const snapshot = await inTurn(() => beginFold(hasHalf));
        if (!snapshot) return;
        const temporary = `${paths.list}.${process.pid}-${passes}.tmp`;
        try {
          const stamp = await writeTemporary(temporary, printList(snapshot.entries));
          if (!(await inTurn(() => endFold(temporary, stamp, snapshot.list)))) return;
        } finally {
          await rm(temporary, { force: true });
        }
        // The list now contains the changes that a crash left behind; the second pass adds later changes.
        if (!hasHalf) return;
      }
    } finally {
      await lock.dispose();
    }
  }

  async function beginFold(hasHalf: boolean): Promise<{ readonly entries: [string, unknown][]; readonly list: Stamp } | undefined> {
    await takeIn();
    if (!hasHalf) {
      if (!journal) return undefined;
      await rename(paths.journal, paths.folding);
      // From here on, every line that another writer adds is detected.
      const rest = await readLines(paths.folding, journal.end);
      if (rest?.file === journal.file) table.add(rest.lines);
      folding = await stampOf(paths.folding);
      journal = undefined;
    }
    return { entries: table.entries(Date.now()), list };
  }

  /** Ends the merge. Resolves to `true` if the new list replaced the old one. */
  async function endFold(temporary: string, stamp: Stamp, expected: Stamp): Promise<boolean> {
    if (!(await replaceList(paths.list, temporary, expected))) return false;
    await rm(paths.folding, { force: true });
    list = stamp;
    folding = undefined;
    return true;
  }

  return {
    path: parts.path,
    get notes() {
      return table.notes;
    },
    get serial() {
      return table.serial;
    },
    get openBytes() {
      return journal?.end ?? 0;
    },
    refresh: () => inTurn(() => takeIn()),
    isBehind: async () => (await look()).isBehind,
    async scan(queries) {
      const run = scan(queries);
      const over: Promise<unknown> = Promise.allSettled([scanning, run]).then(() => {
        if (scanning === over) scanning = undefined;
      });
      scanning = over;
      return run;
    },
    pause,
    change: (decide) =>
      inTurn(async () => {
        await takeIn();
        const changes = decide();
        if (changes.length === 0) return [];
        const watched: WatchedWrites = new Map(changes.map((one) => [one.id, { ...one }]));
        await appendLine(paths.journal, changes.map((one) => JSON.stringify(one)).join('\n'), 0o600);
        await takeIn(watched);
        // If later revisions are already merged, this change was written first, and the later ones followed.
        return changes.map((one) => ({ ...one, isKept: watched.get(one.id)?.isFirst ?? true }));
      }),
    accessCount: (id) => table.accessCount(id),
    count: (id, known = 0) => table.count(id, known),
    async rest({ isQuiet, isForced = false }) {
      if (isQuiet) await inTurn(writeCounts);
      if (isForced) await foldRun;
      if (!isForced && !isDue(isQuiet)) return;
      foldRun ??= fold().finally(() => (foldRun = undefined));
      await foldRun;
    },
  };
}
