// Notes: what the agent remembers, with where it came from.
import type { Series, Waterfall } from 'agent-harness/kernel';

export type NoteScope = 'chat' | 'workspace' | 'global';

/** `web`: text from outside. Such a note waits in the inbox until a person accepts it. `team`: a teammate wrote it. */
export interface NoteSource {
  readonly kind: 'user' | 'tool' | 'web' | 'model' | 'team';
  /** A turn, a call, an address, a plugin, of a teammate the e-mail: whatever leads back to it. */
  readonly ref: string;
}

/** Whose words something rests on, the most trusted first: other people's text is `web`, wherever it came from. */
export type EvidenceClass = 'user' | 'workspace' | 'tool' | 'model' | 'web';

/** The words that a note was derived from, as they stand in an entry of a chat. They stay on this machine. */
export interface NoteEvidence {
  readonly chatId: string;
  readonly turnId?: string;
  /** Of the message or the call. */
  readonly entryId: string;
  readonly quote: string;
  readonly class: EvidenceClass;
  /** ISO 8601 UTC: when it was said. */
  readonly at: string;
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
  /** Counts up over all changes of its file, so that changes since one of them can be told. */
  readonly serial?: number;
  /** A tombstone: kept for sync, and for 30 days to be restored. */
  readonly deletedAt?: string;
  /** Waits for a person; never recalled. */
  readonly isPending?: boolean;
  /** On a note that waits: the id of the note whose value it would take the place of. */
  readonly replaces?: string;
  /** In a workspace: shows that this home folder's owner wrote or accepted it, and not whoever made the folder. */
  readonly seal?: string;
  /** What it was derived from; left out where somebody wrote it. */
  readonly evidence?: readonly NoteEvidence[];
  /** On a note that waits: why, as a sentence for the person who decides. */
  readonly waits?: string;
  /** A person wants it kept as it is: nothing that works by itself changes or deletes it. */
  readonly isPinned?: boolean;
  /** When it was changed last, where that is later than `updatedAt`: what is undone has its former time back, and other copies still hear of it. */
  readonly touchedAt?: string;
}

/** All that is kept of a note but what counts and proves: what an undo brings back to the byte. */
export type NoteContent = Omit<StoredNote, 'accessCount' | 'revision' | 'serial' | 'seal' | 'touchedAt'> & { readonly isForeign?: boolean };

/** A change of one note, with what it is a change of: done whole, or not at all where the note is something else by now. `null`: there is none. */
export interface NoteEdit {
  readonly place: NotePlace;
  readonly id: string;
  readonly scope: NoteScope;
  readonly from: NoteContent | null;
  readonly to: NoteContent | null;
}

export interface EditedNote extends Pick<NoteEdit, 'id' | 'scope'> {
  /** `done`: it is as wanted, now or already. `changed`: somebody changed it meanwhile, so it was left alone. */
  readonly outcome: 'done' | 'changed';
}

/** What a person said about a note that waited: never about this. */
export interface UnwantedNote {
  readonly id: string;
  /** Empty where the chat that it came from is forgotten. */
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
  /** It came with the workspace: other people's text, so an answer that shows it is untrusted, and no prompt repeats it unasked. */
  readonly isForeign?: boolean;
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
  readonly evidence?: readonly NoteEvidence[];
  /** It waits for a person whatever its source is: why, as a sentence. */
  readonly waits?: string;
}

export interface RecallOptions {
  /** 8 when left out. */
  readonly limit?: number;
  readonly scopes?: readonly NoteScope[];
  readonly withoutTypes?: readonly string[];
  /** Raises `accessCount`; true when left out. */
  readonly isCounted?: boolean;
  /** What `recall.query` made of the question; where left out, the hook is called. */
  readonly queries?: readonly string[];
  /** The turn explores or invents; passed on to `recall.query`. */
  readonly isExploratory?: boolean;
  /** Longest wait for embeddings in milliseconds; 2,000 when left out. */
  readonly waitMs?: number;
}

/** Under this key of `turn.notes` stands what a turn is after, where somebody worked that out. */
export type TurnIntentKey = 'recall-intent';
export type TurnIntent = 'plain' | 'exploratory' | 'introspective';

/** Notes that several homes of one person can have copies of. Those of a chat stay in their chat. */
export type NoteSet = { readonly scope: 'global' } | { readonly scope: 'workspace'; /** Absolute. */ readonly workspaceRoot: string };

/** A note as it travels from one copy of a set to another: who changed it last wins, so it needs no base. */
export interface TravellingNote {
  /** `type:key`. */
  readonly id: string;
  readonly value: string;
  /** ISO 8601 UTC: of its last change in any of the copies. Left alone by whoever passes it on. */
  readonly updatedAt: string;
  /** It was deleted then; its value may be empty. */
  readonly deletedAt?: string;
  readonly createdAt?: string;
  readonly confidence?: number;
  readonly links?: readonly string[];
  readonly source: NoteSource;
}

/** One that {@link Notes.merge} takes. */
export interface IncomingNote extends TravellingNote {
  /** The times of the version whose place it takes, whatever its own are: where that stands here still, nobody changed it here. */
  readonly over?: { readonly updatedAt: string; readonly deletedAt?: string };
  /** Somebody else wrote it: found and shown as text from outside, and in no prompt unasked. Of a workspace. */
  readonly isForeign?: boolean;
}

export interface NoteChanges {
  /** Give it as `since` next time. Nothing but this file's own reader can say what is in it. */
  readonly cursor: string;
  /** `since` is not of this file, or too old: these are all notes, and what a copy has beside them is gone. */
  readonly isReset: boolean;
  /** Oldest change first; each note once, as it is now. Not those that wait for a person, nor other people's. */
  readonly notes: readonly TravellingNote[];
}

export interface MergedNote {
  readonly id: string;
  /** `taken`: it counts here now. `kept`: what is here is newer. `same`. `refused`: it cannot be kept, `why` says so. */
  readonly outcome: 'taken' | 'kept' | 'same' | 'refused';
  readonly why?: string;
  /** Two were changed apart from each other: the one that lost. Whoever merges keeps it where a person can see it. */
  readonly lost?: TravellingNote;
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
  /** In any state: deleted and waiting ones, too. Counts no use. */
  peek(place: NotePlace, id: string, scope: NoteScope): Promise<Note | undefined>;
  /** Notes in force, changed last first. Counts no use. */
  newest(place: NotePlace, scopes: readonly NoteScope[], limit: number): Promise<readonly Note[]>;
  /** What an edit may begin with. */
  content(place: NotePlace, id: string, scope: NoteScope): Promise<NoteContent | null>;
  /**
   * The edit that {@link Notes.remember} would be; nothing is kept.
   * @param earlier edits that will be done before this one
   */
  plan(place: NotePlace, note: RememberNote, earlier?: readonly NoteEdit[]): Promise<NoteEdit>;
  /** Does them, each as its own whole; the same ones once more change nothing. Resolves when they are on disk. */
  edit(edits: readonly NoteEdit[]): Promise<readonly EditedNote[]>;
  /** How many notes of that set came by themselves, waiting ones too. */
  countDerived(place: NotePlace, scope: NoteScope): Promise<number>;
  /** What a person never wants noted. */
  unwanted(): Promise<readonly UnwantedNote[]>;
  /** The wish of a person that speaks against a note, by its id or its words. Whoever notes by itself asks. */
  unwantedFor(note: { readonly id: string; readonly value: string }): Promise<UnwantedNote | undefined>;
  /** Deleted notes that could be restored, the last one first. */
  forgotten(place: NotePlace, limit: number): Promise<readonly Note[]>;
  /** The newest event of a chat that is forgotten; 0 where nothing of it is. */
  forgottenUpTo(chatId: string): Promise<number>;
  /** What changed since, deletions too; all there is without a `since`. Reads the notes of that set alone. */
  changes(set: NoteSet, since?: string): Promise<NoteChanges>;
  /**
   * Takes notes from another copy of the same set, flushed together: they count as this person's own, but those that say they are
   * foreign. The newer of two wins; at the same time a deletion
   * does, else the greater text. Resolves when it is on disk; the same notes once more change nothing.
   * @param since the cursor up to which the other copy knows this one: what changed after it was changed apart from each other
   */
  merge(set: NoteSet, notes: readonly IncomingNote[], since?: string): Promise<readonly MergedNote[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    notes: Notes;
  }
  interface Hooks {
    /** What came from a chat is forgotten: drop what you made of it. Its notes are gone already. */
    'notes.forget': Series<[{ readonly chatId: string; readonly turnIds: ReadonlySet<string> }]>;
    /** Makes one question several, before notes are recalled for it. Broken taps are skipped. */
    'recall.query': Waterfall<readonly string[], [NotePlace & { readonly isExploratory: boolean }]>;
  }
  interface Events {
    memory_changed: {
      /** Left out where it came from no chat. */
      readonly chatId?: string;
      /** The note's `id`; the log gives every event an `id` of its own. */
      readonly noteId: string;
      readonly scope: NoteScope;
      readonly change: 'remembered' | 'forgotten' | 'restored' | 'accepted' | 'pending';
    };
  }
}
