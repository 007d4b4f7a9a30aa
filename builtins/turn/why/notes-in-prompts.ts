// Records the chats whose stored prompts contain a note, so that its words are removed there when it is forgotten.
import { join } from 'node:path';
import { squeeze } from 'agent-harness/lib/squeeze';
import { isRecord } from 'agent-harness/lib/values';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Piece } from './turn-provenance.ts';

export interface NotesInPrompts {
  /** Resolves when it is on disk; writes nothing if all of it is known. */
  add(chatId: string, noteIds: readonly string[]): Promise<void>;
  chatsOf(noteId: string): Promise<readonly string[]>;
}

type Rows = Readonly<Record<string, readonly string[]>>;

/** The newest are kept. */
const most = { notes: 2_000, chats: 500 };
const line = '[A note that was forgotten stood here.]';
/** Letters and digits of a line, and of a note, by which one is recognized in the other. */
const telling = { least: 12, most: 160 };

export function createNotesInPrompts(folder: string, storage: Pick<Storage, 'readJson' | 'updateJson'>): NotesInPrompts {
  const file = join(folder, 'notes-in-prompts.json');
  const read = async (): Promise<Rows> => (await storage.readJson(file, isRows)) ?? {};
  return {
    async add(chatId, noteIds) {
      const known = await read();
      const fresh = noteIds.filter((id) => known[id]?.includes(chatId) !== true);
      if (fresh.length === 0) return;
      const edit = (rows: Rows = {}): Rows => {
        const left = Object.entries(rows).filter(([id]) => !fresh.includes(id));
        const added = fresh.map((id) => [id, [...new Set([...(rows[id] ?? []), chatId])].slice(-most.chats)] as const);
        return Object.fromEntries([...left, ...added].slice(-most.notes));
      };
      await storage.updateJson(file, edit, { shape: isRows });
    },
    chatsOf: async (noteId) => (await read())[noteId] ?? [],
  };
}

/** Returns the ids of the notes used in a prompt part. */
export function noteIdsOf({ from = [] }: Pick<Piece, 'from'>): string[] {
  return from.flatMap(({ kind, ref }) => (kind === 'note' ? [ref] : []));
}

export interface GoneNote {
  readonly id: string;
  /** Empty if no longer known. */
  readonly value: string;
  /** Another note of that id still exists. */
  readonly hasOther: boolean;
}

/** Removes the lines that show a note from a text; returns an empty text if none of them can be identified. */
export function withoutNote(text: string, { id, value, hasOther }: GoneNote): string {
  const words = squeeze(value);
  const isOf = (one: string): boolean => {
    const said = squeeze(one);
    return (
      (!hasOther && one.includes(`[${id}]`)) ||
      (words !== '' && said.includes(words.slice(0, telling.most))) ||
      (said.length >= telling.least && words.includes(said))
    );
  };
  const lines = text.split('\n');
  const left = lines.map((one) => (isOf(one) ? line : one));
  if (!left.includes(line)) return hasOther ? text : line;
  return left.filter((one, at) => one !== line || left[at - 1] !== line).join('\n');
}

function isRows(value: unknown): value is Rows {
  return isRecord(value) && Object.values(value).every((chats) => Array.isArray(chats));
}
