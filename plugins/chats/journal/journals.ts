// Manages the chats loaded in memory: an open journal for appending, and the newest event frames of each.
import type { JournalStore, JournalWriter } from 'agent-harness/plugins/storage';
import { createFrameRing, type FrameRing } from './frame-ring.ts';
import { idOf } from './peek-line.ts';

const residentLimit = 24;
const idleMs = 15 * 60_000;
// Maximum size in bytes of the frames that are in memory per chat; older frames are read from disk.
const ringBytes = 128 * 1024;

export interface Journal extends Pick<JournalWriter<number>, 'append' | 'sync' | 'close'> {
  readonly chatId: string;
  readonly ring: FrameRing;
}

export interface JournalsOptions {
  readonly store: JournalStore;
  pathOf(chatId: string): string;
  isBusy(chatId: string): boolean;
  onOpen(chatId: string): void;
  /** Called after the unreadable end of a journal was moved to the separate file `movedTo`. */
  onCut(chatId: string, bytes: number, movedTo: string): void;
  onFault(chatId: string, fault: Error): void;
}

export interface Journals {
  /** Returns `undefined` if the chat has no folder, or after all journals are closed. */
  open(chatId: string): Journal | undefined;
  peek(chatId: string): Journal | undefined;
  close(chatId: string): Promise<void>;
  closeIdle(): void;
  closeAll(): Promise<void>;
  residentIds(): string[];
}

interface Resident extends Journal {
  usedAt: number;
}

export function createJournals(options: JournalsOptions): Journals {
  const residents = new Map<string, Resident>();
  let isClosed = false;

  function openResident(chatId: string): Resident | undefined {
    const writer = options.store.open(options.pathOf(chatId), { look: idOf, onFault: (fault) => options.onFault(chatId, fault) });
    if (!writer) return undefined;
    const { last = 0, cut, aside: movedTo, append, sync, close } = writer;
    const resident: Resident = { chatId, ring: createFrameRing(ringBytes, last), usedAt: Date.now(), append, sync, close };
    residents.set(chatId, resident);
    if (cut > 0) options.onCut(chatId, cut, movedTo);
    options.onOpen(chatId);
    evict(resident);
    return resident;
  }

  /** Closes the least recently used journals, which are the first in the map. Keeps the newest, which is about to be used. */
  function evict(newest: Resident): void {
    for (const resident of residents.values()) {
      if (residents.size <= residentLimit) return;
      if (resident !== newest && !options.isBusy(resident.chatId)) void end(resident);
    }
  }

  /** Closes a journal. Never rejects. */
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
