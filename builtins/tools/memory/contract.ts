// Notes: what the agent remembers, with where it came from.

export type NoteScope = 'chat' | 'workspace' | 'global';

/** `web`: text from outside. Such a note waits in the inbox until a person accepts it. */
export interface NoteSource {
  readonly kind: 'user' | 'tool' | 'web' | 'model';
  /** A turn, a call, an address, a plugin: whatever leads back to it. */
  readonly ref: string;
}

/** As it stands in `.agent_notes.json`, under `type:key`. */
export interface StoredNote {
  readonly value: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly accessCount: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** Ids (`type:key`) of notes that belong to it. */
  readonly links: readonly string[];
  readonly source: NoteSource;
  /** Counts up with each change. */
  readonly revision: number;
  /** A tombstone: kept for sync, and for 30 days to be restored. */
  readonly deletedAt?: string;
  /** Waits for a person; never recalled. */
  readonly isPending?: boolean;
}

export interface Note extends StoredNote {
  /** `type:key`. */
  readonly id: string;
  /** fact, experience, entity, belief, reflection, recipe, hypothesis, trajectory, or a free prefix. */
  readonly type: string;
  readonly key: string;
  readonly scope: NoteScope;
}

export interface NoteHit {
  readonly note: Note;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/** Which notes are meant: those of the chat, of its workspace, and the global ones. */
export interface NotePlace {
  readonly chatId: string;
  readonly workspaceRoot: string;
}

export interface RememberNote {
  readonly type: string;
  readonly key: string;
  readonly value: string;
  /** `workspace` when left out. */
  readonly scope?: NoteScope;
  readonly source: NoteSource;
  readonly confidence?: number;
}

export interface RecallOptions {
  /** 8 when left out. */
  readonly limit?: number;
  readonly scopes?: readonly NoteScope[];
  readonly withoutTypes?: readonly string[];
  /** Raises `accessCount`; true when left out. */
  readonly isCounted?: boolean;
}

export interface Notes {
  /** Resolves when it is on disk. A note whose source is `web` is kept pending. */
  remember(place: NotePlace, note: RememberNote): Promise<Note>;
  /** By key or `type:key`, the narrowest scope first. */
  find(place: NotePlace, key: string): Promise<Note | undefined>;
  /** By relevance: BM25 with recency and confidence, fused with embeddings where a model for them is set. */
  recall(place: NotePlace, query: string, options?: RecallOptions): Promise<NoteHit[]>;
  /** Leaves a tombstone. `undefined` where there is no such note. */
  forget(place: NotePlace, key: string, scope?: NoteScope): Promise<Note | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    notes: Notes;
  }
  interface Hooks {
    /** Makes one question several, before notes are recalled for it. Broken taps are skipped. */
    'recall.query': import('agent-harness/kernel').Waterfall<readonly string[], [NotePlace & { readonly isExploratory: boolean }]>;
  }
  interface Events {
    memory_changed: {
      readonly chatId: string;
      readonly id: string;
      readonly scope: NoteScope;
      readonly change: 'remembered' | 'forgotten' | 'restored' | 'accepted' | 'pending';
    };
  }
}
