// All readers: one subscription to the event log and one timer for them together.
import type { Disposable, Services } from 'agent-harness/kernel';
import type { EventFrame } from 'agent-harness/plugins/chats';
import { createBatch, encodeNotice, splitAtSwitches, type View } from './batch.ts';
import type { Outlet } from './outlet.ts';
import { createReader, type Reader } from './reader.ts';

const runningEverySeconds = 5;
const commentEverySeconds = 15;
const comment = ':\n\n';

export interface Readers {
  readonly count: number;
  /** From now on the reader misses nothing; `open` says when it can be written to. */
  add(view: View, open: () => Promise<Outlet>, since: number | undefined): Promise<void>;
  endAll(): void;
  close(): void;
}

export interface ReadersOptions {
  readonly services: Pick<Services, 'eventLog' | 'chats' | 'turns'>;
  readonly onFault: (fault: unknown) => void;
}

export function createReaders({ services, onFault }: ReadersOptions): Readers {
  const { eventLog, chats, turns } = services;
  const readers = new Set<Reader>();
  let subscription: Disposable | undefined;
  let timer: NodeJS.Timeout | undefined;
  let seconds = 0;

  function broadcast(frames: readonly EventFrame[]): void {
    for (const part of splitAtSwitches(frames)) {
      const batch = createBatch(part);
      const last = part[part.length - 1];
      for (const reader of readers) {
        reader.take(batch);
        if (last?.kind === 'chat_switched' && last.chatId !== undefined) reader.follow(last.chatId);
      }
    }
  }

  function tick(): void {
    seconds++;
    for (const reader of readers) reader.tick();
    if (seconds % runningEverySeconds === 0) announceRunning(readers);
    if (seconds % commentEverySeconds === 0) for (const reader of readers) reader.notice(comment);
  }

  function announceRunning(some: Iterable<Reader>): void {
    const notices = turns
      .statuses()
      .flatMap((status) => (status.busy ? [{ chatId: status.chatId, text: encodeNotice('harness_running', runningFields(status)) }] : []));
    if (notices.length === 0) return;
    for (const reader of some) {
      for (const { chatId, text } of notices) if (reader.view.kind === 'all' || reader.view.chatId === chatId) reader.notice(text);
    }
  }

  function begin(): void {
    subscription ??= eventLog.subscribe(broadcast);
    timer ??= setInterval(tick, 1_000).unref();
  }

  function pause(): void {
    void subscription?.dispose();
    clearInterval(timer);
    subscription = undefined;
    timer = undefined;
  }

  function drop(reader: Reader): void {
    readers.delete(reader);
    if (readers.size === 0) pause();
  }

  function endAll(): void {
    for (const reader of readers) reader.end();
  }

  return {
    get count() {
      return readers.size;
    },
    async add(view, open, since) {
      begin();
      const reader = createReader(view, { eventLog, chats, onFault });
      readers.add(reader);
      try {
        const outlet = await open();
        outlet.onClose(() => drop(reader));
        for (const status of turns.statuses()) {
          if (status.busy && (view.kind === 'all' || view.chatId === status.chatId)) outlet.push(encodeNotice('harness_running', runningFields(status)));
        }
        reader.start(outlet, since);
      } catch (fault) {
        drop(reader);
        throw fault;
      }
    },
    endAll,
    close() {
      endAll();
      pause();
    },
  };
}

function runningFields({ chatId, turnId, waitingFor, since }: { chatId: string; turnId?: string; waitingFor?: string; since?: string }): object {
  return { chatId, turnId, waitingFor, since };
}
