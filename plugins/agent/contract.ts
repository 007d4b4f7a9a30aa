// The turn: its hooks, its events, and the service that takes messages.
import type { Attachment, Attachments, AttachedFile, AttachmentText } from './attachment-types.ts';
import type { Bail, Series, Waterfall } from 'agent-harness/kernel';
import type { Principal } from 'agent-harness/plugins/http';
import type { ContextOverflow, ModelMessage, ModelRequest, ModelToolCall, ModelUsage } from 'agent-harness/plugins/models';
import type { Grant, RegisteredTool, ToolOutcome } from 'agent-harness/plugins/tools';
import type { EventFields, Origin } from 'agent-harness/transcript';

export type { AttachedFile, Attachment, Attachments, AttachmentText, KeptImage, SavedAttachment } from './attachment-types.ts';

export type WaitingFor = 'model' | 'tool' | 'approval' | 'answer' | 'retry';
export type TurnEndReason = TurnEnd['reason'];

/** One turn while it runs. Hooks may read all of it and change only what says so. */
export interface Turn {
  readonly turnId: string;
  readonly chatId: string;
  readonly messageId: string;
  /** What the user wrote; where there is an `origin`, what a plugin asks for. */
  readonly text: string;
  readonly workspaceRoot: string;
  /** Of the task, or chosen for the chat; the configured one answers when left out. */
  readonly model?: string;
  /** Who sent its message; left out for what no request brought. */
  readonly principal?: Principal;
  /** The plugin that wanted it, and why; left out where a person did. Its text is not the user's. */
  readonly origin?: Origin;
  /** `true` for the user's own turn, `false` for a sub-agent's. */
  readonly isRoot: boolean;
  /** Of a sub-agent's turn, which shares the ids of the turn around it. */
  readonly task?: { readonly taskId: string; readonly model: string };
  readonly signal: AbortSignal;
  /** 1 in the first round. */
  readonly round: number;
  /** Tool calls so far. */
  readonly toolCount: number;
  /** Whether text from outside (web, MCP, foreign files) entered the conversation in this turn. */
  readonly isTainted: boolean;
  /**
   * Resolves when the message is on the disk; rejects where it cannot get there. A turn is prepared beside that, and the model is
   * asked after it. Who acts on a message before the first request, other than by reading, waits for it, too.
   */
  kept(): Promise<void>;
  /** What taps keep for the length of the turn, by plugin name. */
  readonly notes: Map<string, unknown>;
  /** Says what the turn waits for from now on; what it answers takes that back. */
  waiting(waitingFor: WaitingFor): () => void;
}

/** Work that a running turn hands to a turn of its own. */
export interface TaskStart {
  /** What the task is told; it knows nothing else of the conversation. */
  readonly goal: string;
  /** The call that started it. */
  readonly callId: string;
  /** Names of the only tools it has; all that the turn has when left out. */
  readonly tools?: readonly string[];
  /** Names of tools it has not: those that start tasks. */
  readonly without: readonly string[];
  /** The model of the turn when left out. */
  readonly model?: string;
}

export interface TaskEnd {
  readonly taskId: string;
  readonly reason: TurnEndReason;
  /** The last thing it said. */
  readonly text: string;
  readonly rounds: number;
  readonly tools: number;
  readonly usage: ModelUsage;
  /** It read text from outside. */
  readonly isTainted: boolean;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface PromptSection {
  readonly id: string;
  readonly text: string;
}

/** What stands after the conversation. `about`: what of a feature it is, in a word, for whoever counts what a request is made of. */
export type PromptTail = ModelMessage & { readonly about?: string };

/** What one round sends. `system` stays byte-identical between rounds and turns as far as possible; what changes goes to `tail`. */
export interface Prompt {
  readonly system: readonly PromptSection[];
  readonly messages: readonly ModelMessage[];
  /** After the conversation, for this round only. */
  readonly tail: readonly PromptTail[];
}

export interface ToolCall {
  readonly callId: string;
  readonly tool: RegisteredTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly turn: Turn;
  /** In `tool.after`: it was let through and its tool ran. Else the outcome says why not, in the product's or a person's words. */
  readonly hasRun?: true;
}

/** A call is not let through: why, and what to do instead, for the model. */
export interface Denial {
  readonly deny: string;
  readonly hint?: string;
}

/**
 * The one way from a wish to a run. Whoever provides it contributes to the point `tool_gate`, too, and owns the hooks
 * `tool.prepare` and `tool.before`.
 */
export interface Gate {
  /**
   * Lets features change the call (`tool.prepare`), checks its arguments, lets features refuse it (`tool.before`), then
   * decides; arguments that a person edits are checked, may be refused by features and forbidden by rules once more. May
   * wait for a person as long as the turn is not aborted. Contract: never rejects.
   */
  authorize(call: ToolCall): Promise<Grant | Denial>;
}

/** A turn without a model: it says a text, or makes calls in the name of the person, who approves them like a model's. */
export type Interception = { readonly text: string } | { readonly calls: readonly Pick<ModelToolCall, 'name' | 'argsText'>[] };

export interface Answer {
  readonly text: string;
  readonly reason: TurnEndReason;
  /** A message that sends the model back for another round instead of ending; at most once a turn. */
  readonly sendBack?: string;
}

/** How a turn ended. `isUnqueued`: it never began, its message waited behind a turn that somebody stopped, and the model has not heard it. */
export type TurnEnd = EventFields['turn_end'];

export interface SubmitMessage {
  readonly chatId?: string;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  /** Idempotency key: the same one answers the first reply and starts nothing. */
  readonly clientId?: string;
  readonly whenBusy?: 'reject' | 'queue' | 'steer';
  /** It was spoken and is sent as it was heard; shown with the message. */
  readonly liveDictation?: boolean;
  /** Who sends it; left out for what no request brought. */
  readonly principal?: Principal;
  /**
   * A plugin wants work done: shown by its name and told to the model as such, never taken for the user's words, no slash command, no
   * title of the chat. The turn asks for approvals like any other.
   */
  readonly origin?: Origin;
  /** Other people's text is in it, so the conversation counts as having read text from outside; so it is with a guest's when left out. */
  readonly isUntrusted?: boolean;
}

/** What a plugin says into a chat by itself, outside of a turn: neither the user's words nor an answer. */
export interface Announcement {
  /** The active chat when left out. */
  readonly chatId?: string;
  /** Plain text. */
  readonly text: string;
  readonly origin: Origin;
  /** `user` (default): as something that is said. `trace`: as a line about what goes on. */
  readonly channel?: 'user' | 'trace';
  /** The model reads it, too: from the next turn on, in this place of the conversation. Without it people alone do. */
  readonly isForModel?: boolean;
  /** Other people's text is in it: the model gets it as data, and the conversation counts as having read text from outside. */
  readonly isUntrusted?: boolean;
  /** Idempotency key in its chat: what was announced by it once is not announced again, also after a restart. */
  readonly clientId?: string;
}

export interface SubmitReply {
  readonly turnId: string;
  readonly messageId: string;
  readonly chatId: string;
  readonly queued: boolean;
}

export interface ChatStatus {
  readonly chatId: string;
  readonly busy: boolean;
  readonly turnId?: string;
  readonly waitingFor?: WaitingFor;
  /** ISO 8601; since when it waits for that, or since when it is idle. */
  readonly since: string;
}

export interface Turns {
  /** Resolves when the message is on disk. Rejects with `turn_in_progress`, `invalid_request`, `too_large`. */
  submit(message: SubmitMessage): Promise<SubmitReply>;
  /**
   * Says something outside of a turn. Resolves when it is on disk; a turn that runs goes on undisturbed and does not hear it. Rejects
   * with `invalid_request`, `too_large`, `not_found`.
   */
  announce(announcement: Announcement): Promise<{ readonly chatId: string; readonly messageId: string }>;
  /** Resolves when the model stream is closed and children are dead. Rejects with `no_turn`. */
  abort(chatId?: string): Promise<{ turnId: string; stopped: string[]; unqueued: string[] }>;
  /** Takes back one message that waits behind the running turn; it ends as `aborted`, unheard. Rejects with `not_queued`. */
  takeBack(turnId: string, chatId?: string): Promise<void>;
  status(chatId: string): ChatStatus;
  /** Chats that are busy or were since the start. */
  statuses(): ChatStatus[];
  isBusy(chatId?: string): boolean;
  /** What the model is told of the conversation so far, the oldest message first; to read. Folds the journal at first use. */
  conversation(chatId: string): Promise<readonly ModelMessage[]>;
  /** Works on a conversation while no turn runs in it; a message that comes meanwhile waits for that. Rejects with `turn_in_progress`. */
  between<T>(chatId: string, work: (conversation: readonly ModelMessage[]) => Promise<T>): Promise<T>;
  readonly lastTurnEndedAt: string | undefined;
  /** Runs a task inside the turn that runs in the chat. Rejects with `no_turn`, and with the signal's reason. */
  runTask(chatId: string, turnId: string, task: TaskStart, signal: AbortSignal): Promise<TaskEnd>;
  /** Says what a turn waits for, for whoever makes it wait; the answer puts it back. */
  waiting(chatId: string, waitingFor: WaitingFor): () => void;
  /** Resolves when that turn has ended; at once for one that is over. */
  ended(turnId: string): Promise<TurnEnd | undefined>;
}

/** What a turn says; `agent-harness/transcript` has what each means. */
export type TurnEvents = Pick<
  EventFields,
  | 'message_accepted'
  | 'announcement'
  | 'steer_heard'
  | 'turn_start'
  | 'text'
  | 'tool_start'
  | 'tool_running'
  | 'tool_delta'
  | 'tool_progress'
  | 'tool_result'
  | 'compose_preview'
  | 'turn_end'
  | 'subtask_start'
  | 'subtask_text'
  | 'subtask_tool'
  | 'subtask_end'
  | 'conversation_reset'
>;

declare module 'agent-harness/kernel' {
  interface Services {
    turns: Turns;
    /** Required here, provided by whoever decides which calls run. */
    gate: Gate;
    attachments: Attachments;
  }
  interface Hooks {
    /** Answers the text of a file that came with a message; whoever cannot read it answers nothing. */
    'attachment.read': Bail<[AttachedFile], AttachmentText>;
    /**
     * Before a message is taken: what has to hold for its turn comes into force now, as no setting changes while a turn runs. Waited for no longer
     * than 10 s.
     */
    'message.before': Series<[{ readonly chatId: string }]>;
    /** Answers an error to refuse a message, which is then neither kept nor heard: whoever sent it gets that. */
    'message.guard': Bail<[SubmitMessage & { readonly chatId: string }], Error>;
    /** Answers what the turn does without a model: slash commands. Not asked where the turn has an `origin`. */
    'turn.intercept': Bail<[Turn], Interception>;
    /** Also for tasks (`isRoot` is false). */
    'turn.before': Series<[Turn]>;
    /** Not for tasks, which end inside their turn: `subtask_end` tells of them. */
    'turn.after': Series<[Turn, TurnEnd]>;
    'round.before': Series<[Turn]>;
    'round.after': Series<[Turn]>;
    'prompt.build': Waterfall<Prompt, [Turn]>;
    'model.request': Waterfall<ModelRequest, [Turn]>;
    /** The provider refused the request as too long: answers `true` where the next one of this round will be shorter. */
    'context.overflow': Bail<[Turn, ContextOverflow], true>;
    /** May change the arguments and nothing else; they have been checked, and are checked again. */
    'tool.prepare': Waterfall<ToolCall>;
    /** May refuse a call before it is decided about. One that breaks, or answers anything but a denial, refuses it. */
    'tool.before': Bail<[ToolCall], Denial>;
    'tool.after': Waterfall<ToolOutcome, [ToolCall]>;
    'turn.finalize': Waterfall<Answer, [Turn]>;
    /** A conversation is forgotten: drop what belongs to it. */
    'session.reset': Series<[{ readonly chatId: string; readonly mode: 'soft' | 'hard' }]>;
  }
  interface Events extends TurnEvents {}
}
