// Defines the contract of the memory, which stores the agent's notes with their sources.
import type { Series, Waterfall } from 'agent-harness/kernel';

export type NoteScope = 'chat' | 'workspace' | 'global';

/** Source of a note. `web`: external content; such a note is pending until the user accepts it. `team`: written by a teammate. */
export interface NoteSource {
  readonly kind: 'user' | 'tool' | 'web' | 'model' | 'team';
  /** Reference to the source: a turn, a call, a URL or a plugin; for a teammate, the e-mail address. */
  readonly ref: string;
}

/** Trust class of evidence, most trusted first; all external content is `web`. */
export type EvidenceClass = 'user' | 'workspace' | 'tool' | 'model' | 'web';

/** Words from which a note was derived, verbatim from an entry of a chat. They never leave this machine. */
export interface NoteEvidence {
  readonly chatId: string;
  readonly turnId?: string;
  /** Id of the message or the call. */
  readonly entryId: string;
  readonly quote: string;
  readonly class: EvidenceClass;
  /** Time of the entry, ISO 8601 UTC. */
  readonly at: string;
}

/** A note as stored in `.agent_notes.json`, under `type:key`. */
export interface StoredNote {
  readonly value: string;
  /** Creation time, ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly accessCount: number;
  /** Confidence, 0 to 1. */
  readonly confidence: number;
  /** Ids (`type:key`) of linked notes. */
  readonly links: readonly string[];
  readonly source: NoteSource;
  /** Incremented with each change of the note. */
  readonly revision: number;
  /** Number of the note's last change in the file; used to determine the changes since an earlier one. */
  readonly serial?: number;
  /** Time of deletion. A deleted note is kept as a tombstone for sync, and can be restored for 30 days. */
  readonly deletedAt?: string;
  /** Whether the note is pending: it waits for the user's review and is never recalled. */
  readonly isPending?: boolean;
  /** Id of the note that this pending note would replace. */
  readonly replaces?: string;
  /** Proof, for a note in a workspace, that the owner of this home folder wrote or accepted it, as opposed to the creator of the workspace. */
  readonly seal?: string;
  /** Evidence for the note; omitted for manual notes. */
  readonly evidence?: readonly NoteEvidence[];
  /** Reason, as a sentence for the user, why a note is pending. */
  readonly waits?: string;
  /** Whether the user pinned the note, so that automatic features neither change nor delete it. */
  readonly isPinned?: boolean;
  /** Time of the last change, if it is later than `updatedAt`: an undo restores the earlier time, but other copies must still see the change. */
  readonly touchedAt?: string;
}

/** The data of a note that an undo restores exactly: everything except counters and proofs. */
export type NoteContent = Omit<StoredNote, 'accessCount' | 'revision' | 'serial' | 'seal' | 'touchedAt'> & { readonly isForeign?: boolean };

/** An atomic change of one note from an expected value; it is not applied if the note differs. `null`: no note. */
export interface NoteEdit {
  readonly place: NotePlace;
  readonly id: string;
  readonly scope: NoteScope;
  readonly from: NoteContent | null;
  readonly to: NoteContent | null;
}

export interface EditedNote extends Pick<NoteEdit, 'id' | 'scope'> {
  /**
   * `done`: the note has the requested value, as a result of this edit or already before. `changed`: the note differs from the expected value and was left
   * unchanged.
   */
  readonly outcome: 'done' | 'changed';
}

/** A request by the user never to store such a note again. */
export interface UnwantedNote {
  readonly id: string;
  /** Text of the note; empty if the note's chat was deleted from memory. */
  readonly value: string;
  /** Time of the request, ISO 8601 UTC. */
  readonly at: string;
  readonly chatIds: readonly string[];
}

export interface Note extends StoredNote {
  /** Id, `type:key`. */
  readonly id: string;
  /** Type: fact, experience, entity, belief, reflection, recipe, hypothesis, trajectory, or a custom one. */
  readonly type: string;
  readonly key: string;
  readonly scope: NoteScope;
  /**
   * Whether the note belongs to the creator of the workspace. It is then external content: a result that contains it is untrusted, and it is not added to
   * prompts automatically.
   */
  readonly isForeign?: boolean;
}

export interface NoteHit {
  readonly note: Note;
  /** Relevance score; higher is better. Scores are comparable only within one result. */
  readonly score: number;
}

/** Selects notes: those of the chat, those of its workspace, and the global ones. */
export interface NotePlace {
  readonly chatId: string;
  readonly workspaceRoot: string;
}

export interface RememberNote {
  readonly type: string;
  readonly key: string;
  readonly value: string;
  /** Scope of the note; default: `workspace`. */
  readonly scope?: NoteScope;
  readonly source: NoteSource;
  readonly confidence?: number;
  readonly evidence?: readonly NoteEvidence[];
  /** Reason, as a sentence, why the note is pending regardless of its source. */
  readonly waits?: string;
}

export interface RecallOptions {
  /** Maximum number of notes; default: 8. */
  readonly limit?: number;
  readonly scopes?: readonly NoteScope[];
  readonly withoutTypes?: readonly string[];
  /** Whether to increment `accessCount`; default: true. */
  readonly isCounted?: boolean;
  /** Result of the hook `recall.query`; default: the hook is called. */
  readonly queries?: readonly string[];
  /** Whether the turn is exploratory or creative; passed to `recall.query`. */
  readonly isExploratory?: boolean;
  /** Time limit for embeddings in milliseconds; default: 2,000. */
  readonly waitMs?: number;
}

/** Key in `turn.notes` under which the intent of a turn is stored, if it was computed. */
export type TurnIntentKey = 'recall-intent';
export type TurnIntent = 'plain' | 'exploratory' | 'introspective';

/** A set of notes that several home folders of one user can share. Notes of a chat stay in their chat. */
export type NoteSet = { readonly scope: 'global' } | { readonly scope: 'workspace'; /** Absolute. */ readonly workspaceRoot: string };

/** A note that is exchanged between copies of a set. The last change wins, so no base version is needed. */
export interface TravellingNote {
  /** Id, `type:key`. */
  readonly id: string;
  readonly value: string;
  /** Time of the last change in any copy, ISO 8601 UTC; passed on unchanged. */
  readonly updatedAt: string;
  /** Time of deletion; the value may then be empty. */
  readonly deletedAt?: string;
  readonly createdAt?: string;
  readonly confidence?: number;
  readonly links?: readonly string[];
  readonly source: NoteSource;
}

/** A note accepted by {@link Notes.merge}. */
export interface IncomingNote extends TravellingNote {
  /** Times of the version that the note replaces, regardless of the note's own times. If that version is stored here, there was no local change. */
  readonly over?: { readonly updatedAt: string; readonly deletedAt?: string };
  /** Whether a third party wrote the note. Such a note is found and shown as external content, but not added to prompts automatically. Only in a workspace. */
  readonly isForeign?: boolean;
}

export interface NoteChanges {
  /** Opaque cursor; pass it as `since` in the next call. */
  readonly cursor: string;
  /** Whether these are all notes, because `since` belongs to another file or is too old; a copy must then delete all other notes. */
  readonly isReset: boolean;
  /** Changed notes, oldest change first; each note once, in its current state. Excludes pending and third-party notes. */
  readonly notes: readonly TravellingNote[];
}

export interface MergedNote {
  readonly id: string;
  /** `taken`: the note was applied here. `kept`: the local note is newer. `same`: they are equal. `refused`: it cannot be stored; see `why`. */
  readonly outcome: 'taken' | 'kept' | 'same' | 'refused';
  readonly why?: string;
  /** The version that lost a conflict. The caller must store it in a place where the user can find it. */
  readonly lost?: TravellingNote;
}

export interface Notes {
  /** Stores a note. Resolves when it is on disk. A note with the source `web` stays pending until the user reviews it. */
  remember(place: NotePlace, note: RememberNote): Promise<Note>;
  /** Finds a note by key or `type:key`, narrowest scope first. */
  find(place: NotePlace, key: string): Promise<Note | undefined>;
  /** Returns notes by relevance: BM25 with recency and confidence, combined with embeddings if an embedding model is configured. */
  recall(place: NotePlace, query: string, options?: RecallOptions): Promise<NoteHit[]>;
  /** Deletes a note and leaves a tombstone. Resolves with `undefined` if there is no such note. */
  forget(place: NotePlace, key: string, scope?: NoteScope): Promise<Note | undefined>;
  /** Returns a note in any state, including deleted and pending notes. Does not count as a use. */
  peek(place: NotePlace, id: string, scope: NoteScope): Promise<Note | undefined>;
  /** Returns active notes, most recently changed first. Does not count as a use. */
  newest(place: NotePlace, scopes: readonly NoteScope[], limit: number): Promise<readonly Note[]>;
  /** Returns the current value of a note, which an edit needs as its expected value. */
  content(place: NotePlace, id: string, scope: NoteScope): Promise<NoteContent | null>;
  /**
   * Returns the edit that is equivalent to {@link Notes.remember}, without applying it.
   * @param earlier edits that will be applied before this one
   */
  plan(place: NotePlace, note: RememberNote, earlier?: readonly NoteEdit[]): Promise<NoteEdit>;
  /** Applies the edits, each atomically; repeated edits change nothing. Resolves when they are on disk. */
  edit(edits: readonly NoteEdit[]): Promise<readonly EditedNote[]>;
  /** Returns the number of automatic notes of the scope, including pending ones. */
  countDerived(place: NotePlace, scope: NoteScope): Promise<number>;
  /** Lists the user's requests never to store certain notes. */
  unwanted(): Promise<readonly UnwantedNote[]>;
  /** Returns the user's request that excludes a note, matched by its id or its words; automatic features check it. */
  unwantedFor(note: { readonly id: string; readonly value: string }): Promise<UnwantedNote | undefined>;
  /** Returns deleted notes that can be restored, most recent first. */
  forgotten(place: NotePlace, limit: number): Promise<readonly Note[]>;
  /** Returns the id of the newest event of a chat whose words the user deleted from memory; 0 if there is none. */
  forgottenUpTo(chatId: string): Promise<number>;
  /** Returns the changes since the cursor, including deletions; without `since`, all notes. Reads only the notes of that set. */
  changes(set: NoteSet, since?: string): Promise<NoteChanges>;
  /**
   * Merges notes from another copy of the same set. They are flushed together, and count as the user's own unless marked as foreign. The newer version wins; at
   * equal times, a deletion wins, otherwise the greater text. Resolves when the notes are on disk; a repeated merge changes nothing.
   * @param since cursor up to which the other copy has read this one; later local changes are conflicts
   */
  merge(set: NoteSet, notes: readonly IncomingNote[], since?: string): Promise<readonly MergedNote[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    notes: Notes;
  }
  interface Hooks {
    /** Emitted when all data derived from a chat is deleted; a tap must delete its plugin's part. The notes have already been deleted. */
    'notes.forget': Series<[{ readonly chatId: string; readonly turnIds: ReadonlySet<string> }]>;
    /** Expands a question into several before notes are recalled. Taps that fail are skipped. */
    'recall.query': Waterfall<readonly string[], [NotePlace & { readonly isExploratory: boolean }]>;
  }
  interface Events {
    memory_changed: {
      /** Id of the chat; omitted for notes without a chat. */
      readonly chatId?: string;
      /** Id of the note; the log sets `id` itself. */
      readonly noteId: string;
      readonly scope: NoteScope;
      readonly change: 'remembered' | 'forgotten' | 'restored' | 'accepted' | 'pending';
    };
  }
}
