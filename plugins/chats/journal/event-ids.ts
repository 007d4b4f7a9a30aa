// Event ids: one counter for the home folder, reserved in blocks so that a crash never gives one out twice.
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMissing } from 'agent-harness/lib/errors';
import { lastEventId } from './journal-file.ts';

/** Ids reserved at a time; one small synchronous write each. */
const blockSize = 100_000;

export interface EventIds {
  next(): number;
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
}

/** Touches the disk at first use, not before. */
export function createEventIds({ path, chatsFolder, onBroken }: EventIdsOptions): EventIds {
  let newest = -1;
  let reservedTo = -1;

  function reserve(): void {
    const from = newest < 0 ? readNext() : reservedTo;
    writeNext(path, from + blockSize);
    newest = Math.max(newest, from - 1);
    reservedTo = from + blockSize;
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
      if (newest + 1 >= reservedTo) reserve();
      return ++newest;
    },
    get current() {
      if (newest < 0) reserve();
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
    writeSync(file, JSON.stringify({ next }) + '\n');
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
