// The calls about notes.
import type { Client } from 'agent-harness/client';

export type NoteScope = 'chat' | 'workspace' | 'global';

/** Which list: notes that count, those that wait for a person, or deleted ones. */
export type NoteList = 'active' | 'pending' | 'deleted';

export interface Note {
  /** `type:key`; unique within its scope only. */
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly scope: NoteScope;
  readonly value: string;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Ids of notes that belong to it. */
  readonly links: readonly string[];
  readonly source: { readonly kind: 'user' | 'tool' | 'web' | 'model'; readonly ref: string };
  readonly revision: number;
  readonly deletedAt?: string;
  readonly isPending?: boolean;
  /** The note whose text it would take the place of. */
  readonly replaces?: string;
  /** Came with the folder of the workspace. */
  readonly isForeign?: boolean;
}

export interface NotePage {
  readonly notes: readonly Note[];
  readonly total: number;
}

export interface NoteQuery {
  readonly chatId?: string;
  readonly q?: string;
  readonly scope?: NoteScope;
  readonly show?: NoteList;
  readonly limit?: number;
  readonly offset?: number;
}

interface NotePoint {
  readonly chatId?: string;
  readonly id: string;
  readonly scope: NoteScope;
}

export interface NewNote {
  readonly chatId?: string;
  readonly type?: string;
  readonly key: string;
  readonly value: string;
  readonly scope?: NoteScope;
}

interface MemoryCalls {
  (key: 'GET /api/memory', input: { readonly query: NoteQuery; readonly signal?: AbortSignal }): Promise<NotePage>;
  (key: 'POST /api/memory', input: { readonly body: NewNote }): Promise<{ readonly note: Note }>;
  (key: 'PUT /api/memory', input: { readonly body: NotePoint & { readonly value: string; readonly revision: number } }): Promise<{ readonly note: Note }>;
  (key: 'POST /api/memory/forget' | 'POST /api/memory/restore', input: { readonly body: NotePoint }): Promise<{ readonly note: Note }>;
  (key: 'POST /api/memory/accept', input: { readonly body: NotePoint & { readonly isAccepted: boolean } }): Promise<{ readonly note: Note }>;
}

/** The routes are those of a plugin that a distribution may leave out, so the generated types need not know them. */
export function memoryCalls(client: Client): MemoryCalls {
  return client.call as unknown as MemoryCalls;
}

/** The most that one answer holds. */
const mostAtOnce = 500;

/** The first `count` notes, asked for in as few pieces as the server allows. */
export async function readNotes(client: Client, query: NoteQuery, count: number, signal: AbortSignal): Promise<NotePage> {
  const notes: Note[] = [];
  for (;;) {
    const limit = Math.min(mostAtOnce, count - notes.length);
    const page = await memoryCalls(client)('GET /api/memory', { query: { ...query, limit, offset: notes.length }, signal });
    notes.push(...page.notes);
    if (page.notes.length < limit || notes.length >= count) return { notes, total: page.total };
  }
}
