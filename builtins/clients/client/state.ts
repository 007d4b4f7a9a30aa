// What a client knows: of one chat, of all chats, and of its connection. Plain data, replaced and never changed.
import type { Attachment, ChatMeta, Config, Preview, TurnUsage } from './api.ts';

/** A file that came with a message, as the transcript names it. */
export interface AttachedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes?: number;
  readonly attachmentId?: string;
}

interface EntryBase {
  /** Stable: React keys, anchors of search hits. */
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly turnId?: string;
}

export interface UserEntry extends EntryBase {
  readonly kind: 'user';
  readonly text: string;
  readonly attachments: readonly AttachedFile[];
  /** `sending`: in the outbox; `queued`: waits behind a running turn; `failed`: `problem` says why, it can be sent again or dropped. */
  readonly state: 'sending' | 'queued' | 'accepted' | 'failed';
  readonly isSteer?: boolean;
  readonly clientId?: string;
  readonly problem?: string;
}

export interface AssistantEntry extends EntryBase {
  readonly kind: 'assistant';
  readonly text: string;
  readonly reasoning: string;
  /** Until the reply is whole. */
  readonly isStreaming: boolean;
}

/** `writing`: the model still writes the call; `queued`: others of its reply come first; `waiting`: a person is asked; `interrupted`: it has no result. */
export type ToolState = 'writing' | 'queued' | 'waiting' | 'running' | 'ok' | 'failed' | 'interrupted';

export interface Approval {
  readonly approvalId: string;
  readonly chatId: string;
  readonly turnId: string;
  readonly callId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly effects: readonly string[];
  /** Why it is asked. */
  readonly reason: string;
  readonly preview?: Preview;
  /** What remembering the decision would keep, as a sentence; left out where nothing is kept. */
  readonly remembers?: string;
  /** ISO 8601: when it was asked, and when it is rejected by itself; left out where it waits without a limit. */
  readonly since?: string;
  readonly expiresAt?: string;
}

export interface Question {
  readonly askId: string;
  readonly chatId: string;
  readonly turnId: string;
  readonly callId: string;
  readonly prompt: string;
  readonly options?: readonly string[];
  readonly since: string;
}

export interface Decision {
  readonly decision: 'approve' | 'reject' | 'edit';
  readonly by: string;
  readonly reason?: string;
}

/** A turn inside the turn, as the card of its call tells of it. */
export interface Task {
  readonly taskId: string;
  readonly goal: string;
  readonly model?: string;
  /** Its newest words. */
  readonly text: string;
  readonly messageId?: string;
  readonly calls: readonly TaskCall[];
  /** How it ended; left out while it runs. */
  readonly reason?: string;
  readonly rounds?: number;
  readonly durationMs?: number;
}

export interface TaskCall {
  readonly callId: string;
  readonly name: string;
  readonly args?: unknown;
  /** Left out while it runs. */
  readonly isOk?: boolean;
}

export interface ToolEntry extends EntryBase {
  readonly kind: 'tool';
  readonly callId: string;
  readonly messageId?: string;
  readonly name: string;
  readonly state: ToolState;
  /** ISO 8601: since when it runs, as far as known. */
  readonly startedAt?: string;
  /** JSON text of the arguments as far as written; `args` once they are complete. */
  readonly argsText: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** The newest lines, at most 200. */
  readonly progress: readonly string[];
  /** The file that the call writes, as it is being written. */
  readonly compose?: { readonly path: string; readonly text: string; readonly lines: number; readonly isDone: boolean };
  readonly output?: string;
  readonly durationMs?: number;
  readonly artifactId?: string;
  readonly isTruncated?: boolean;
  readonly isUntrusted?: boolean;
  readonly images?: readonly AttachedFile[];
  readonly approval?: Approval;
  readonly decision?: Decision;
  readonly question?: Question;
  readonly answer?: string;
  readonly task?: Task;
}

/** Something that was neither said nor done: how a turn ended, an error, a reset, a line of the page itself. */
export interface NoteEntry extends EntryBase {
  readonly kind: 'note' | 'error';
  readonly text: string;
  readonly code?: string;
}

export type Entry = UserEntry | AssistantEntry | ToolEntry | NoteEntry;

export type WaitingFor = 'model' | 'tool' | 'approval' | 'answer' | 'retry' | 'compression' | 'memory';

export interface RunningTurn {
  readonly turnId: string;
  readonly model?: string;
  readonly startedAt: string;
  readonly waitingFor: WaitingFor;
  /** Since when it waits for that. */
  readonly since: string;
  /** While `waitingFor` is `retry`: what the model provider did, which attempt follows, and when (ISO 8601). */
  readonly retry?: { readonly attempt: number; readonly of: number; readonly reason: string; readonly until: string };
}

export interface ChatState {
  readonly chatId: string;
  /** False until the transcript was read. */
  readonly isLoaded: boolean;
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** For the page before `entries`; left out at the beginning of the chat. */
  readonly before?: string;
  readonly running?: RunningTurn;
  /** Open ones, oldest first. */
  readonly approvals: readonly Approval[];
  readonly questions: readonly Question[];
  readonly usage: TurnUsage;
  /** Milliseconds of this process: when the agent last showed a sign of work (`harness_running` is none). */
  readonly lastSignAt: number;
}

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
  /** ISO 8601. */
  readonly at: string;
}
