// Assigns event ids from one counter per home folder. Ids are reserved in blocks: a block is on disk before its first id is assigned, so a crash never repeats
// an id. The next block is reserved in advance, so that events do not wait.
import { join } from 'node:path';
import { recordIn } from '#lib/values';
import type { JournalStore, StorageAtOnce } from 'agent-harness/plugins/storage';
import { idOf } from './peek-line.ts';

export interface EventIds {
  /** Returns the next id; writes to disk only if no ids are reserved. */
  next(): number;
  /** Reserves a block if few ids are left. Never rejects: {@link next} throws the disk error. */
  reserveAhead(): Promise<void>;
  /** Resolves when no reservation is in progress; call it before another process may use the file. */
  idle(): Promise<void>;
  /** The most recently assigned id, or the last id of an earlier process. */
  readonly current: number;
  /** Makes ids continue after `used`. Returns whether the file had to be changed. */
  continueAfter(used: number): boolean;
}

export interface EventIdsOptions {
  readonly files: StorageAtOnce;
  readonly journals: JournalStore;
  /** Absolute path of `event_id.json`, which contains the next unreserved id. */
  readonly path: string;
  /** Absolute path of `chats/`; read only if the file is missing or broken. */
  readonly chatsFolder: string;
  readonly onBroken: (movedTo: string) => void;
  /** Number of ids per block; the next block is reserved when half are left. */
  readonly blockSize?: number;
}

/** Creates the counter. Accesses the disk only on first use. */
export function createEventIds({ files, journals, path, chatsFolder, onBroken, blockSize = 100_000 }: EventIdsOptions): EventIds {
  let newest = -1;
  let reservedTo = -1;
  let reserving: Promise<void> | undefined;

  const isShort = (): boolean => newest < 0 || reservedTo - newest <= blockSize / 2;

  function load(): void {
    if (newest >= 0) return;
    reservedTo = readNext();
    newest = reservedTo - 1;
  }

  async function reserve(): Promise<void> {
    try {
      load();
      const from = reservedTo;
      // A synchronous `next` may have reserved the same block in the meantime.
      if (await files.writeAhead(path, textOf(from + blockSize), () => reservedTo === from)) reservedTo = from + blockSize;
    } catch {
      // `next` reports the error.
    }
  }

  async function reserveAhead(): Promise<void> {
    if (isShort()) await (reserving ??= reserve().finally(() => (reserving = undefined)));
  }

  function readNext(): number {
    const text = files.read(path);
    const next = text === undefined ? undefined : parseNext(text);
    if (next !== undefined) return next;
    if (text !== undefined) {
      const movedTo = `${path}.corrupt-${Date.now()}`;
      files.write(movedTo, text, { isFlushed: true });
      onBroken(movedTo);
    }
    // Without a readable counter file, the highest id in the journals is the most recent one.
    return files.list(chatsFolder).reduce((highest, name) => Math.max(highest, journals.last(join(chatsFolder, name, 'session.jsonl'), idOf) ?? 0), 0) + 1;
  }

  const writeNext = (next: number): void => files.write(path, textOf(next), { isFlushed: true });

  return {
    next() {
      load();
      if (newest + 1 >= reservedTo) {
        writeNext(reservedTo + blockSize);
        reservedTo += blockSize;
      } else if (!reserving && isShort()) void reserveAhead();
      return ++newest;
    },
    reserveAhead,
    idle: async () => reserving,
    get current() {
      load();
      return newest;
    },
    continueAfter(used) {
      if (Math.max(newest + 1, parseNext(files.read(path) ?? '') ?? 1) > used) return false;
      writeNext(used + 1);
      // The next call reads the next id from the file again.
      newest = reservedTo = -1;
      return true;
    },
  };
}

function parseNext(text: string): number | undefined {
  const { next } = recordIn(text);
  return Number.isSafeInteger(next) && (next as number) > 0 ? (next as number) : undefined;
}

function textOf(next: number): string {
  return `${JSON.stringify({ next })}\n`;
}
