// Implements the event log: assigns an id to each wire event, encodes it once, writes it to the chat's journal, and then delivers it to readers.
import { textStart } from '#lib/text';
import type { KernelError } from 'agent-harness/kernel';
import type { JournalStore } from 'agent-harness/plugins/storage';
import type { EventFrame, EventLog, JournalEvent, WireEvent } from '../contract.ts';
import type { EventIds } from './event-ids.ts';
import { createFrameRing, type FrameRing } from './frame-ring.ts';
import type { Journals } from './journals.ts';
import { createRetainedEvents } from './retained-events.ts';
import { parseEvent } from 'agent-harness/transcript/events';
import { readAllFramesAfter, readFramesAfter } from './read-frames.ts';
import { createRemovalIndex, type RemovalIndexParts } from './removals.ts';

const serverRingBytes = 1024 * 1024;
/** Maximum length of a tool's output in the journal with `AGENT_SESSION_JSONL=0`, in characters. */
const keptOutputChars = 2_000;

export interface EventLogOptions {
  readonly ids: EventIds;
  readonly journals: Journals;
  readonly store: JournalStore;
  readonly storage: RemovalIndexParts['storage'];
  /** Returns the path of the chat's journal. */
  pathOf(chatId: string): string;
  /** Returns the ids of all chats with a folder. */
  chatIds(): Promise<readonly string[]>;
  readonly isChatId: (text: unknown) => text is string;
  keepsFullOutput(): boolean;
  /** Adds the fields that an event written by an older version lacks. */
  readonly complete: (event: JournalEvent) => JournalEvent;
  readonly permissionOf: EventLog['permissionOf'];
  readonly guardedSchemaOf: EventLog['guardedSchemaOf'];
  /** Called for a line of a journal that cannot be parsed. @param start byte offset of the line */
  readonly onBrokenLine: (chatId: string, start: number) => void;
  onUnwritable(chatId: string, fault: KernelError): void;
  onListenerFault(fault: unknown): void;
  unwritable(chatId: string, cause: unknown): KernelError;
}

export interface RunningEventLog extends EventLog {
  /** Adds an emitted event to the log. */
  append(kind: string, keep: NonNullable<WireEvent['keep']>, payload: object): void;
  /** Writes and delivers all pending events. */
  flush(): void;
  /** Reserves ids in advance, because the next events must not wait for the disk. */
  prepare(): Promise<void>;
  /** Returns an id for a line copied from another journal. */
  nextId(): number;
  /** Makes ids continue after `used`. Returns whether the counter file had to be changed. */
  continueAfter(used: number): boolean;
  close(): void;
}

export function createEventLog(options: EventLogOptions): RunningEventLog {
  const { ids, journals, store, isChatId } = options;
  const listeners = new Set<(frames: readonly EventFrame[]) => void>();
  const kept = createRetainedEvents();
  const removals = createRemovalIndex({
    store,
    storage: options.storage,
    pathOf: (chatId) => options.pathOf(chatId),
    async append(kind, event) {
      append(kind, 'journal', event);
      await flushed((event as { readonly chatId: string }).chatId);
    },
  });
  let frames: EventFrame[] = [];
  let lines = new Map<string, string>();
  let scheduled: NodeJS.Immediate | undefined;
  let serverRing: FrameRing | undefined;
  let isClosed = false;
  let stampMs = 0;
  let stamp = '';

  /** Cached, because many events share a millisecond, and formatting the time is the most expensive part of an event. */
  function now(): string {
    const ms = Date.now();
    if (ms !== stampMs) {
      stampMs = ms;
      stamp = new Date(ms).toISOString();
    }
    return stamp;
  }

  function append(kind: string, keep: NonNullable<WireEvent['keep']>, payload: object): void {
    if (isClosed) return;
    const { chatId } = payload as { chatId?: unknown };
    const isOfChat = typeof chatId === 'string' && keep !== 'newest';
    // Without readers, events that are not journaled need no id. Assigning none avoids a disk access at startup.
    if ((keep !== 'journal' || !isOfChat) && !serverRing && listeners.size === 0) {
      if (keep === 'newest') keepUnread(kind, payload);
      return;
    }
    serverRing ??= createFrameRing(serverRingBytes, ids.current);
    const at = now();
    const frame = createFrame(kind, at, payload, isOfChat ? chatId : undefined);
    if (keep === 'newest') kept.add(frame);
    frames.push(frame);
    if (keep === 'journal' && isOfChat) {
      const isCut = kind === 'tool_result' && !options.keepsFullOutput();
      const line = isCut ? withHead(headOf(frame.id, kind, at), withCutOutput(payload)) : frame.json;
      lines.set(chatId, (lines.get(chatId) ?? '') + line + '\n');
      removals.take(kind, chatId);
    }
    scheduled ??= setImmediate(flush);
  }

  function keepUnread(kind: string, payload: object): void {
    const at = now();
    kept.addUnread(() => createFrame(kind, at, payload));
  }

  function createFrame(kind: string, at: string, payload: object, chatId?: string): EventFrame {
    const id = ids.next();
    const json = withHead(headOf(id, kind, at), payload);
    // Makes V8 flatten the string, which would otherwise take three times the memory in the ring buffer.
    void json.charCodeAt(0);
    return chatId === undefined ? { id, kind, json } : { id, kind, chatId, json };
  }

  function flush(): void {
    if (scheduled) clearImmediate(scheduled);
    scheduled = undefined;
    if (frames.length === 0) return;
    const written = frames;
    const texts = lines;
    frames = [];
    lines = new Map();
    for (const [chatId, text] of texts) openJournal(chatId)?.append(text);
    for (const frame of written) {
      serverRing?.push(frame);
      if (frame.chatId !== undefined) journals.peek(frame.chatId)?.ring.push(frame);
    }
    for (const listener of [...listeners]) {
      try {
        listener(written);
      } catch (fault) {
        options.onListenerFault(fault);
      }
    }
  }

  /** Returns the chat's journal; `undefined` for a deleted chat, or if the journal cannot be opened. Readers receive the event in any case. */
  function openJournal(chatId: string): ReturnType<Journals['open']> {
    if (!isChatId(chatId)) return undefined;
    try {
      return journals.open(chatId);
    } catch (fault) {
      options.onUnwritable(chatId, options.unwritable(chatId, fault));
      return undefined;
    }
  }

  async function flushed(chatId: string): Promise<void> {
    flush();
    if (!isChatId(chatId)) return;
    try {
      const journal = journals.open(chatId);
      if (!journal) throw new Error('the chat was deleted');
      await journal.sync();
    } catch (cause) {
      throw options.unwritable(chatId, cause);
    }
  }

  return {
    append,
    flush,
    flushed,
    prepare: () => ids.reserveAhead(),
    nextId: () => ids.next(),
    continueAfter: (used) => ids.continueAfter(used),
    subscribe(listener) {
      void ids.reserveAhead();
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    async replay(chatId, since) {
      flush();
      if (!isChatId(chatId) || since > ids.current) return undefined;
      const journal = journals.open(chatId);
      if (!journal) return undefined;
      return journal.ring.after(since) ?? readFramesAfter(options.pathOf(chatId), chatId, since, options);
    },
    async replayAll(since) {
      flush();
      serverRing ??= createFrameRing(serverRingBytes, ids.current);
      if (since > ids.current) return undefined;
      const recent = serverRing.after(since);
      if (recent) return recent;
      const inMemory = serverRing.all();
      const chats = (await options.chatIds()).map((chatId) => ({ chatId, path: options.pathOf(chatId) }));
      const onDisk = await readAllFramesAfter(chats, since, options);
      return onDisk && mergeFrames(onDisk, inMemory);
    },
    newest: (since = 0) => kept.after(since),
    permissionOf: (kind) => options.permissionOf(kind),
    guardedSchemaOf: (kind) => options.guardedSchemaOf(kind),
    async removed(chatId) {
      flush();
      return isChatId(chatId) ? removals.of(chatId) : new Map();
    },
    async *read(chatId) {
      flush();
      if (!isChatId(chatId)) return;
      await removals.convert(chatId);
      for await (const some of store.read(options.pathOf(chatId))) {
        for (const { text, start } of some) {
          const event = parseEvent(text);
          if (event) yield event;
          else options.onBrokenLine(chatId, start);
        }
      }
    },
    get cursor() {
      // Otherwise, readers would later receive events that the reply already covers.
      flush();
      kept.after(0);
      return ids.current;
    },
    close() {
      flush();
      isClosed = true;
      listeners.clear();
    },
  };
}

function withCutOutput(payload: object): object {
  const { output } = payload as { output?: unknown };
  if (typeof output !== 'string' || output.length <= keptOutputChars) return payload;
  return {
    ...payload,
    output: `${textStart(output, keptOutputChars)}\n[… ${output.length - keptOutputChars} characters were not stored in the journal]`,
    truncated: true,
  };
}

function headOf(id: number, kind: string, at: string): string {
  return `{"id":${id},"kind":"${kind}","at":"${at}"`;
}

/** Merges two lists of frames, both in order of ids. The second list begins no later than the first ends, and contains frames that the first lacks. */
function mergeFrames(older: readonly EventFrame[], newer: readonly EventFrame[]): readonly EventFrame[] {
  const first = newer[0]?.id ?? Number.POSITIVE_INFINITY;
  return [...older.filter((frame) => frame.id < first), ...newer];
}

/**
 * Returns the event as JSON. Concatenates the texts, because spreading both objects into a new one costs five times as much for each token.
 * @param head the fields that the log sets, without the closing brace
 */
function withHead(head: string, payload: object): string {
  const fields = JSON.stringify(payload);
  return fields === '{}' ? `${head}}` : `${head},${fields.slice(1)}`;
}
