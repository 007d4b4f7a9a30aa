// The contract of notes: the agent's memory, with sources.
import type { Series, Waterfall } from 'agent-harness/kernel';

export type NoteScope = 'chat' | 'workspace' | 'global';

/** `web`: external content. Such a note waits in the inbox until the user accepts it. `team`: written by a teammate. */
export interface NoteSource {
  readonly kind: 'user' | 'tool' | 'web' | 'model' | 'team';
  /** Reference: a turn, a call, an address, a plugin, for a teammate the e-mail. */
  readonly ref: string;
}

/** Trust class of evidence, most trusted first: any external content is `web`. */
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
  /** Ids (`type:key`) of related notes. */
  readonly links: readonly string[];
  readonly source: NoteSource;
  /** Incremented with each change. */
  readonly revision: number;
  /** Incremented over all changes of its file, so that changes since one of them can be determined. */
  readonly serial?: number;
  /** A tombstone: kept for sync, and for 30 days to be restored. */
  readonly deletedAt?: string;
  /** Waits for the user's review; never recalled. */
  readonly isPending?: boolean;
  /** For a waiting note: the id of the note that it would replace. */
  readonly replaces?: string;
  /** In a workspace: proves that this home folder's owner wrote or accepted it, not the creator of the folder. */
  readonly seal?: string;
  /** Its evidence; left out for manual notes. */
  readonly evidence?: readonly NoteEvidence[];
  /** For a waiting note: the reason, as a sentence for the user. */
  readonly waits?: string;
  /** Pinned by the user: no automatic feature changes or deletes it. */
  readonly isPinned?: boolean;
  /** Time of its last change, if later than `updatedAt`: an undo restores the former time, and other copies must still see the change. */
  readonly touchedAt?: string;
}

/** Everything stored of a note except counters and proofs: restored exactly by an undo. */
export type NoteContent = Omit<StoredNote, 'accessCount' | 'revision' | 'serial' | 'seal' | 'touchedAt'> & { readonly isForeign?: boolean };

/** A change of one note with its expected old value: atomic, and not done if the note differs by now. `null`: missing. */
export interface NoteEdit {
  readonly place: NotePlace;
  readonly id: string;
  readonly scope: NoteScope;
  readonly from: NoteContent | null;
  readonly to: NoteContent | null;
}

export interface EditedNote extends Pick<NoteEdit, 'id' | 'scope'> {
  /** `done`: the note is as wanted, now or already. `changed`: it was changed meanwhile, and left unchanged. */
  readonly outcome: 'done' | 'changed';
}

/** The user's request never to note this again. */
export interface UnwantedNote {
  readonly id: string;
  /** Empty if its chat is forgotten. */
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
  /** It came with the workspace: external content, so a result that shows it is untrusted, and no prompt includes it without a request. */
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
  /** `workspace` when left out. */
  readonly scope?: NoteScope;
  readonly source: NoteSource;
  readonly confidence?: number;
  readonly evidence?: readonly NoteEvidence[];
  /** It waits for a review regardless of its source: the reason, as a sentence. */
  readonly waits?: string;
}

export interface RecallOptions {
  /** 8 when left out. */
  readonly limit?: number;
  readonly scopes?: readonly NoteScope[];
  readonly withoutTypes?: readonly string[];
  /** Increments `accessCount`; true when left out. */
  readonly isCounted?: boolean;
  /** The result of `recall.query`; when left out, the hook is called. */
  readonly queries?: readonly string[];
  /** The turn is exploratory or creative; passed on to `recall.query`. */
  readonly isExploratory?: boolean;
  /** Time limit for embeddings in milliseconds; 2,000 when left out. */
  readonly waitMs?: number;
}

/** Key in `turn.notes` for the intent of a turn, if computed. */
export type TurnIntentKey = 'recall-intent';
export type TurnIntent = 'plain' | 'exploratory' | 'introspective';

/** Notes that several home folders of one user can share. Those of a chat stay in their chat. */
export type NoteSet = { readonly scope: 'global' } | { readonly scope: 'workspace'; /** Absolute. */ readonly workspaceRoot: string };

/** A note in transit between copies of a set: the last change wins, so no base is needed. */
export interface TravellingNote {
  /** `type:key`. */
  readonly id: string;
  readonly value: string;
  /** ISO 8601 UTC: its last change in any copy. Passed on unchanged. */
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
  /** Times of the version that it replaces, regardless of its own: if that version is still here, there was no local change. */
  readonly over?: { readonly updatedAt: string; readonly deletedAt?: string };
  /** Written by a third party: found and shown as external content, and included in no prompt without a request. Workspace only. */
  readonly isForeign?: boolean;
}

export interface NoteChanges {
  /** Pass it as `since` next time. Opaque. */
  readonly cursor: string;
  /** `since` belongs to another file, or is too old: these are all notes, and others in a copy are deleted. */
  readonly isReset: boolean;
  /** Oldest change first; each note once, in its current state. Excludes waiting and third-party notes. */
  readonly notes: readonly TravellingNote[];
}

export interface MergedNote {
  readonly id: string;
  /** `taken`: it applies here now. `kept`: the local one is newer. `same`. `refused`: it cannot be stored, see `why`. */
  readonly outcome: 'taken' | 'kept' | 'same' | 'refused';
  readonly why?: string;
  /** The losing version of a conflict. The caller stores it where the user can see it. */
  readonly lost?: TravellingNote;
}

export interface Notes {
  /** Resolves when it is on disk. A note with the source `web` waits for a review. */
  remember(place: NotePlace, note: RememberNote): Promise<Note>;
  /** Finds by key or `type:key`, narrowest scope first. */
  find(place: NotePlace, key: string): Promise<Note | undefined>;
  /** Sorted by relevance: BM25 with recency and confidence, combined with embeddings if a model for them is set. */
  recall(place: NotePlace, query: string, options?: RecallOptions): Promise<NoteHit[]>;
  /** Leaves a tombstone. `undefined` if there is no such note. */
  forget(place: NotePlace, key: string, scope?: NoteScope): Promise<Note | undefined>;
  /** Returns a note in any state, including deleted and waiting ones. Does not count as a use. */
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
  /** Applies the edits, each atomically; repeating them changes nothing. Resolves when they are on disk. */
  edit(edits: readonly NoteEdit[]): Promise<readonly EditedNote[]>;
  /** Counts the automatic notes of that set, including waiting ones. */
  countDerived(place: NotePlace, scope: NoteScope): Promise<number>;
  /** Lists what the user never wants noted. */
  unwanted(): Promise<readonly UnwantedNote[]>;
  /** Returns the user's request that excludes a note, by its id or its words. Automatic features check it. */
  unwantedFor(note: { readonly id: string; readonly value: string }): Promise<UnwantedNote | undefined>;
  /** Returns restorable deleted notes, most recent first. */
  forgotten(place: NotePlace, limit: number): Promise<readonly Note[]>;
  /** Returns the newest forgotten event of a chat; 0 if none. */
  forgottenUpTo(chatId: string): Promise<number>;
  /** Returns changes since the cursor, including deletions; everything without `since`. Reads the notes of that set only. */
  changes(set: NoteSet, since?: string): Promise<NoteChanges>;
  /**
   * Merges notes of another copy of the same set, flushed together: they count as the user's own, unless marked as
   * foreign. The newer version wins; at the same time a deletion
   * wins, otherwise the greater text. Resolves when it is on disk; repeating it changes nothing.
   * @param since the cursor up to which the other copy knows this one: later local changes are conflicts
   */
  merge(set: NoteSet, notes: readonly IncomingNote[], since?: string): Promise<readonly MergedNote[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    notes: Notes;
  }
  interface Hooks {
    /** Data derived from a chat is forgotten: drop the plugin's share. Its notes are already deleted. */
    'notes.forget': Series<[{ readonly chatId: string; readonly turnIds: ReadonlySet<string> }]>;
    /** Expands a question into several before notes are recalled. Failing taps are skipped. */
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
