// Defines the types of the client's state: one chat, all chats, and the connection. Plain data that is replaced and never mutated.
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

/** The state of a chat built from its events, with client data. `usage` covers the whole chat once it has been loaded from the server. */
export interface ChatState extends Transcript {
  readonly chatId: string;
  /** Whether the transcript has been loaded. */
  readonly isLoaded: boolean;
  /** Cursor of the page before `entries`; omitted at the beginning of the chat. */
  readonly before?: string;
  /** Time of the agent's last sign of activity, in milliseconds of this process; `harness_running` does not count. */
  readonly lastSignAt: number;
}

/** Plugin annotations by message or call id; entries without annotations are omitted. */
export type EntryMarks = ReadonlyMap<string, readonly string[]>;

export interface ChatListState {
  readonly isLoaded: boolean;
  /** The chats, newest first. */
  readonly chats: readonly ChatMeta[];
  readonly activeChatId?: string;
}

/** `refused`: the token is rejected. */
export interface ConnectionState {
  readonly stream: 'connecting' | 'open' | 'lost' | 'refused';
  readonly rest: 'unknown' | 'up' | 'down' | 'refused';
  readonly config?: Config;
  readonly lastTurnEndedAt?: string;
}

/** An outgoing message, stored until the server has acknowledged it. */
export interface Outgoing {
  readonly clientId: string;
  readonly chatId: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly whenBusy: 'queue' | 'steer' | 'reject';
  /** Whether the text was transcribed from speech and sent unedited. */
  readonly liveDictation?: boolean;
  /** ISO 8601. */
  readonly at: string;
}
