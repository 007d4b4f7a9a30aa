// Manages all readers of the event stream with one subscription to the event log and one timer.
import type { Disposable, Services } from 'agent-harness/kernel';
import type { EventFrame } from 'agent-harness/plugins/chats';
import type { Pipe, Wire } from 'agent-harness/plugins/stream';
import { createBatch, encodeNotice, isSeenBy, splitAtSwitches, type View } from './batch.ts';
import { createReader, type Reader } from './reader.ts';
import { createWriter } from './writer.ts';

const runningEverySeconds = 5;
const commentEverySeconds = 15;
/** Number of readers of a chat above which frames are briefly collected, because one write per delta and reader would cost more than the turn. */
const promptReaders = 16;
const gatherMsPerReader = 0.25;
const gatherMsAtMost = 60;
const streaming = new Set(['text', 'tool_delta', 'compose_preview', 'tool_progress']);

export interface Readers {
  readonly count: number;
  isRead(chatId: string): boolean;
  /** Adds a reader, which misses no events from now on. */
  add(view: View, how: { readonly wire: Wire; readonly open: () => Pipe; readonly since: number | undefined }): void;
  endAll(): void;
  close(): void;
}

export interface ReadersOptions {
  readonly services: Pick<Services, 'eventLog' | 'chats' | 'turns' | 'product'>;
  readonly onFault: (fault: unknown) => void;
}

export function createReaders({ services, onFault }: ReadersOptions): Readers {
  const { eventLog, chats, turns, product } = services;
  const readers = new Set<Reader>();
  let subscription: Disposable | undefined;
  let timer: NodeJS.Timeout | undefined;
  let seconds = 0;
  let gathered: EventFrame[] = [];
  let gathering: NodeJS.Timeout | undefined;

  function broadcast(frames: readonly EventFrame[]): void {
    const audience = gathered.length > 0 ? readers.size : widestAudience(frames);
    if (audience <= promptReaders && gathered.length === 0) return deliver(frames);
    gathered.push(...frames);
    if (frames.some((frame) => !streaming.has(frame.kind))) return deliverGathered();
    gathering ??= setTimeout(deliverGathered, Math.min(gatherMsAtMost, audience * gatherMsPerReader));
  }

  /** Returns the largest number of readers that any of the frames has. */
  function widestAudience(frames: readonly EventFrame[]): number {
    if (readers.size <= promptReaders) return readers.size;
    const audiences = new Map<string | undefined, number>();
    for (const frame of frames) {
      if (audiences.has(frame.chatId)) continue;
      let audience = 0;
      for (const reader of readers) if (isSeenBy(reader.view, frame)) audience++;
      audiences.set(frame.chatId, audience);
    }
    return Math.max(...audiences.values());
  }

  function deliverGathered(): void {
    clearTimeout(gathering);
    gathering = undefined;
    const frames = gathered;
    gathered = [];
    if (frames.length > 0) deliver(frames);
  }

  function deliver(frames: readonly EventFrame[]): void {
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
    if (seconds % commentEverySeconds === 0) for (const reader of readers) reader.notice(reader.wire.alive);
  }

  function announceRunning(some: Iterable<Reader>): void {
    const notices = turns.statuses().flatMap((status) => (status.busy ? [status] : []));
    for (const reader of some) for (const status of notices) if (concerns(status, reader.view)) reader.notice(runningNotice(reader.wire, status));
  }

  function begin(): void {
    subscription ??= eventLog.subscribe(broadcast);
    timer ??= setInterval(tick, 1_000).unref();
  }

  function pause(): void {
    void subscription?.dispose();
    clearInterval(timer);
    clearTimeout(gathering);
    gathering = undefined;
    gathered = [];
    subscription = undefined;
    timer = undefined;
  }

  function drop(reader: Reader): void {
    readers.delete(reader);
    if (readers.size === 0) pause();
  }

  function endAll(): void {
    deliverGathered();
    for (const reader of readers) reader.end();
  }

  return {
    get count() {
      return readers.size;
    },
    isRead: (chatId) => [...readers].some(({ view }) => view.kind === 'all' || view.chatId === chatId),
    add(view, { wire, open, since }) {
      begin();
      const reader = createReader(view, wire, { eventLog, chats, onFault });
      readers.add(reader);
      try {
        const writer = createWriter(open(), wire);
        writer.onClose(() => drop(reader));
        const chatId = view.kind === 'all' ? null : view.chatId;
        writer.push(encodeNotice(wire, 'connected', { chatId, serverVersion: product.version, cursor: eventLog.cursor }));
        for (const status of turns.statuses()) if (status.busy && concerns(status, view)) writer.push(runningNotice(wire, status));
        reader.start(writer, since);
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

interface Running {
  readonly chatId: string;
  readonly turnId?: string;
  readonly waitingFor?: string;
  readonly since?: string;
}

function concerns({ chatId }: Running, view: View): boolean {
  return view.kind === 'all' || view.chatId === chatId;
}

function runningNotice(wire: Wire, { chatId, turnId, waitingFor, since }: Running): string {
  return encodeNotice(wire, 'harness_running', { chatId, turnId, waitingFor, since });
}
