// Reads the bus messages of one workspace for all subscribers of this node, and caches the newest messages.
import type { BusLog, BusMessage, BusPlace } from './bus-log.ts';

export interface BusFeed {
  readonly place: BusPlace;
  /** Cursor up to which all messages were read. */
  readonly position: number;
  /** Reads new messages. Resolves when all messages that were committed before the call have been read. Rejects with the database's error. */
  refresh(): Promise<void>;
  /** Appends the message of a signal if it directly follows the position. Returns false if messages are missing; the caller must then refresh. */
  offer(message: BusMessage): boolean;
  /** Returns the messages after a cursor, from memory if possible. */
  after(after: number): BusPage | Promise<BusPage>;
  /** Adds a listener for each new `position`. Returns a function that removes it. */
  onMoved(listener: () => void): () => void;
  readonly isWatched: boolean;
}

export interface BusPage {
  /** Oldest first; empty if all messages up to `upTo` were removed. */
  readonly messages: readonly BusMessage[];
  readonly upTo: number;
}

/** Maximum number of messages that are read from the log at once. */
const readLimit = 500;
/** Maximum number of messages in one page. */
const pageLimit = 200;
/** Number of cached messages for subscribers that are slightly behind. */
const newestCount = 512;
/** Maximum size of the cached messages in characters. */
const newestChars = 4 * 1024 * 1024;

/** Creates the feed of one workspace. @param position cursor of the newest message */
export function createBusFeed(log: BusLog, place: BusPlace, position: number): BusFeed {
  const listeners = new Set<() => void>();
  const pages = new Map<number, Promise<BusPage>>();
  let newest: BusMessage[] = [];
  let chars = 0;
  let reading: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function keep(messages: readonly BusMessage[]): void {
    for (const message of messages) {
      newest.push(message);
      chars += message.frame.length;
    }
    let gone = 0;
    while (newest.length - gone > newestCount || (chars > newestChars && newest.length - gone > 1)) chars -= newest[gone++]!.frame.length;
    if (gone > 0) newest = newest.slice(gone);
  }

  function advance(messages: readonly BusMessage[]): void {
    const last = messages.at(-1);
    if (!last) return;
    keep(messages);
    position = last.cursor;
    for (const listener of [...listeners]) listener();
  }

  async function readNew(): Promise<void> {
    for (;;) {
      const messages = await log.read(place, position, Number.MAX_SAFE_INTEGER, readLimit);
      // A signal may have delivered some of the messages during the read.
      advance(messages.filter(({ cursor }) => cursor > position));
      if (messages.length < readLimit) return;
    }
  }

  async function load(after: number): Promise<BusPage> {
    const upTo = position;
    try {
      return { messages: await log.read(place, after, upTo, pageLimit), upTo };
    } finally {
      pages.delete(after);
    }
  }

  return {
    place,
    get position() {
      return position;
    },
    get isWatched() {
      return listeners.size > 0;
    },
    refresh() {
      // A read that is already running may have started before the message existed, so later callers wait for the next read.
      if (!reading) return (reading = readNew().finally(() => (reading = undefined)));
      next ??= reading
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return (reading = readNew().finally(() => (reading = undefined)));
        });
      return next;
    },
    offer(message) {
      if (message.cursor !== position + 1) return message.cursor <= position;
      advance([message]);
      return true;
    },
    after(after) {
      const first = newest[0];
      const at = first ? after + 1 - first.cursor : -1;
      const begin = newest[at];
      if (begin?.cursor === after + 1 && begin.at >= log.oldest()) return { messages: newest.slice(at, at + pageLimit), upTo: position };
      let page = pages.get(after);
      if (!page) pages.set(after, (page = load(after)));
      return page;
    },
    onMoved(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
