// Chats, their folders and workspaces, and the journal that every wire event goes through.
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
 * How much a chat asks. `ask`: what cannot be taken back. `careful`: each edit of a file, too. `plan`: nothing runs but what only reads.
 * `auto`: the judge decides, as where the setting has it on; what it does not call harmless asks.
 */
export type ChatMode = 'ask' | 'careful' | 'plan' | 'auto';

/** What a person says of a chat, and what a new one begins with. */
export interface ChatFacts {
  readonly mode: ChatMode;
  /** It stands first in lists. */
  readonly pinned: boolean;
  /** Lists leave it out unless they are asked for it. */
  readonly archived: boolean;
  readonly tags: string[];
}

export interface ChatMeta extends ChatFacts {
  readonly chatId: string;
  readonly title: string;
  readonly workspaceMode: WorkspaceMode;
  /** Absolute. */
  readonly workspaceRoot: string;
  /** `git:host/owner/repo` from the remote, else `path:` + root. */
  readonly workspaceFingerprint: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly busy: boolean;
  readonly turns: number;
  /** Answers in this chat, whatever the setting says. */
  readonly model?: string;
  /** How much the model reasons in this chat, whatever the setting says. */
  readonly effort?: ReasoningEffort;
  /** Another way to go on than in the chat that it was copied from. */
  readonly branch?: ChatBranch;
  /** It was held elsewhere; left out for a copy of such a one. */
  readonly imported?: ChatSource;
  /** It is not kept: who deletes it has it erased, and so has the next start of the server. */
  readonly temporary?: true;
}

/** Where a chat left another one: instead of a turn of that one it has its own. All branches at one place say the same. */
export interface ChatBranch {
  /** The chat that was left, and its turn that this one has another for. */
  readonly chatId: string;
  readonly turnId: string;
  /** The last turn that both have; left out where they differ from the beginning. */
  readonly after?: string;
}

/** What a person changes of a chat. */
export interface ChatChange extends Partial<ChatFacts> {
  readonly title?: string;
  /** `null`: the one of the settings. */
  readonly model?: string | null;
  /** `null`: the one of the settings. */
  readonly effort?: ReasoningEffort | null;
}

/** A deleted chat that can be had again. */
export interface TrashedChat {
  readonly chatId: string;
  readonly title: string;
  readonly workspaceRoot: string;
  readonly turns: number;
  /** ISO 8601 UTC. */
  readonly deletedAt: string;
  /** Whole days, at least; then it goes for good. */
  readonly daysLeft: number;
}

export interface CreateChat {
  /** `scratch`: an own empty folder. `folder`: `workspaceRoot` as it is. `reuse`: the workspace of the chat that has `workspaceRoot`. */
  readonly workspaceMode?: WorkspaceMode;
  readonly workspaceRoot?: string;
  readonly title?: string;
  /** Makes it the active chat; true when left out. */
  readonly activate?: boolean;
  readonly temporary?: boolean;
}

/** One event as it stands in the journal and on the wire. */
export interface EventFrame {
  /** Increasing over the whole home folder, never reused. */
  readonly id: number;
  readonly kind: string;
  /** Left out for events of the whole server; those are not journaled. */
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
 * The event log of the home folder. Plugins do not write to it: they `emit` an event that somebody contributed to the
 * point `wire_event`, and the log appends it to the chat's `session.jsonl` before any reader gets it.
 */
export interface EventLog {
  /** Each frame once, in order of ids, after it is written. Contract: the listener must not block. */
  subscribe(listener: (frames: readonly EventFrame[]) => void): Disposable;
  /** Resolves when everything emitted for the chat so far is flushed to the disk. */
  flushed(chatId: string): Promise<void>;
  /** Frames of a chat later than `since`, oldest first; `undefined` when that cannot be known (unknown or future id). */
  replay(chatId: string, since: number): Promise<readonly EventFrame[] | undefined>;
  /**
   * Frames of all chats and of the server later than `since`, in order of ids; `undefined` when that cannot be known or is too much.
   * What is gone from memory comes from the journals, so without what was for readers alone.
   */
  replayAll(since: number): Promise<readonly EventFrame[] | undefined>;
  /** The newest {@link WireEvent}s with `keep: 'newest'` that are later than `since`, oldest first. */
  newest(since?: number): readonly EventFrame[];
  /** All events of a chat, oldest first, with what a person removed from the conversation. */
  read(chatId: string): AsyncIterable<JournalEvent>;
  /** What a person removed from the conversation of a chat. Empty for an id that is no chat's. */
  removed(chatId: string): Promise<Removals>;
  /** What a reader must be allowed to, see {@link WireEvent.permission}; `undefined` for a kind that nobody contributes now. */
  permissionOf(kind: string): WireEvent['permission'] | undefined;
  /** The schema of a kind where some of its fields ask for an `x-permission` of their own; `undefined` where none does. */
  guardedSchemaOf(kind: string): WireEvent['schema'] | undefined;
  /** The newest id given out. */
  readonly cursor: number;
}

export interface TranscriptPage {
  /** In the order in which they are shown, with the states in which they are. */
  readonly entries: readonly Entry[];
  /** The turn that runs; of the newest page alone. */
  readonly running?: RunningTurn;
  /** Give it as `before` for the page before this one; left out at the beginning. */
  readonly cursor?: string;
  /** The newest event that is part of it: who follows the chat goes on after that one. Left out where there is none. */
  readonly upTo?: number;
}

/** Something in the home folder that was put right. */
export interface Repair {
  /** Absolute. */
  readonly path: string;
  /** What was wrong and what was done, in a sentence. */
  readonly text: string;
}

export interface Chats {
  /** The active chat; the first one is made on demand, in `AGENT_WORKSPACE_ROOT`. */
  active(): Promise<ChatMeta>;
  readonly activeId: string | undefined;
  /** Rejects with `CHATS_ERR_NOT_FOUND`, also for a text that is no chat id. Without an id: the active chat. */
  get(chatId?: string): Promise<ChatMeta>;
  /** Like {@link Chats.get}, for whoever only looks: where there is no chat yet, it answers what the first one will be, and makes none. */
  peek(chatId?: string): Promise<ChatMeta>;
  /** Pinned ones first, then the newest; archived ones only where they are wanted. */
  list(options?: { readonly archived?: boolean }): Promise<{ chats: ChatMeta[]; orphanIds: string[]; activeChatId: string | null; residentChatIds: string[] }>;
  create(options?: CreateChat): Promise<ChatMeta>;
  activate(chatId: string): Promise<ChatMeta>;
  /** All or nothing. Rejects with `CHATS_ERR_INVALID_REQUEST` for a title without a visible character, and for tags that are too many or too long. */
  change(chatId: string, change: ChatChange): Promise<ChatMeta>;
  /**
   * Writes a conversation that was held elsewhere as a chat, under new ids, with its times, and marked with its source. What comes from
   * tools counts as other people's text. Rejects with `CHATS_ERR_INVALID_REQUEST` where nothing is in it.
   */
  import(wanted: ImportChat): Promise<ImportedChat>;
  /** What came from there, by its id there; what lies in the trash, too. */
  imported(from: string): Promise<ReadonlyMap<string, Pick<ImportedChat, 'chatId' | 'isInTrash'>>>;
  /** Runs the hook `chat.close` (a busy chat is aborted), then moves the folder to `chats/.trash/`; a temporary chat is erased. */
  remove(chatId: string): Promise<{ newActiveId: string | null }>;
  /** Deleted chats, the one deleted last first. */
  trash(): Promise<TrashedChat[]>;
  /** Takes a deleted chat out of the trash. Rejects with `CHATS_ERR_NOT_FOUND`. */
  restore(chatId: string): Promise<ChatMeta>;
  /** Deletes a chat of the trash for good. Rejects with `CHATS_ERR_NOT_FOUND`. */
  erase(chatId: string): Promise<void>;
  /** A copy up to and including a turn, with its own workspace mode `reuse`. */
  fork(chatId: string, atTurn?: string): Promise<ChatMeta>;
  /** A copy up to and without a turn, under the same title, for going on in another way. Rejects with `CHATS_ERR_NOT_FOUND` where the chat has no such turn of its own. */
  branch(chatId: string, beforeTurn: string): Promise<ChatMeta>;
  transcript(chatId: string, options?: { readonly before?: string; readonly limit?: number }): Promise<TranscriptPage>;
  search(query: string, limit?: number): Promise<{ chatId: string; entryId: string; at: string; excerpt: string }[]>;
  /** Absolute path of the chat's own folder. */
  folder(chatId: string): string;
  /** Counts a turn and sets `updatedAt`; a first message names an untitled chat. Seen at once, on the disk soon after. */
  touch(chatId: string, change: { readonly turns?: number; readonly title?: string }): Promise<void>;
  /**
   * Makes again from the journals what can be derived from them: `meta.json`, `active_chat.json`, `event_id.json`, and by
   * the hook `chat.rebuild` what others keep. Rejects with `CHATS_ERR_HOME_IN_USE` while a server runs on the home folder.
   */
  rebuild(): Promise<readonly Repair[]>;
}

/** Contribution point `wire_event`: the event may leave the process, and is journaled where it has a `chatId`. */
export interface WireEvent {
  /** The event's name, equal to `kind` on the wire. */
  readonly name: string;
  /** One sentence for the reference page. */
  readonly description: string;
  /**
   * What a reader must be allowed to, as for a route: whoever is not never gets it, now or replayed. `owner`: nobody but an owner, and so
   * where a plugin names none.
   */
  readonly permission: Permission | 'owner';
  /** JSON Schema of the payload, for the reference page and for clients. */
  readonly schema: TSchema;
  /**
   * `journal` (default): to the chat's journal first. `live`: to readers only.
   * `newest`: to every reader whatever it reads, and the newest 100 in memory for readers that come later.
   */
  readonly keep?: 'journal' | 'live' | 'newest';
  /**
   * How the event shows in the transcript of its chat; left out, or answered with nothing, where it does not. Asked once, before the
   * event is written: the answer stands in it as `shown`, so that every client shows the same, with the plugin or without it.
   * Contract: pure and fast.
   */
  readonly shows?: (event: never) => ShownNote | undefined;
  /**
   * Of what is worked out before the event is written: what a line of an older version lacks. Asked for each line of that kind that
   * somebody reads; nothing is written. Contract: pure and fast; answers nothing for a line that lacks nothing.
   */
  readonly completes?: (event: never) => object | undefined;
}

export interface ChatFork {
  /** Ids of chats. */
  readonly from: string;
  readonly to: string;
  /** The turns that the copy has. */
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
    /** A chat is deleted: end what runs in it. */
    'chat.close': Series<[chatId: string]>;
    /** A deleted chat goes for good, now or after its time: forget what was made of it, while its events can still be read. A tap that throws keeps it. */
    'chat.erase': Series<[{ readonly chatId: string; read(): AsyncIterable<JournalEvent> }]>;
    /** A chat is being copied, and its copy not yet listed: copy what you keep of it. A tap that throws ends the fork, and nothing is left of it. */
    'chat.fork': Series<[fork: ChatFork]>;
    /** Chats were made again from their journals, no server runs: put right what is yours and append what you did. */
    'chat.rebuild': Waterfall<readonly Repair[]>;
    /** An entry bears other marks than before: called by whoever contributes one to the point `entry_mark`, once its list says so. Clients are told. */
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
      /** Of a chat that was made or forked. */
      readonly workspaceMode?: WorkspaceMode;
      readonly workspaceRoot?: string;
      /** Of one that was imported. */
      readonly imported?: ChatSource;
      readonly temporary?: true;
    };
  }
}
