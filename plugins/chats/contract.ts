// The contract of chats: their folders and workspaces, and the journal of all wire events.
import type { Disposable, Series, Waterfall } from 'agent-harness/kernel';
import type { Entry, Removals, RunningTurn, ShownNote } from 'agent-harness/transcript';
import type { Permission } from 'agent-harness/plugins/http';
import type { ReasoningEffort } from 'agent-harness/plugins/models';
import type { TSchema } from 'typebox';
import type { EntryMark, MarkedEntry } from './entry-mark.ts';
import type { ChatSource, ImportChat, ImportedChat } from './import-types.ts';

export type { EntryMark, MarkedEntries, MarkedEntry } from './entry-mark.ts';
export type { ChatSource, ImportChat, ImportedChat, ImportedPart } from './import-types.ts';

export type WorkspaceMode = 'scratch' | 'folder' | 'reuse';

/**
 * When a chat asks for approval. `ask`: before irreversible actions. `careful`: before each edit of a file, too. `plan`: only read-only calls run.
 * `auto`: the judge decides, as with its setting on; calls that it does not consider harmless ask.
 */
export type ChatMode = 'ask' | 'careful' | 'plan' | 'auto';

/** User-set properties of a chat, and their initial values. */
export interface ChatFacts {
  readonly mode: ChatMode;
  /** Listed first. */
  readonly pinned: boolean;
  /** Left out of lists unless requested. */
  readonly archived: boolean;
  readonly tags: string[];
}

export interface ChatMeta extends ChatFacts {
  readonly chatId: string;
  readonly title: string;
  readonly workspaceMode: WorkspaceMode;
  /** Absolute. */
  readonly workspaceRoot: string;
  /** `git:host/owner/repo` from the remote; otherwise `path:` + root. */
  readonly workspaceFingerprint: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly busy: boolean;
  readonly turns: number;
  /** The model of this chat; overrides the setting. */
  readonly model?: string;
  /** Reasoning effort of this chat; overrides the setting. */
  readonly effort?: ReasoningEffort;
  /** Set if the chat is an alternative continuation of the chat that it was copied from. */
  readonly branch?: ChatBranch;
  /** Source of an imported chat; left out for copies of it. */
  readonly imported?: ChatSource;
  /** Not stored permanently: erased when deleted, and at the next start of the server. */
  readonly temporary?: true;
}

/** Where a branch left another chat: it has its own turn in place of one of that chat. Equal for all branches at one place. */
export interface ChatBranch {
  /** The original chat, and its turn that this one replaces. */
  readonly chatId: string;
  readonly turnId: string;
  /** The last shared turn; left out if they differ from the beginning. */
  readonly after?: string;
}

/** User changes to a chat. */
export interface ChatChange extends Partial<ChatFacts> {
  readonly title?: string;
  /** `null`: use the settings. */
  readonly model?: string | null;
  /** `null`: use the settings. */
  readonly effort?: ReasoningEffort | null;
}

/** A deleted chat that can be restored. */
export interface TrashedChat {
  readonly chatId: string;
  readonly title: string;
  readonly workspaceRoot: string;
  readonly turns: number;
  /** ISO 8601 UTC. */
  readonly deletedAt: string;
  /** Whole days, rounded down; then it is deleted permanently. */
  readonly daysLeft: number;
}

export interface CreateChat {
  /** `scratch`: its own empty folder. `folder`: `workspaceRoot` as it is. `reuse`: the workspace of the chat that has `workspaceRoot`. */
  readonly workspaceMode?: WorkspaceMode;
  readonly workspaceRoot?: string;
  readonly title?: string;
  /** Makes it the active chat; true when left out. */
  readonly activate?: boolean;
  readonly temporary?: boolean;
}

/** One event as written in the journal and on the wire. */
export interface EventFrame {
  /** Increasing across the whole home folder, never reused. */
  readonly id: number;
  readonly kind: string;
  /** Left out for server-wide events; those are not journaled. */
  readonly chatId?: string;
  /** The event as JSON, encoded once: `{"id":…,"kind":…,"at":…,…}`. */
  readonly json: string;
}

/** A wire event read back from a journal. */
export interface JournalEvent {
  readonly id: number;
  readonly kind: string;
  readonly at: string;
  readonly chatId: string;
  readonly turnId?: string;
  readonly [field: string]: unknown;
}

/**
 * The event log of the home folder. Plugins do not write to it: they `emit` an event contributed to the
 * point `wire_event`, and the log appends it to the chat's `session.jsonl` before any reader gets it.
 */
export interface EventLog {
  /** Delivers each frame once, in order of ids, after it is written. Contract: the listener must not block. */
  subscribe(listener: (frames: readonly EventFrame[]) => void): Disposable;
  /** Resolves when everything emitted for the chat so far is flushed to the disk. */
  flushed(chatId: string): Promise<void>;
  /** Returns the frames of a chat after `since`, oldest first; `undefined` if they cannot be determined (unknown or future id). */
  replay(chatId: string, since: number): Promise<readonly EventFrame[] | undefined>;
  /**
   * Returns the frames of all chats and of the server after `since`, in order of ids; `undefined` if they cannot be determined or are too many.
   * Older frames come from the journals, which lack events that were only sent to readers.
   */
  replayAll(since: number): Promise<readonly EventFrame[] | undefined>;
  /** Returns the newest {@link WireEvent}s with `keep: 'newest'` after `since`, oldest first. */
  newest(since?: number): readonly EventFrame[];
  /** Reads all events of a chat, oldest first, including entries that the user removed from the conversation. */
  read(chatId: string): AsyncIterable<JournalEvent>;
  /** Returns the entries that the user removed from a chat's conversation. Empty for an unknown chat id. */
  removed(chatId: string): Promise<Removals>;
  /** Returns the permission needed to read a kind, see {@link WireEvent.permission}; `undefined` for a kind that no plugin contributes now. */
  permissionOf(kind: string): WireEvent['permission'] | undefined;
  /** Returns the schema of a kind if some of its fields require their own `x-permission`; otherwise `undefined`. */
  guardedSchemaOf(kind: string): WireEvent['schema'] | undefined;
  /** The newest id assigned. */
  readonly cursor: number;
}

export interface TranscriptPage {
  /** In display order, with their current states. */
  readonly entries: readonly Entry[];
  /** The running turn; on the newest page only. */
  readonly running?: RunningTurn;
  /** Pass it as `before` for the preceding page; left out at the beginning. */
  readonly cursor?: string;
  /** The newest event included: continue the stream after it. Left out if there is none. */
  readonly upTo?: number;
}

/** A repaired problem in the home folder. */
export interface Repair {
  /** Absolute. */
  readonly path: string;
  /** The problem and the repair, in a sentence. */
  readonly text: string;
}

export interface Chats {
  /** Returns the active chat; creates the first one on demand, in `AGENT_WORKSPACE_ROOT`. */
  active(): Promise<ChatMeta>;
  readonly activeId: string | undefined;
  /** Rejects with `CHATS_ERR_NOT_FOUND`, also for invalid ids. Without an id: the active chat. */
  get(chatId?: string): Promise<ChatMeta>;
  /** Like {@link Chats.get}, without side effects: if there is no chat yet, returns the future first one and creates none. */
  peek(chatId?: string): Promise<ChatMeta>;
  /** Lists pinned chats first, then the newest; archived ones only on request. */
  list(options?: { readonly archived?: boolean }): Promise<{ chats: ChatMeta[]; orphanIds: string[]; activeChatId: string | null; residentChatIds: string[] }>;
  create(options?: CreateChat): Promise<ChatMeta>;
  activate(chatId: string): Promise<ChatMeta>;
  /** Applies all changes or none. Rejects with `CHATS_ERR_INVALID_REQUEST` for a blank title, and for too many or too long tags. */
  change(chatId: string, change: ChatChange): Promise<ChatMeta>;
  /**
   * Writes an imported conversation as a chat, under new ids, with its original times and its source. Tool output in it
   * counts as external content. Rejects with `CHATS_ERR_INVALID_REQUEST` if it is empty.
   */
  import(wanted: ImportChat): Promise<ImportedChat>;
  /** Returns the chats imported from a source, by their id there, including those in the trash. */
  imported(from: string): Promise<ReadonlyMap<string, Pick<ImportedChat, 'chatId' | 'isInTrash'>>>;
  /** Runs the hook `chat.close` (a busy chat is aborted), then moves the folder to `chats/.trash/`; a temporary chat is erased. */
  remove(chatId: string): Promise<{ newActiveId: string | null }>;
  /** Returns deleted chats, most recently deleted first. */
  trash(): Promise<TrashedChat[]>;
  /** Restores a chat from the trash. Rejects with `CHATS_ERR_NOT_FOUND`. */
  restore(chatId: string): Promise<ChatMeta>;
  /** Deletes a chat of the trash permanently. Rejects with `CHATS_ERR_NOT_FOUND`. */
  erase(chatId: string): Promise<void>;
  /** Copies a chat up to and including a turn, with workspace mode `reuse`. */
  fork(chatId: string, atTurn?: string): Promise<ChatMeta>;
  /**
   * Copies a chat up to and excluding a turn, under the same title, for an alternative continuation. Rejects with `CHATS_ERR_NOT_FOUND` if the chat has no such
   * turn of its own.
   */
  branch(chatId: string, beforeTurn: string): Promise<ChatMeta>;
  transcript(chatId: string, options?: { readonly before?: string; readonly limit?: number }): Promise<TranscriptPage>;
  search(query: string, limit?: number): Promise<{ chatId: string; entryId: string; at: string; excerpt: string }[]>;
  /** Absolute path of the chat's own folder. */
  folder(chatId: string): string;
  /** Counts a turn and sets `updatedAt`; a first message names an untitled chat. Visible immediately, written to the disk soon after. */
  touch(chatId: string, change: { readonly turns?: number; readonly title?: string }): Promise<void>;
  /**
   * Rebuilds derived data from the journals: `meta.json`, `active_chat.json`, `event_id.json`, and by
   * the hook `chat.rebuild` the data of plugins. Rejects with `CHATS_ERR_HOME_IN_USE` while a server runs on the home folder.
   */
  rebuild(): Promise<readonly Repair[]>;
}

/** Contribution point `wire_event`: the event may leave the process, and is journaled if it has a `chatId`. */
export interface WireEvent {
  /** The event's name, equal to `kind` on the wire. */
  readonly name: string;
  /** One sentence for the reference page. */
  readonly description: string;
  /** The permission a reader needs, as for a route; others never get the event, live or replayed. `owner` (default): owners only. */
  readonly permission: Permission | 'owner';
  /** JSON Schema of the payload, for the reference page and for clients. */
  readonly schema: TSchema;
  /**
   * `journal` (default): to the chat's journal first. `live`: to readers only.
   * `newest`: to every reader regardless of its filter, and the newest 100 in memory for later readers.
   */
  readonly keep?: 'journal' | 'live' | 'newest';
  /**
   * Returns the event's entry in the transcript; left out, or returns nothing, if it has none. Called once, before the
   * event is written: the result is stored in it as `shown`, so that every client shows the same, with or without the plugin.
   * Contract: pure and fast.
   */
  readonly shows?: (event: never) => ShownNote | undefined;
  /**
   * Returns computed fields that a line of an older version lacks. Called for each line of that kind on
   * reading; nothing is written. Contract: pure and fast; returns nothing for a complete line.
   */
  readonly completes?: (event: never) => object | undefined;
}

export interface ChatFork {
  /** Chat ids of source and copy. */
  readonly from: string;
  readonly to: string;
  /** The turns in the copy. */
  readonly turns: ReadonlySet<string>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    chats: Chats;
    eventLog: EventLog;
  }
  interface ContributionPoints {
    wire_event: WireEvent;
    entry_mark: EntryMark;
  }
  interface Hooks {
    /** A chat becomes resident. */
    'chat.open': Series<[chatId: string]>;
    /** A chat is deleted: end its running work. */
    'chat.close': Series<[chatId: string]>;
    /** A deleted chat is erased permanently, now or after its retention: drop derived data, while its events can still be read. A throw cancels it. */
    'chat.erase': Series<[{ readonly chatId: string; read(): AsyncIterable<JournalEvent> }]>;
    /** A chat is being copied, and its copy not yet listed: copy the plugin's data. A throw cancels the fork and removes the copy. */
    'chat.fork': Series<[fork: ChatFork]>;
    /** Chats were rebuilt from their journals while no server runs: repair the plugin's data and append the repairs. */
    'chat.rebuild': Waterfall<readonly Repair[]>;
    /**
     * The annotations of an entry changed: called by the plugin that contributes one to the point `entry_mark`, after its list is updated. Clients are
     * notified.
     */
    'entry.marked': Series<[entry: MarkedEntry]>;
  }
  interface Events {
    chat_switched: { readonly chatId: string; readonly activeChatId: string };
    entry_marked: MarkedEntry & { readonly marks: readonly string[] };
    entry_marks_changed: object;
    chat_updated: {
      readonly chatId: string;
      readonly change: Exclude<keyof ChatChange, 'title'> | 'created' | 'renamed' | 'deleted' | 'restored' | 'erased' | 'forked' | 'imported' | 'reset';
      readonly title?: string;
      readonly mode?: ChatMode;
      readonly pinned?: boolean;
      readonly archived?: boolean;
      readonly tags?: readonly string[];
      /** Of a created or forked chat. */
      readonly workspaceMode?: WorkspaceMode;
      readonly workspaceRoot?: string;
      /** Of an imported chat. */
      readonly imported?: ChatSource;
      readonly temporary?: true;
    };
  }
}
