// Defines the contract of the memory: the agent's notes, with sources.
import type { Series, Waterfall } from 'agent-harness/kernel';

export type NoteScope = 'chat' | 'workspace' | 'global';

/** Source of a note. `web`: external content; such a note is pending until the user accepts it. `team`: written by a teammate. */
export interface NoteSource {
  readonly kind: 'user' | 'tool' | 'web' | 'model' | 'team';
  /** Reference to the source: a turn, a call, a URL, a plugin, or, for a teammate, the email address. */
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
  /** Number that is incremented with each change of the note. */
  readonly revision: number;
  /** Number of the note's last change in the file, for determining the changes since an earlier one. */
  readonly serial?: number;
  /** Time of deletion; set for a tombstone, which is kept for sync, and for 30 days to be restored. */
  readonly deletedAt?: string;
  /** Whether the note is pending: it needs the user's review and is never recalled. */
  readonly isPending?: boolean;
  /** Id of the note that a pending note would replace. */
  readonly replaces?: string;
  /** Proof, for a note in a workspace, that the owner of this home folder wrote or accepted it, instead of the creator of the workspace. */
  readonly seal?: string;
  /** Evidence of the note; left out for manual notes. */
  readonly evidence?: readonly NoteEvidence[];
  /** Reason, as a sentence for the user, why a note is pending. */
  readonly waits?: string;
  /** Whether the user pinned the note, so that automatic features neither change nor delete it. */
  readonly isPinned?: boolean;
  /** Time of the last change, if later than `updatedAt`: an undo restores the former time, but other copies must still see the change. */
  readonly touchedAt?: string;
}

/** All stored data of a note, except counters and proofs, which an undo restores exactly. */
export type NoteContent = Omit<StoredNote, 'accessCount' | 'revision' | 'serial' | 'seal' | 'touchedAt'> & { readonly isForeign?: boolean };

/** An atomic change of one note from an expected value, which is not applied if the note differs. `null`: no note. */
export interface NoteEdit {
  readonly place: NotePlace;
  readonly id: string;
  readonly scope: NoteScope;
  readonly from: NoteContent | null;
  readonly to: NoteContent | null;
}

export interface EditedNote extends Pick<NoteEdit, 'id' | 'scope'> {
  /** `done`: the note has the requested value, now or already before. `changed`: the note differs from the expected value and stays unchanged. */
  readonly outcome: 'done' | 'changed';
}

/** A request of the user never to store such a note again. */
export interface UnwantedNote {
  readonly id: string;
  /** Text of the note; '' if the chat of the note was forgotten. */
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
   * Whether the note belongs to the creator of the workspace: it is external content, so a result with it is untrusted, and no prompt includes it without a request.
   */
  readonly isForeign?: boolean;
}

export interface NoteHit {
  readonly note: Note;
  /** Relevance score; higher is better; comparable within one result only. */
  readonly score: number;
}

/** Selects notes: those of the chat, of its workspace, and the global ones. */
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
  /** Result of the hook `recall.query`; if left out, the hook is called. */
  readonly queries?: readonly string[];
  /** Whether the turn is exploratory or creative, which is passed to `recall.query`. */
  readonly isExploratory?: boolean;
  /** Time limit for embeddings in milliseconds; default: 2,000. */
  readonly waitMs?: number;
}

/** Key in `turn.notes` for the intent of a turn, if it was computed. */
export type TurnIntentKey = 'recall-intent';
export type TurnIntent = 'plain' | 'exploratory' | 'introspective';

/** Notes that several home folders of one user can share. Notes of a chat stay in their chat. */
export type NoteSet = { readonly scope: 'global' } | { readonly scope: 'workspace'; /** Absolute. */ readonly workspaceRoot: string };

/** A note that is exchanged between copies of a set; the last change wins, so no base is needed. */
export interface TravellingNote {
  /** Id, `type:key`. */
  readonly id: string;
  readonly value: string;
  /** Time of the last change in any copy, ISO 8601 UTC, which is passed on unchanged. */
  readonly updatedAt: string;
  /** Time of deletion; the value may be empty then. */
  readonly deletedAt?: string;
  readonly createdAt?: string;
  readonly confidence?: number;
  readonly links?: readonly string[];
  readonly source: NoteSource;
}

/** A note accepted by {@link Notes.merge}. */
export interface IncomingNote extends TravellingNote {
  /** Times of the version that it replaces, regardless of its own times: if that version is stored here, there was no local change. */
  readonly over?: { readonly updatedAt: string; readonly deletedAt?: string };
  /** Whether a third party wrote the note: it is found and shown as external content, and no prompt includes it without a request. Only in a workspace. */
  readonly isForeign?: boolean;
}

export interface NoteChanges {
  /** Opaque cursor, to be passed as `since` next time. */
  readonly cursor: string;
  /** Whether these are all notes, because `since` belongs to another file or is too old; a copy must delete all others. */
  readonly isReset: boolean;
  /** Changed notes, oldest change first; each note once, in its current state. Excludes pending and third-party notes. */
  readonly notes: readonly TravellingNote[];
}

export interface MergedNote {
  readonly id: string;
  /** `taken`: the note now applies here. `kept`: the local note is newer. `same`: they are equal. `refused`: it cannot be stored, see `why`. */
  readonly outcome: 'taken' | 'kept' | 'same' | 'refused';
  readonly why?: string;
  /** The version that lost a conflict. The caller must store it where the user can find it. */
  readonly lost?: TravellingNote;
}

export interface Notes {
  /** Stores a note. Resolves when it is on disk. A note with the source `web` is pending until the user's review. */
  remember(place: NotePlace, note: RememberNote): Promise<Note>;
  /** Finds a note by key or `type:key`, narrowest scope first. */
  find(place: NotePlace, key: string): Promise<Note | undefined>;
  /** Returns notes by relevance: BM25 with recency and confidence, combined with embeddings if a model for them is configured. */
  recall(place: NotePlace, query: string, options?: RecallOptions): Promise<NoteHit[]>;
  /** Deletes a note and leaves a tombstone. Resolves with `undefined` if there is no such note. */
  forget(place: NotePlace, key: string, scope?: NoteScope): Promise<Note | undefined>;
  /** Returns a note in any state, including deleted and pending ones. Is not counted as a use. */
  peek(place: NotePlace, id: string, scope: NoteScope): Promise<Note | undefined>;
  /** Returns active notes, most recently changed first. Is not counted as a use. */
  newest(place: NotePlace, scopes: readonly NoteScope[], limit: number): Promise<readonly Note[]>;
  /** Returns the current value of a note, which an edit needs as the expected value. */
  content(place: NotePlace, id: string, scope: NoteScope): Promise<NoteContent | null>;
  /**
   * Returns the edit that is equivalent to {@link Notes.remember}, without applying it.
   * @param earlier edits that will be applied before this one
   */
  plan(place: NotePlace, note: RememberNote, earlier?: readonly NoteEdit[]): Promise<NoteEdit>;
  /** Applies the edits, each atomically; repeated edits change nothing. Resolves when they are on disk. */
  edit(edits: readonly NoteEdit[]): Promise<readonly EditedNote[]>;
  /** Returns the number of automatic notes of that set, including pending ones. */
  countDerived(place: NotePlace, scope: NoteScope): Promise<number>;
  /** Lists the user's requests never to store certain notes. */
  unwanted(): Promise<readonly UnwantedNote[]>;
  /** Returns the user's request that excludes a note, by its id or its words; automatic features check it. */
  unwantedFor(note: { readonly id: string; readonly value: string }): Promise<UnwantedNote | undefined>;
  /** Returns deleted notes that can be restored, most recent first. */
  forgotten(place: NotePlace, limit: number): Promise<readonly Note[]>;
  /** Returns the id of the newest forgotten event of a chat; 0 if there is none. */
  forgottenUpTo(chatId: string): Promise<number>;
  /** Returns the changes since the cursor, including deletions; without `since`, all notes. Reads only the notes of that set. */
  changes(set: NoteSet, since?: string): Promise<NoteChanges>;
  /**
   * Merges notes of another copy of the same set, which are flushed together and treated as the user's own, unless marked as foreign. The newer version wins;
   * at equal times, a deletion wins, otherwise the greater text. Resolves when the notes are on disk; a repeated merge changes nothing.
   * @param since cursor up to which the other copy knows this one; later local changes are conflicts
   */
  merge(set: NoteSet, notes: readonly IncomingNote[], since?: string): Promise<readonly MergedNote[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    notes: Notes;
  }
  interface Hooks {
    /** All data derived from a chat is being deleted; a tap must delete its plugin's part. The notes are already deleted. */
    'notes.forget': Series<[{ readonly chatId: string; readonly turnIds: ReadonlySet<string> }]>;
    /** Expands a question to several ones before notes are recalled. Failing taps are skipped. */
    'recall.query': Waterfall<readonly string[], [NotePlace & { readonly isExploratory: boolean }]>;
  }
  interface Events {
    memory_changed: {
      /** Id of the chat; left out for notes without a chat. */
      readonly chatId?: string;
      /** Id of the note; `id` itself is set by the log. */
      readonly noteId: string;
      readonly scope: NoteScope;
      readonly change: 'remembered' | 'forgotten' | 'restored' | 'accepted' | 'pending';
    };
  }
}
