// Event ids: one counter for the home folder, reserved in blocks so that a crash never gives one out twice. A block is on the disk
// before its first id is given out; so that nobody waits for that, it is written ahead of its need.
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from 'agent-harness/lib/errors';
import { lastEventId } from './journal-file.ts';

export interface EventIds {
  /** Waits for the disk only where nothing was reserved ahead. */
  next(): number;
  /** Reserves where few are left. Never rejects: what the disk refuses is thrown by {@link next}. */
  reserveAhead(): Promise<void>;
  /** Resolves when nothing is being reserved: before somebody else may use the file. */
  idle(): Promise<void>;
  /** The newest id given out, or the last one of an earlier process. */
  readonly current: number;
  /** Sees to it that ids go on after `used`. Answers whether the file said otherwise. */
  goOnAfter(used: number): boolean;
}

export interface EventIdsOptions {
  /** Absolute path of `event_id.json`: the next id that nobody reserved. */
  readonly path: string;
  /** Absolute path of `chats/`; read only when the file is gone or broken. */
  readonly chatsFolder: string;
  readonly onBroken: (movedTo: string) => void;
  /** Ids reserved at a time; with half of them left, the next. */
  readonly blockSize?: number;
}

/** Touches the disk at first use, not before. */
export function createEventIds({ path, chatsFolder, onBroken, blockSize = 100_000 }: EventIdsOptions): EventIds {
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
    const temporary = `${path}.${process.pid}-a.tmp`;
    try {
      load();
      const from = reservedTo;
      await writeDurably(temporary, textOf(from + blockSize));
      // Who could not wait has reserved meanwhile, and as much.
      if (reservedTo !== from) return;
      renameSync(temporary, path);
      reservedTo = from + blockSize;
    } catch {
      // Whoever needs an id is told.
    } finally {
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  }

  async function reserveAhead(): Promise<void> {
    if (isShort()) await (reserving ??= reserve().finally(() => (reserving = undefined)));
  }

  function readNext(): number {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (fault) {
      if (!isMissing(fault)) throw fault;
      return highestIn(chatsFolder) + 1;
    }
    const next = parseNext(text);
    if (next !== undefined) return next;
    const movedTo = `${path}.corrupt-${Date.now()}`;
    renameSync(path, movedTo);
    onBroken(movedTo);
    return highestIn(chatsFolder) + 1;
  }

  return {
    next() {
      load();
      if (newest + 1 >= reservedTo) {
        writeNext(path, reservedTo + blockSize);
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
    goOnAfter(used) {
      if (Math.max(newest + 1, peekNext(path) ?? 1) > used) return false;
      writeNext(path, used + 1);
      // The next id is taken from the file again.
      newest = reservedTo = -1;
      return true;
    },
  };
}

/** What the file says, where it says anything. */
function peekNext(path: string): number | undefined {
  try {
    return parseNext(readFileSync(path, 'utf8'));
  } catch (fault) {
    if (isMissing(fault)) return undefined;
    throw fault;
  }
}

function parseNext(text: string): number | undefined {
  try {
    const { next } = JSON.parse(text) as { next?: unknown };
    return Number.isSafeInteger(next) && (next as number) > 0 ? (next as number) : undefined;
  } catch {
    return undefined; // the caller moves the file aside and counts again from the journals
  }
}

/** The highest id in any journal; 0 where there is none. */
function highestIn(chatsFolder: string): number {
  let names: string[];
  try {
    names = readdirSync(chatsFolder);
  } catch {
    return 0; // a new home
  }
  return names.reduce((highest, name) => Math.max(highest, lastEventId(join(chatsFolder, name, 'session.jsonl'))), 0);
}

function writeNext(path: string, next: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, textOf(next));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function textOf(next: number): string {
  return `${JSON.stringify({ next })}\n`;
}
