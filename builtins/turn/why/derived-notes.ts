// From what each note was made, written down when it is kept: the turn, the call, and where its words stood before.
import { join } from 'node:path';
import type { NoteScope } from 'agent-harness/builtins/tools/memory';
import type { TextOriginKind } from 'agent-harness/builtins/turn/origins';
import { isRecord } from 'agent-harness/lib/values';
import type { Storage } from 'agent-harness/plugins/storage';

export interface DerivedSource {
  readonly kind: TextOriginKind;
  /** As an origin has it. */
  readonly ref: string;
  readonly turnId?: string;
  readonly callId?: string;
  /** The words; left out for secrets. */
  readonly quote?: string;
}

export interface DerivedNote {
  readonly noteId: string;
  readonly scope: NoteScope;
  readonly chatId: string;
  readonly workspaceRoot: string;
  readonly turnId?: string;
  readonly callId?: string;
  /** ISO 8601. */
  readonly at: string;
  readonly sources: readonly DerivedSource[];
}

export interface DerivedNotes {
  all(): Promise<readonly DerivedNote[]>;
  /** In place of what was known of that note. */
  add(row: DerivedNote): Promise<void>;
  /** The words of notes with that id which are gone; what they came from stays, since they can be restored. */
  dropQuotes(noteId: string, isGone: (row: DerivedNote) => Promise<boolean>): Promise<void>;
  /** What came from those turns of the chat, with its words. */
  forget(chatId: string, turnIds: ReadonlySet<string>): Promise<void>;
}

/** The narrowest first. */
export const noteScopes: readonly NoteScope[] = ['chat', 'workspace', 'global'];

/** The newest. */
const mostRows = 2_000;

export function createDerivedNotes(folder: string, storage: Pick<Storage, 'readJson' | 'updateJson' | 'has'>): DerivedNotes {
  const file = join(folder, 'derived-notes.json');
  const all = async (): Promise<readonly DerivedNote[]> => (await storage.readJson(file, isRows)) ?? [];
  const isSame = (one: DerivedNote, other: DerivedNote): boolean =>
    one.noteId === other.noteId &&
    one.scope === other.scope &&
    (one.scope === 'global' || one.workspaceRoot === other.workspaceRoot) &&
    (one.scope !== 'chat' || one.chatId === other.chatId);
  return {
    all,
    async add(row) {
      await storage.updateJson(file, (rows: readonly DerivedNote[] = []) => [...rows.filter((one) => !isSame(one, row)), row].slice(-mostRows), {
        shape: isRows,
      });
    },
    async dropQuotes(noteId, isGone) {
      const gone: DerivedNote[] = [];
      for (const row of await all()) if (row.noteId === noteId && (await isGone(row))) gone.push(row);
      if (gone.length === 0) return;
      const without = (row: DerivedNote): DerivedNote =>
        gone.some((one) => isSame(one, row)) ? { ...row, sources: row.sources.map(({ quote: _, ...source }) => source) } : row;
      await storage.updateJson(file, (rows: readonly DerivedNote[] = []) => rows.map(without), { shape: isRows });
    },
    async forget(chatId, turnIds) {
      if (!(await storage.has(file))) return;
      const stays = (row: DerivedNote): boolean => row.chatId !== chatId && !turnIds.has(row.turnId ?? '');
      await storage.updateJson(file, (rows: readonly DerivedNote[] = []) => rows.filter(stays), { shape: isRows });
    },
  };
}

function isRows(value: unknown): value is readonly DerivedNote[] {
  return Array.isArray(value) && value.every((row: unknown) => isRecord(row) && typeof row['noteId'] === 'string' && Array.isArray(row['sources']));
}
