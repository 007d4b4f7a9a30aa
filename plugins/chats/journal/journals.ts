// The resident chats: each with its journal open for appending and its newest frames in memory.
import { closeSync, fdatasync, fsync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isMissing } from 'agent-harness/lib/errors';
import { createFrameRing, type FrameRing } from './frame-ring.ts';
import { mendEnd } from './journal-file.ts';

const syncFile = promisify(fdatasync);
const residentLimit = 24;
const idleMs = 15 * 60_000;
// What is older comes from the disk; times the resident chats, this is memory that never comes back.
const ringBytes = 128 * 1024;

export interface Journal {
  readonly chatId: string;
  readonly ring: FrameRing;
  /** Writes whole lines. Never throws: what could not be written is kept, tried again with the next lines, and makes `sync` reject. */
  append(lines: string): void;
  /** Resolves when all lines so far are on the disk. Calls that come together share one flush. */
  sync(): Promise<void>;
}

export interface JournalsOptions {
  folderOf(chatId: string): string;
  isBusy(chatId: string): boolean;
  onOpen(chatId: string): void;
  /** The end of the journal was unreadable and was moved to a file beside it. */
  onCut(chatId: string, bytes: number, aside: string): void;
  onFault(chatId: string, fault: Error): void;
}

export interface Journals {
  /** `undefined` where the chat has no folder, and once all are closed. */
  open(chatId: string): Journal | undefined;
  peek(chatId: string): Journal | undefined;
  close(chatId: string): Promise<void>;
  closeIdle(): void;
  closeAll(): Promise<void>;
  residentIds(): string[];
}

interface Resident extends Journal {
  usedAt: number;
  close(): Promise<void>;
}

export function createJournals(options: JournalsOptions): Journals {
  const residents = new Map<string, Resident>();
  let isClosed = false;

  function openResident(chatId: string): Resident | undefined {
    let descriptor: number;
    const path = join(options.folderOf(chatId), 'session.jsonl');
    try {
      descriptor = openSync(path, 'a+', 0o600);
    } catch (fault) {
      if (isMissing(fault)) return undefined;
      throw fault;
    }
    const { cut, aside, lastId, isOpen } = mendEnd(descriptor, path);
    const resident = createResident(chatId, descriptor, lastId, options);
    if (isOpen) resident.append('\n');
    residents.set(chatId, resident);
    if (cut > 0) options.onCut(chatId, cut, aside);
    options.onOpen(chatId);
    evict(resident);
    return resident;
  }

  /** The map is in order of use, so the first are the ones that rested longest; the one that was just opened is about to be used. */
  function evict(newest: Resident): void {
    for (const resident of residents.values()) {
      if (residents.size <= residentLimit) return;
      if (resident !== newest && !options.isBusy(resident.chatId)) void end(resident);
    }
  }

  /** Contract: never rejects. */
  async function end(resident: Resident): Promise<void> {
    residents.delete(resident.chatId);
    await resident.close().catch((fault: unknown) => options.onFault(resident.chatId, fault as Error));
  }

  return {
    open(chatId) {
      if (isClosed) return undefined;
      const known = residents.get(chatId);
      if (!known) return openResident(chatId);
      residents.delete(chatId);
      residents.set(chatId, known);
      known.usedAt = Date.now();
      return known;
    },
    peek: (chatId) => residents.get(chatId),
    async close(chatId) {
      const resident = residents.get(chatId);
      if (resident) await end(resident);
    },
    closeIdle() {
      const before = Date.now() - idleMs;
      for (const resident of residents.values()) {
        if (resident.usedAt < before && !options.isBusy(resident.chatId)) void end(resident);
      }
    },
    async closeAll() {
      isClosed = true;
      await Promise.all([...residents.values()].map(end));
    },
    residentIds: () => [...residents.keys()],
  };
}

function createResident(chatId: string, descriptor: number, lastId: number, options: JournalsOptions): Resident {
  let unwritten: Buffer | undefined;
  let fault: Error | undefined;
  let isClosed = false;
  // Also what an earlier opening of this file wrote and nobody flushed.
  let isDirty = true;
  let isNew = lastId === 0;
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;

  function writeOut(): void {
    try {
      while (unwritten && unwritten.length > 0) {
        const written = writeSync(descriptor, unwritten);
        unwritten = unwritten.subarray(written);
      }
      unwritten = undefined;
      fault = undefined;
    } catch (cause) {
      const isFirst = fault === undefined;
      fault = cause as Error;
      if (isFirst) options.onFault(chatId, fault);
    }
  }

  async function runSync(): Promise<void> {
    isDirty = false;
    try {
      await syncFile(descriptor);
      if (isNew) await syncFolder(options.folderOf(chatId));
      isNew = false;
    } catch (cause) {
      isDirty = true;
      throw cause;
    } finally {
      running = undefined;
    }
  }

  async function runNext(): Promise<void> {
    await running?.catch(() => undefined);
    queued = undefined;
    running ??= runSync();
    await running;
  }

  return {
    chatId,
    ring: createFrameRing(ringBytes, lastId),
    usedAt: Date.now(),
    append(lines) {
      const bytes = Buffer.from(lines, 'utf8');
      unwritten = unwritten ? Buffer.concat([unwritten, bytes]) : bytes;
      isDirty = true;
      writeOut();
    },
    async sync() {
      if (fault) writeOut();
      if (fault) throw fault;
      if (!isDirty) return running;
      if (!running) return (running = runSync());
      return (queued ??= runNext());
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      writeOut();
      await (queued ?? running)?.catch(() => undefined);
      closeSync(descriptor);
    },
  };
}

/** Makes the name of a new file as durable as its content. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await promisify(fsync)(handle.fd);
  } finally {
    await handle.close();
  }
}
