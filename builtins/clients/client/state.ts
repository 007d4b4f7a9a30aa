// What a client knows: of one chat, of all chats, and of its connection. Plain data, replaced and never changed.
import type { Transcript } from 'agent-harness/transcript';
import type { Attachment, ChatMeta, Config } from './api.ts';

export type {
  AnnouncementEntry,
  Approval,
  AssistantEntry,
  Decision,
  Entry,
  NoteEntry,
  Origin,
  Preview,
  Question,
  RunningTurn,
  ShownFile,
  Task,
  TaskCall,
  ToolEntry,
  ToolState,
  TurnUsage,
  UserEntry,
  WaitingFor,
} from 'agent-harness/transcript';

/** What its events make of a chat, and what this client knows besides. `usage` is of the whole chat once the server told it. */
export interface ChatState extends Transcript {
  readonly chatId: string;
  /** False until the transcript was read. */
  readonly isLoaded: boolean;
  /** For the page before `entries`; left out at the beginning of the chat. */
  readonly before?: string;
  /** Milliseconds of this process: when the agent last showed a sign of work (`harness_running` is none). */
  readonly lastSignAt: number;
}

/** Labels of what plugins say of messages and calls of a chat, by their ids; those without are left out. */
export type EntryMarks = ReadonlyMap<string, readonly string[]>;

export interface ChatListState {
  readonly isLoaded: boolean;
  /** Newest first. */
  readonly chats: readonly ChatMeta[];
  readonly activeChatId?: string;
}

/** `refused`: the token is not accepted. */
export interface ConnectionState {
  readonly stream: 'connecting' | 'open' | 'lost' | 'refused';
  readonly rest: 'unknown' | 'up' | 'down' | 'refused';
  readonly config?: Config;
  readonly lastTurnEndedAt?: string;
}

/** A message on its way; kept by the client until the server acknowledged it. */
export interface Outgoing {
  readonly clientId: string;
  readonly chatId: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly whenBusy: 'queue' | 'steer' | 'reject';
  /** It was spoken and is sent as it was heard. */
  readonly liveDictation?: boolean;
  /** ISO 8601. */
  readonly at: string;
}
