// Stores, in the home folder, the user's requests never to store certain notes, and the chats deleted from memory. Automatic features check both.
import { join } from 'node:path';
import { isRecord } from '#lib/values';
import { eachToken, stopWords } from '#lib/words';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Notes, UnwantedNote } from '../contract.ts';

export interface NoteWishes extends Pick<Notes, 'unwanted' | 'unwantedFor' | 'forgottenUpTo'> {
  /** Stores a request. Resolves when it is on disk. */
  never(note: Omit<UnwantedNote, 'at'>): Promise<void>;
  /** Revokes a request. */
  allow(id: string): Promise<void>;
  /** Excludes the words of the chat up to that event from evidence. */
  forgetWords(chatId: string, upTo: number): Promise<void>;
}

interface WishFile {
  readonly unwanted: readonly UnwantedNote[];
  /** Maps chats to the id of their newest event that was deleted from memory. */
  readonly forgotten: Readonly<Record<string, number>>;
}

const maxUnwanted = 1_000;
/** Share of common words, 0 to 1, above which two notes count as having the same topic. */
const sameTopic = 0.6;
/** Words for subjects and types of notes; they do not identify a topic. */
const frame: ReadonlySet<string> = new Set(['user', 'person', 'team', 'project', 'workspace', 'fact', 'belief', 'entity', 'experienc', 'recip']);

export function createNoteWishes(home: string, storage: Storage): NoteWishes {
  const path = join(home, '.agent_notes.wishes.json');
  const read = async (): Promise<WishFile> => (await storage.readJson(path, isWishFile)) ?? { unwanted: [], forgotten: {} };
  const change = (next: (file: WishFile) => WishFile): Promise<unknown> =>
    storage.updateJson<WishFile>(path, (file) => next(file ?? { unwanted: [], forgotten: {} }), { shape: isWishFile });

  return {
    unwanted: async () => (await read()).unwanted,
    async unwantedFor({ id, value }) {
      const words = wordsOf(`${id} ${value}`);
      return (await read()).unwanted.find((one) => one.id === id || contained(wordsOf(`${one.id} ${one.value}`), words) >= sameTopic);
    },
    forgottenUpTo: async (chatId) => (await read()).forgotten[chatId] ?? 0,
    async never({ id, value, chatIds }) {
      const one: UnwantedNote = { id, value, chatIds, at: new Date().toISOString() };
      await change((file) => ({ ...file, unwanted: [...file.unwanted.filter((other) => other.id !== id), one].slice(-maxUnwanted) }));
    },
    async allow(id) {
      await change((file) => ({ ...file, unwanted: file.unwanted.filter((one) => one.id !== id) }));
    },
    async forgetWords(chatId, upTo) {
      await change(({ unwanted, forgotten }) => ({
        unwanted: unwanted.map((one) => (one.chatIds.includes(chatId) ? { ...one, value: '', chatIds: [] } : one)),
        forgotten: { ...forgotten, [chatId]: Math.max(upTo, forgotten[chatId] ?? 0) },
      }));
    },
  };
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  eachToken(text, (word) => (stopWords.has(word) || frame.has(word) ? undefined : words.add(word)));
  return words;
}

/** Returns the share of the smaller set that the other set contains, from 0 to 1. */
function contained(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const least = Math.min(one.size, other.size);
  return least === 0 ? 0 : [...one].filter((word) => other.has(word)).length / least;
}

function isWishFile(value: unknown): value is WishFile {
  if (!isRecord(value) || !Array.isArray(value['unwanted']) || !isRecord(value['forgotten'])) return false;
  const areWishes = (value['unwanted'] as unknown[]).every(
    (one) => isRecord(one) && typeof one['id'] === 'string' && typeof one['value'] === 'string' && Array.isArray(one['chatIds']),
  );
  return areWishes && Object.values(value['forgotten']).every((id) => Number.isSafeInteger(id));
}
