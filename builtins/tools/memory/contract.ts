// The contract of notes: the agent's memory, with sources.
import type { Series, Waterfall } from 'agent-harness/kernel';

export type NoteScope = 'chat' | 'workspace' | 'global';

/** Source of a note. `web`: external content; such a note is pending until the user accepts it. `team`: written by a teammate. */
export interface NoteSource {
  readonly kind: 'user' | 'tool' | 'web' | 'model' | 'team';
  /** Reference: a turn, a call, a URL, a plugin, or, for a teammate, the e-mail. */
  readonly ref: string;
}

/** Trust class of evidence, most trusted first; any external content is `web`. */
export type EvidenceClass = 'user' | 'workspace' | 'tool' | 'model' | 'web';

/** The words from which a note was derived, verbatim from an entry of a chat. They stay on this machine. */
export interface NoteEvidence {
  readonly chatId: string;
  readonly turnId?: string;
  /** Id of the message or the call. */
  readonly entryId: string;
  readonly quote: string;
  readonly class: EvidenceClass;
  /** ISO 8601 UTC: time of the entry. */
  readonly at: string;
}

/** As stored in `.agent_notes.json`, under `type:key`. */
export interface StoredNote {
  readonly value: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly accessCount: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** A note in the form of `.agent_notes.json`, under `type:key`. */
  readonly links: readonly string[];
  readonly source: NoteSource;
  /** Incremented with each change of the note. */
  readonly revision: number;
  /** Incremented with each change in the file, to determine the changes since one of them. */
  readonly serial?: number;
  /** Set for a tombstone, which is kept for sync, and for 30 days to be restored. */
  readonly deletedAt?: string;
  /** The note is pending: it needs the user's review, and is never recalled. */
  readonly isPending?: boolean;
  /** Only for a pending note: id of the note that it would replace. */
  readonly replaces?: string;
  /** Only in a workspace: proves that the owner of this home folder, not the creator of the workspace, wrote or accepted the note. */
  readonly seal?: string;
  /** Its evidence; left out for manual notes. */
  readonly evidence?: readonly NoteEvidence[];
  /** Only for a pending note: one sentence for the user about the reason. */
  readonly waits?: string;
  /** The user pinned the note, so automatic features neither change nor delete it. */
  readonly isPinned?: boolean;
  /** Time of the last change, if later than `updatedAt`: an undo restores the former time, but other copies must still see the change. */
  readonly touchedAt?: string;
}

/** All stored data of a note except counters and proofs, which an undo restores exactly. */
export type NoteContent = Omit<StoredNote, 'accessCount' | 'revision' | 'serial' | 'seal' | 'touchedAt'> & { readonly isForeign?: boolean };

/** A change of one note with its expected old value: atomic, and not applied if the note is now different. `null`: missing. */
export interface NoteEdit {
  readonly place: NotePlace;
  readonly id: string;
  readonly scope: NoteScope;
  readonly from: NoteContent | null;
  readonly to: NoteContent | null;
}

export interface EditedNote extends Pick<NoteEdit, 'id' | 'scope'> {
  /** `done`: the note is as wanted, now or before. `changed`: another change came first, and the note stays unchanged. */
  readonly outcome: 'done' | 'changed';
}

/** The user's request never to store such a note again. */
export interface UnwantedNote {
  readonly id: string;
  /** Empty if the chat of the note was forgotten. */
  readonly value: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly chatIds: readonly string[];
}

export interface Note extends StoredNote {
  /** `type:key`. */
  readonly id: string;
  /** fact, experience, entity, belief, reflection, recipe, hypothesis, trajectory, or a free prefix. */
  readonly type: string;
  readonly key: string;
  readonly scope: NoteScope;
  /**
   * The note belongs to the creator of the workspace: it is external content, so a result with it is untrusted, and no prompt includes it without a request.
   */
  readonly isForeign?: boolean;
}

export interface NoteHit {
  readonly note: Note;
  /** Higher is better; comparable within one result only. */
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
  /** Left out: `workspace`. */
  readonly scope?: NoteScope;
  readonly source: NoteSource;
  readonly confidence?: number;
  readonly evidence?: readonly NoteEvidence[];
  /** One sentence about why the note is pending regardless of its source. */
  readonly waits?: string;
}

export interface RecallOptions {
  /** Left out: 8. */
  readonly limit?: number;
  readonly scopes?: readonly NoteScope[];
  readonly withoutTypes?: readonly string[];
  /** Increments `accessCount`; left out: true. */
  readonly isCounted?: boolean;
  /** The result of `recall.query`; left out: the hook is called. */
  readonly queries?: readonly string[];
  /** The turn is exploratory or creative; `recall.query` gets this. */
  readonly isExploratory?: boolean;
  /** Time limit for embeddings in milliseconds; left out: 2,000. */
  readonly waitMs?: number;
}

/** Key in `turn.notes` for the intent of a turn, if computed. */
export type TurnIntentKey = 'recall-intent';
export type TurnIntent = 'plain' | 'exploratory' | 'introspective';

/** Notes that several home folders of one user can share. Notes of a chat stay in their chat. */
export type NoteSet = { readonly scope: 'global' } | { readonly scope: 'workspace'; /** Absolute. */ readonly workspaceRoot: string };

/** A note on its way between copies of a set: the last change wins, so no base is needed. */
export interface TravellingNote {
  /** `type:key`. */
  readonly id: string;
  readonly value: string;
  /** ISO 8601 UTC: time of the last change in any copy. Passed on unchanged. */
  readonly updatedAt: string;
  /** Time of its deletion; the value may be empty then. */
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
  /** A third party wrote the note: it is found and shown as external content, and no prompt includes it without a request. Only in a workspace. */
  readonly isForeign?: boolean;
}

export interface NoteChanges {
  /** Pass it as `since` next time. Opaque. */
  readonly cursor: string;
  /** `since` belongs to another file, or is too old: these are all notes, and a copy deletes all others. */
  readonly isReset: boolean;
  /** Oldest change first; each note once, in its current state. Excludes pending and third-party notes. */
  readonly notes: readonly TravellingNote[];
}

export interface MergedNote {
  readonly id: string;
  /** `taken`: the note now applies here. `kept`: the local note is newer. `same`: they are equal. `refused`: it cannot be stored, see `why`. */
  readonly outcome: 'taken' | 'kept' | 'same' | 'refused';
  readonly why?: string;
  /** The version that lost a conflict. The caller stores it where the user can find it. */
  readonly lost?: TravellingNote;
}

export interface Notes {
  /** Stores a note. Resolves when it is on the disk. A note with the source `web` is pending until the user's review. */
  remember(place: NotePlace, note: RememberNote): Promise<Note>;
  /** Finds a note by key or `type:key`, narrowest scope first. */
  find(place: NotePlace, key: string): Promise<Note | undefined>;
  /** Returns notes by relevance: BM25 with recency and confidence, combined with embeddings if a model for them is set. */
  recall(place: NotePlace, query: string, options?: RecallOptions): Promise<NoteHit[]>;
  /** Deletes a note, and leaves a tombstone. Returns `undefined` if there is no such note. */
  forget(place: NotePlace, key: string, scope?: NoteScope): Promise<Note | undefined>;
  /** Returns a note in any state, including deleted and pending ones. Does not count as a use. */
  peek(place: NotePlace, id: string, scope: NoteScope): Promise<Note | undefined>;
  /** Returns active notes, most recently changed first. Does not count as a use. */
  newest(place: NotePlace, scopes: readonly NoteScope[], limit: number): Promise<readonly Note[]>;
  /** Returns the old value for an edit. */
  content(place: NotePlace, id: string, scope: NoteScope): Promise<NoteContent | null>;
  /**
   * Returns the edit equivalent to {@link Notes.remember}, without applying it.
   * @param earlier edits that will be applied before this one
   */
  plan(place: NotePlace, note: RememberNote, earlier?: readonly NoteEdit[]): Promise<NoteEdit>;
  /** Applies the edits, each atomically; repeated edits change nothing. Resolves when they are on the disk. */
  edit(edits: readonly NoteEdit[]): Promise<readonly EditedNote[]>;
  /** Counts the automatic notes of that set, including pending ones. */
  countDerived(place: NotePlace, scope: NoteScope): Promise<number>;
  /** Lists the user's requests never to store certain notes. */
  unwanted(): Promise<readonly UnwantedNote[]>;
  /** Returns the user's request that excludes a note, by its id or its words. Automatic features check it. */
  unwantedFor(note: { readonly id: string; readonly value: string }): Promise<UnwantedNote | undefined>;
  /** Returns restorable deleted notes, most recent first. */
  forgotten(place: NotePlace, limit: number): Promise<readonly Note[]>;
  /** Returns the newest forgotten event of a chat; 0 if none. */
  forgottenUpTo(chatId: string): Promise<number>;
  /** Returns the changes since the cursor, including deletions; without `since`, all notes. Reads only the notes of that set. */
  changes(set: NoteSet, since?: string): Promise<NoteChanges>;
  /**
   * Merges notes of another copy of the same set, flushed together: they count as the user's own, unless marked as
   * foreign. The newer version wins; at the same time, a deletion
   * wins, otherwise the greater text. Resolves when the notes are on the disk; a repeated merge changes nothing.
   * @param since the cursor up to which the other copy knows this one: later local changes are conflicts
   */
  merge(set: NoteSet, notes: readonly IncomingNote[], since?: string): Promise<readonly MergedNote[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    notes: Notes;
  }
  interface Hooks {
    /** All data derived from a chat is being forgotten: drop the plugin's part. The notes are already deleted. */
    'notes.forget': Series<[{ readonly chatId: string; readonly turnIds: ReadonlySet<string> }]>;
    /** Expands a question to several ones before notes are recalled. Skips failing taps. */
    'recall.query': Waterfall<readonly string[], [NotePlace & { readonly isExploratory: boolean }]>;
  }
  interface Events {
    memory_changed: {
      /** Left out for notes without a chat. */
      readonly chatId?: string;
      /** The note's `id`; `id` itself is set by the log. */
      readonly noteId: string;
      readonly scope: NoteScope;
      readonly change: 'remembered' | 'forgotten' | 'restored' | 'accepted' | 'pending';
    };
  }
}
