// Reads the removed entries of a chat from its journal, and converts the separate list of removals that earlier versions wrote.
import { dirname, join } from 'node:path';
import { BoundedMap, isRecord } from '#lib/values';
import type { JournalStore, Storage } from 'agent-harness/plugins/storage';
import { isRemoval, takeRemoval, type Removals } from 'agent-harness/transcript';
import { parseEvent } from 'agent-harness/transcript/events';
import { peekLine } from './peek-line.ts';

const mostChats = 200;

export interface RemovalIndexParts {
  readonly store: Pick<JournalStore, 'read'>;
  readonly storage: Pick<Storage, 'readJson' | 'remove'>;
  /** Path of a chat's journal. */
  pathOf(chatId: string): string;
  /** Appends an event to the journal. Resolves when the line is on disk. */
  append(kind: 'entry_removed', event: object): Promise<void>;
}

export interface RemovalIndex {
  of(chatId: string): Promise<Removals>;
  /** Invalidates the cache of a chat if the event changes the removals. */
  take(kind: string, chatId: string): void;
  /** Moves the list of an earlier version to the journal, once per chat. */
  convert(chatId: string): Promise<void>;
}

export function createRemovalIndex({ store, storage, pathOf, append }: RemovalIndexParts): RemovalIndex {
  const known = new BoundedMap<string, Promise<Removals>>(mostChats);
  const converted = new Map<string, Promise<void>>();

  async function read(chatId: string): Promise<Removals> {
    await convert(chatId);
    const removals = new Map<string, readonly string[]>();
    for await (const lines of store.read(pathOf(chatId)))
      for (const { text } of lines) {
        const event = isRemoval(peekLine(text)?.kind ?? '') ? parseEvent(text) : undefined;
        if (event) takeRemoval(removals, event);
      }
    return removals;
  }

  async function convertNow(chatId: string): Promise<void> {
    const path = join(dirname(pathOf(chatId)), 'taken-out.json');
    const things = await storage.readJson(path, isThings);
    if (!things) return;
    for (const { id: entryId, left = [] } of things) await append('entry_removed', { chatId, entryId, ...(left.length === 0 ? {} : { left }) });
    await storage.remove(path);
  }

  function convert(chatId: string): Promise<void> {
    const known = converted.get(chatId);
    if (known) return known;
    const converting = convertNow(chatId);
    converted.set(chatId, converting);
    converting.catch(() => converted.delete(chatId));
    return converting;
  }

  return {
    convert,
    of(chatId) {
      const found = known.get(chatId);
      if (found) return found;
      const reading = read(chatId);
      known.set(chatId, reading);
      reading.catch(() => known.delete(chatId));
      return reading;
    },
    take(kind, chatId) {
      if (isRemoval(kind)) known.delete(chatId);
    },
  };
}

function isThings(value: unknown): value is readonly { readonly id: string; readonly left?: readonly string[] }[] {
  return Array.isArray(value) && value.every((thing: unknown) => isRecord(thing) && typeof thing['id'] === 'string');
}
