// Records the sources of each note and stored text when it is saved: turn, call, and earlier occurrences of its words.
import { join } from 'node:path';
import type { NoteEvidence, NoteScope } from 'agent-harness/builtins/tools/memory';
import type { OriginSpan, TextOriginKind } from 'agent-harness/builtins/turn/origins';
import { oneLine } from '#lib/text';
import { isRecord } from '#lib/values';
import type { Storage } from 'agent-harness/plugins/storage';

export interface DerivedSource {
  readonly kind: TextOriginKind;
  /** Reference to the origin. */
  readonly ref: string;
  readonly turnId?: string;
  readonly callId?: string;
  /** The words that occur in both; omitted for secrets. */
  readonly quote?: string;
}

/** A row about a memory note, or about a text of another plugin; a text has one row per call that wrote to it. */
export interface DerivedRow {
  /** Id of the note or text. */
  readonly noteId: string;
  /** Scope of a note; omitted for a text. */
  readonly scope?: NoteScope;
  /** Name of the `kept_texts` store of a text; omitted for a note. */
  readonly keeper?: string;
  readonly chatId: string;
  readonly workspaceRoot: string;
  readonly turnId?: string;
  readonly callId?: string;
  /** Time, ISO 8601. */
  readonly at: string;
  /** Beginning of the words that the call wrote to a text; omitted for a note, and if the words contain a secret. */
  readonly words?: string;
  readonly sources: readonly DerivedSource[];
}

export interface DerivedNotes {
  all(): Promise<readonly DerivedRow[]>;
  /** Adds a row, which replaces an earlier row of the same note, or of the same call and text. */
  add(row: DerivedRow): Promise<void>;
  /** Deletes the quoted words in rows of deleted notes with that id. The references stay, because notes can be restored. */
  dropQuotes(noteId: string, isGone: (row: DerivedRow) => Promise<boolean>): Promise<void>;
  /** Deletes the quoted words in the rows of a stored text, as {@link DerivedNotes.dropQuotes} does. */
  dropWords(keeper: string, id: string): Promise<void>;
  /** Deletes the rows of the given turns; for a stored text, which still exists, only the words. */
  forget(chatId: string, turnIds: ReadonlySet<string>): Promise<void>;
}

/** Scopes, narrowest first. */
export const noteScopes: readonly NoteScope[] = ['chat', 'workspace', 'global'];

export const longestQuote = 200;
/** Maximum number of rows; the newest are kept. */
const mostRows = 2_000;

export function createDerivedNotes(folder: string, storage: Pick<Storage, 'readJson' | 'updateJson' | 'has'>): DerivedNotes {
  const file = join(folder, 'derived-notes.json');
  const all = async (): Promise<readonly DerivedRow[]> => (await storage.readJson(file, isRows)) ?? [];
  const change = async (edit: (rows: readonly DerivedRow[]) => readonly DerivedRow[]): Promise<void> => {
    await storage.updateJson(file, (rows: readonly DerivedRow[] = []) => edit(rows), { shape: isRows });
  };
  return {
    all,
    add: (row) => change((rows) => [...rows.filter((one) => !isSame(one, row)), row].slice(-mostRows)),
    async dropQuotes(noteId, isGone) {
      const gone: DerivedRow[] = [];
      for (const row of await all()) if (row.keeper === undefined && row.noteId === noteId && (await isGone(row))) gone.push(row);
      if (gone.length > 0) await change((rows) => rows.map((row) => (gone.some((one) => isSame(one, row)) ? withoutWords(row) : row)));
    },
    async dropWords(keeper, id) {
      const isIt = (row: DerivedRow): boolean => row.keeper === keeper && row.noteId === id;
      const hasWords = ({ words, sources }: DerivedRow): boolean => words !== undefined || sources.some(({ quote }) => quote !== undefined);
      if ((await all()).some((row) => isIt(row) && hasWords(row))) await change((rows) => rows.map((row) => (isIt(row) ? withoutWords(row) : row)));
    },
    async forget(chatId, turnIds) {
      if (!(await storage.has(file))) return;
      const isOf = (row: DerivedRow): boolean => row.chatId === chatId || turnIds.has(row.turnId ?? '');
      await change((rows) => rows.flatMap((row) => (isOf(row) ? (row.keeper === undefined ? [] : [withoutWords(row)]) : [row])));
    },
  };
}

function isSame(one: DerivedRow, other: DerivedRow): boolean {
  if (one.noteId !== other.noteId || one.keeper !== other.keeper) return false;
  if (one.keeper !== undefined) return one.callId === other.callId;
  return (
    one.scope === other.scope && (one.scope === 'global' || one.workspaceRoot === other.workspaceRoot) && (one.scope !== 'chat' || one.chatId === other.chatId)
  );
}

function withoutWords({ words: _, sources, ...row }: DerivedRow): DerivedRow {
  return { ...row, sources: sources.map(({ quote: __, ...source }) => source) };
}

function isRows(value: unknown): value is readonly DerivedRow[] {
  return Array.isArray(value) && value.every((row: unknown) => isRecord(row) && typeof row['noteId'] === 'string' && Array.isArray(row['sources']));
}

export function sourceOf(text: string, { start, end, origin }: OriginSpan): DerivedSource {
  const { kind, ref, turnId, callId } = origin;
  return {
    ...{ kind, ref },
    ...(turnId === undefined ? {} : { turnId }),
    ...(callId === undefined ? {} : { callId }),
    ...(kind === 'secret' ? {} : { quote: oneLine(text.slice(start, end), longestQuote) }),
  };
}

/** Converts evidence of a note to a source: an entry of a chat is a message or a call. */
export function sourceOfEvidence({ entryId, turnId, quote, class: of }: NoteEvidence): DerivedSource {
  const kind = of === 'tool' ? 'service' : of === 'model' ? 'task' : of;
  return {
    kind,
    ref: entryId,
    quote: oneLine(quote, longestQuote),
    ...(turnId === undefined ? {} : { turnId }),
    ...(of === 'user' ? {} : { callId: entryId }),
  };
}
