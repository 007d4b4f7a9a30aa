// Defines the contract of chats: their folders, their workspaces, and the journal of all wire events.
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
 * Approval mode of a chat. `ask`: irreversible actions need approval. `careful`: file edits also need approval. `plan`: only read-only calls run. `auto`: the
 * safety judge approves calls that it considers harmless, as if its setting were on; all other calls need approval.
 */
export type ChatMode = 'ask' | 'careful' | 'plan' | 'auto';

/** The properties of a chat that the user sets. */
export interface ChatFacts {
  readonly mode: ChatMode;
  /** Lists show pinned chats first. */
  readonly pinned: boolean;
  /** Lists omit archived chats unless requested. */
  readonly archived: boolean;
  readonly tags: string[];
}

export interface ChatMeta extends ChatFacts {
  readonly chatId: string;
  readonly title: string;
  readonly workspaceMode: WorkspaceMode;
  /** Absolute path of the workspace. */
  readonly workspaceRoot: string;
  /** Identifies the workspace: `git:host/owner/repo` from the git remote; otherwise `path:` and the root. */
  readonly workspaceFingerprint: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly busy: boolean;
  readonly turns: number;
  /** Model of this chat; default: the model in the settings. */
  readonly model?: string;
  /** Reasoning effort of this chat; default: the value of the setting. */
  readonly effort?: ReasoningEffort;
  /** Set if the chat is an alternative continuation of the chat from which it was copied. */
  readonly branch?: ChatBranch;
  /** Source of an imported chat; omitted for copies of it. */
  readonly imported?: ChatSource;
  /** A temporary chat: erased when deleted, and at the next start of the server. */
  readonly temporary?: true;
}

/**
 * The position at which a branch departs from another chat: the branch has its own turn in place of a turn of that chat. It is equal for all branches at one
 * position.
 */
export interface ChatBranch {
  /** The original chat, and its turn that the branch replaces. */
  readonly chatId: string;
  readonly turnId: string;
  /** The last turn that both chats share; omitted if they differ from the beginning. */
  readonly after?: string;
}

/** The user's changes to a chat. */
export interface ChatChange extends Partial<ChatFacts> {
  readonly title?: string;
  /** Model of the chat; `null`: use the one in the settings. */
  readonly model?: string | null;
  /** Reasoning effort of the chat; `null`: use the setting. */
  readonly effort?: ReasoningEffort | null;
}

/** A deleted chat that can be restored. */
export interface TrashedChat {
  readonly chatId: string;
  readonly title: string;
  readonly workspaceRoot: string;
  readonly turns: number;
  readonly deletedAt: string;
  /** Days until the chat is permanently deleted, rounded down. */
  readonly daysLeft: number;
}

export interface CreateChat {
  /** `scratch`: a new, empty folder. `folder`: `workspaceRoot` unchanged. `reuse`: the workspace of the chat with this `workspaceRoot`. */
  readonly workspaceMode?: WorkspaceMode;
  readonly workspaceRoot?: string;
  readonly title?: string;
  /** Whether to make the chat the active one; default: true. */
  readonly activate?: boolean;
  readonly temporary?: boolean;
}

/** An event as written in the journal and on the wire. */
export interface EventFrame {
  /** Id of the event; increases across the whole home folder and is never reused. */
  readonly id: number;
  readonly kind: string;
  /** Chat of the event; omitted for server-wide events, which are not journaled. */
  readonly chatId?: string;
  /** The event as JSON, encoded once: `{"id":…,"kind":…,"at":…,…}`. */
  readonly json: string;
}

/** A wire event read from a journal. */
export interface JournalEvent {
  readonly id: number;
  readonly kind: string;
  readonly at: string;
  readonly chatId: string;
  readonly turnId?: string;
  readonly [field: string]: unknown;
}

/**
 * The event log of the home folder. Plugins do not write to the log: they `emit` an event that is contributed to the point `wire_event`, and the log appends it
 * to the chat's `session.jsonl` before any reader receives it.
 */
export interface EventLog {
  /** Delivers each frame once, in order of ids, after it is written. Contract: the listener must not block. */
  subscribe(listener: (frames: readonly EventFrame[]) => void): Disposable;
  /** Resolves when all events emitted for the chat so far have been flushed to disk. */
  flushed(chatId: string): Promise<void>;
  /** Returns the frames of a chat after `since`, oldest first; `undefined` if they cannot be determined (unknown or future id). */
  replay(chatId: string, since: number): Promise<readonly EventFrame[] | undefined>;
  /**
   * Returns the frames of all chats and of the server after `since`, in order of ids; `undefined` if they cannot be determined or there are too many. Older
   * frames come from the journals, which lack the events that are only sent to readers.
   */
  replayAll(since: number): Promise<readonly EventFrame[] | undefined>;
  /** Returns the stored events with `keep: 'newest'` (see {@link WireEvent}) after `since`, oldest first. */
  newest(since?: number): readonly EventFrame[];
  /** Reads all events of a chat, oldest first, including entries that the user removed from the conversation. */
  read(chatId: string): AsyncIterable<JournalEvent>;
  /** Returns the entries that the user removed from a chat's conversation; none for an unknown chat id. */
  removed(chatId: string): Promise<Removals>;
  /** Returns the permission that is needed to read a kind of event, see {@link WireEvent.permission}; `undefined` if no active plugin contributes the kind. */
  permissionOf(kind: string): WireEvent['permission'] | undefined;
  /** Returns the schema of a kind of event if some of its fields have their own `x-permission`; otherwise `undefined`. */
  guardedSchemaOf(kind: string): WireEvent['schema'] | undefined;
  /** The most recently assigned id. */
  readonly cursor: number;
}

export interface TranscriptPage {
  /** The entries in display order, with their current states. */
  readonly entries: readonly Entry[];
  /** The running turn, if any; only on the newest page. */
  readonly running?: RunningTurn;
  /** Cursor to pass as `before` for the preceding page; omitted on the first page of the chat. */
  readonly cursor?: string;
  /** Id of the newest event in the page; clients continue the stream after it. Omitted for a chat without events. */
  readonly upTo?: number;
}

/** A repaired problem in the home folder. */
export interface Repair {
  /** Absolute path of the repaired file. */
  readonly path: string;
  /** One sentence about the problem and the repair. */
  readonly text: string;
}

export interface Chats {
  /** Returns the active chat; creates the first chat on demand, in `AGENT_WORKSPACE_ROOT`. */
  active(): Promise<ChatMeta>;
  readonly activeId: string | undefined;
  /** Returns the meta of a chat; without an id, that of the active chat. Rejects with `CHATS_ERR_NOT_FOUND`, including for invalid ids. */
  get(chatId?: string): Promise<ChatMeta>;
  /** Returns the same as {@link Chats.get}, without side effects: if no chat exists, returns the planned first chat without creating it. */
  peek(chatId?: string): Promise<ChatMeta>;
  /** Lists pinned chats first, followed by the others, newest first; archived chats only on request. */
  list(options?: { readonly archived?: boolean }): Promise<{ chats: ChatMeta[]; orphanIds: string[]; activeChatId: string | null; residentChatIds: string[] }>;
  create(options?: CreateChat): Promise<ChatMeta>;
  activate(chatId: string): Promise<ChatMeta>;
  /** Applies all changes or none. Rejects with `CHATS_ERR_INVALID_REQUEST` for a blank title, too many tags, or a tag that is too long. */
  change(chatId: string, change: ChatChange): Promise<ChatMeta>;
  /**
   * Writes an imported conversation as a chat with new ids, its original times and its source. Tool output in it
   * counts as external content. Rejects with `CHATS_ERR_INVALID_REQUEST` if the conversation is empty.
   */
  import(wanted: ImportChat): Promise<ImportedChat>;
  /** Returns the chats imported from a source, by their ids in that source; includes chats in the trash. */
  imported(from: string): Promise<ReadonlyMap<string, Pick<ImportedChat, 'chatId' | 'isInTrash'>>>;
  /** Runs the hook `chat.close`, which aborts a busy chat, then moves the folder to `chats/.trash/`; a temporary chat is erased. */
  remove(chatId: string): Promise<{ newActiveId: string | null }>;
  /** Returns deleted chats, most recently deleted first. */
  trash(): Promise<TrashedChat[]>;
  /** Restores a chat from the trash. Rejects with `CHATS_ERR_NOT_FOUND`. */
  restore(chatId: string): Promise<ChatMeta>;
  /** Permanently deletes a chat in the trash. Rejects with `CHATS_ERR_NOT_FOUND`. */
  erase(chatId: string): Promise<void>;
  /** Copies a chat up to and including a turn, with workspace mode `reuse`. */
  fork(chatId: string, atTurn?: string): Promise<ChatMeta>;
  /**
   * Copies a chat up to but not including a turn, under the same title, for an alternative continuation. Rejects with `CHATS_ERR_NOT_FOUND` if the chat itself
   * has no such turn.
   */
  branch(chatId: string, beforeTurn: string): Promise<ChatMeta>;
  transcript(chatId: string, options?: { readonly before?: string; readonly limit?: number }): Promise<TranscriptPage>;
  search(query: string, limit?: number): Promise<{ chatId: string; entryId: string; at: string; excerpt: string }[]>;
  /** Returns the absolute path of the chat's own folder, which is not its workspace. */
  folder(chatId: string): string;
  /** Counts a turn and sets `updatedAt`; the first message becomes the title of an untitled chat. Visible immediately, written to disk soon after. */
  touch(chatId: string, change: { readonly turns?: number; readonly title?: string }): Promise<void>;
  /**
   * Rebuilds derived data from the journals: `meta.json`, `active_chat.json`, `event_id.json`, and, through the hook `chat.rebuild`, the data of plugins.
   * Rejects with `CHATS_ERR_HOME_IN_USE` while a server uses the home folder.
   */
  rebuild(): Promise<readonly Repair[]>;
}

/** Contribution point `wire_event`: an event that clients may receive; the journal stores it if it has a `chatId`. */
export interface WireEvent {
  /** The name of the event, equal to `kind` on the wire. */
  readonly name: string;
  /** One sentence for the reference page. */
  readonly description: string;
  /** Permission that a reader needs to receive the event, live or replayed. `owner` (default): owners only. */
  readonly permission: Permission | 'owner';
  /** JSON Schema of the payload, for the reference page and for clients. */
  readonly schema: TSchema;
  /**
   * `journal` (default): written to the chat's journal, then sent to readers. `live`: only sent to readers. `newest`: sent to every reader whatever its filter;
   * the newest 100 stay in memory for later readers.
   */
  readonly keep?: 'journal' | 'live' | 'newest';
  /**
   * Returns the event's entry in the transcript; if omitted or if it returns `undefined`, the event has no entry. Called once, before the event is written. The
   * journal stores the result as `shown`, because every client must display the same, with or without the plugin. Contract: pure and fast.
   */
  readonly shows?: (event: never) => ShownNote | undefined;
  /**
   * Returns computed fields that an event written by an older version lacks; `undefined` for a complete event. Called each time an event
   * of that kind is read; the fields are not written to the journal. Contract: pure and fast.
   */
  readonly completes?: (event: never) => object | undefined;
}

export interface ChatFork {
  /** Id of the copied chat (`from`) and of the copy (`to`). */
  readonly from: string;
  readonly to: string;
  /** Ids of the turns that the copy contains. */
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
    /** A chat was loaded into memory. */
    'chat.open': Series<[chatId: string]>;
    /** A chat is being deleted: end its running work. */
    'chat.close': Series<[chatId: string]>;
    /**
     * A deleted chat is about to be erased, immediately or after its retention period: drop derived data while the events of the chat can still be read. If a
     * tap throws, the chat is not erased.
     */
    'chat.erase': Series<[{ readonly chatId: string; read(): AsyncIterable<JournalEvent> }]>;
    /** A chat is being copied, and lists do not contain the copy yet: copy the plugin's data. If a tap throws, the fork is cancelled and the copy removed. */
    'chat.fork': Series<[fork: ChatFork]>;
    /** Chats were rebuilt from their journals while no server is running: repair the plugin's data, and append the repairs. */
    'chat.rebuild': Waterfall<readonly Repair[]>;
    /**
     * The annotations of an entry have changed. Called by the plugin that contributes the annotation to the point `entry_mark`, after it has updated its data.
     * Notifies clients.
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
      /** Workspace mode of a created or copied chat. */
      readonly workspaceMode?: WorkspaceMode;
      readonly workspaceRoot?: string;
      /** Source of an imported chat. */
      readonly imported?: ChatSource;
      readonly temporary?: true;
    };
  }
}
