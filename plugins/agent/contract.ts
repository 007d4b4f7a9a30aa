// Defines the contract of turns: the service that accepts messages, the hooks, and the events.
import type { Attachment, Attachments, AttachedFile, AttachmentText } from './attachment-types.ts';
import type { Bail, Series, Waterfall } from 'agent-harness/kernel';
import type { Principal } from 'agent-harness/plugins/http';
import type { ContextOverflow, ModelMessage, ModelRequest, ModelToolCall } from 'agent-harness/plugins/models';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import type { Origin } from 'agent-harness/transcript';
import type { LoopConfig, StagedTurn, StageTurn, TurnObserver } from './port-types.ts';
import type { Denial, Gate, TaskEnd, TaskStart, ToolCall, Turn, TurnEnd, TurnEndReason, TurnEvents, WaitingFor } from './turn-types.ts';

export type { Denial, Gate, TaskEnd, TaskStart, ToolCall, Turn, TurnEnd, TurnEndReason, TurnEvents, WaitingFor } from './turn-types.ts';
export type { HookAnswer, LoopConfig, StagedPorts, StagedTurn, StageTurn, TurnClock, TurnObservation, TurnObserver, TurnPorts } from './port-types.ts';
export type { AttachedFile, Attachment, Attachments, AttachmentText, KeptImage, SavedAttachment } from './attachment-types.ts';

/** The source of a text in a prompt, for display: a file by its path, a note by its id, a setting by its variable or name. */
export interface PromptSource {
  readonly kind: 'file' | 'note' | 'setting';
  readonly ref: string;
  /** Reason why the prompt contains this text, for users. */
  readonly why?: string;
  /** Offset in the text, in UTF-16 code units; default: the whole text. */
  readonly start?: number;
  readonly end?: number;
}

export interface PromptSection {
  readonly id: string;
  readonly text: string;
  readonly from?: readonly PromptSource[];
}

/**
 * A note after the conversation. `about`: the feature that it belongs to, in one word, for request statistics. `stays`: later requests keep the note in the
 * same place until the conversation is compacted or the server ends, which keeps the provider's prompt cache valid.
 */
export type PromptTail = ModelMessage & { readonly about?: string; readonly stays?: boolean; readonly from?: readonly PromptSource[] };

/** The prompt of one round. `system` should stay byte-identical between rounds and turns; content that changes goes to `tail`. */
export interface Prompt {
  readonly system: readonly PromptSection[];
  readonly messages: readonly ModelMessage[];
  /** Notes after the conversation; for this round only, unless `stays` is set. */
  readonly tail: readonly PromptTail[];
}

/** The result of a turn without a model: a text, or calls on behalf of the user, who approves them as if a model had made them. */
export type Interception = { readonly text: string } | { readonly calls: readonly Pick<ModelToolCall, 'name' | 'argsText'>[] };

export interface Answer {
  readonly text: string;
  readonly reason: TurnEndReason;
  /** A message to the model, which then runs another round instead of ending the turn; at most once per turn. */
  readonly sendBack?: string;
}

export interface SubmitMessage {
  readonly chatId?: string;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  /** Idempotency key: a repeated key returns the first reply and starts nothing. */
  readonly clientId?: string;
  readonly whenBusy?: 'reject' | 'queue' | 'steer';
  /** Whether the text was transcribed from speech and sent unedited; shown with the message. */
  readonly liveDictation?: boolean;
  /** The sender; omitted for a message that no request sent. */
  readonly principal?: Principal;
  /**
   * Set if a plugin requests the work: clients show its name, and the model is informed that a plugin sent the message. Never treated as the user's words, a
   * slash command or a chat title. The turn requires the usual approvals.
   */
  readonly origin?: Origin;
  /** Whether the message contains text from other people; the conversation then counts as having read external content. Default for a guest: true. */
  readonly isUntrusted?: boolean;
}

/** A message from a plugin to a chat, outside a turn: neither the user's words nor an answer. */
export interface Announcement {
  /** The receiving chat; default: the active chat. */
  readonly chatId?: string;
  /** Plain text. */
  readonly text: string;
  readonly origin: Origin;
  /** `user` (default): shown as a message. `trace`: shown as a status line. */
  readonly channel?: 'user' | 'trace';
  /** Whether the model reads the message, at this position of the conversation and from the next turn on. Otherwise, only users see it. */
  readonly isForModel?: boolean;
  /** Whether the message contains text from other people: the model then receives it as data, and the conversation counts as having read external content. */
  readonly isUntrusted?: boolean;
  /** Idempotency key per chat: a repeated key adds no second message, even after a restart. */
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
  /** Start of the wait or of the idle time, ISO 8601. */
  readonly since: string;
}

/** A message or a call that the user removed from a conversation. */
export interface RemovedEntry {
  readonly chatId: string;
  /** Id of the message or the call. */
  readonly entryId: string;
  /** The turn of the entry; omitted for an entry outside a turn. */
  readonly turnId?: string;
}

/** Data derived from a removed entry that its plugin failed to remove. */
export interface RemovalLeftover {
  readonly plugin: string;
  readonly why: string;
}

export interface Turns {
  /** Accepts a message. Resolves when the message is on disk. Rejects with `turn_in_progress`, `invalid_request` and `too_large`. */
  submit(message: SubmitMessage): Promise<SubmitReply>;
  /**
   * Adds a message outside a turn. Resolves when it is on disk; a running turn continues and does not read it. Rejects with `invalid_request`, `too_large` and
   * `not_found`.
   */
  announce(announcement: Announcement): Promise<{ readonly chatId: string; readonly messageId: string }>;
  /** Aborts the running turn. Resolves when the model stream is closed and child processes have exited. Rejects with `no_turn`. */
  abort(chatId?: string): Promise<{ turnId: string; stopped: string[]; unqueued: string[] }>;
  /** Removes one message from the queue behind the running turn; it ends as `aborted`, without reaching the model. Rejects with `not_queued`. */
  takeBack(turnId: string, chatId?: string): Promise<void>;
  status(chatId: string): ChatStatus;
  /** Returns the status of each chat that is busy, or was busy since the server started. */
  statuses(): ChatStatus[];
  isBusy(chatId?: string): boolean;
  /** Returns the messages for the model so far, oldest first; read-only. Folds the journal on first use. */
  conversation(chatId: string): Promise<readonly ModelMessage[]>;
  /** Runs work on a conversation while no turn is running in it; messages that arrive in the meantime wait. Rejects with `turn_in_progress`. */
  between<T>(chatId: string, work: (conversation: readonly ModelMessage[]) => Promise<T>): Promise<T>;
  /**
   * Removes a message or a call from the conversation: it stays in the journal, but no request contains it any more, including those of running turns and
   * tasks. Plugins remove derived data in the hook `entry.removed`. Resolves when all plugins are done; calling it again for a removed entry retries removals
   * that failed.
   */
  remove(chatId: string, entryId: string): Promise<readonly RemovalLeftover[]>;
  /** Undoes {@link Turns.remove}, but does not restore data that plugins dropped. Resolves when the change is on disk. */
  restore(chatId: string, entryId: string): Promise<void>;
  /**
   * Returns a signal that is aborted as soon as an entry of that turn is removed, or immediately if one has already been removed. For work that later stores
   * data derived from the turn or passes it to a model. The signal stays aborted when the entry is restored.
   */
  removalSignal(chatId: string, turnId: string): Promise<AbortSignal>;
  readonly lastTurnEndedAt: string | undefined;
  /** Runs a task inside the running turn of the chat. Rejects with `no_turn` and with the signal's reason. */
  runTask(chatId: string, turnId: string, task: TaskStart, signal: AbortSignal): Promise<TaskEnd>;
  /** Sets what a turn is waiting for; the returned function resets it. */
  waiting(chatId: string, waitingFor: WaitingFor): () => void;
  /**
   * Runs the loop of a turn isolated from its chat: nothing is written to the journal, and only the ports have effects. Rejects with `invalid_request` if the
   * events before the turn lack its message.
   */
  stage(staged: StageTurn): Promise<StagedTurn>;
  /** Resolves when the turn has ended, immediately if it has already ended. Returns `undefined` for an unknown turn. */
  ended(turnId: string): Promise<TurnEnd | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    turns: Turns;
    /** Required by this plugin; provided by the plugin that decides which calls run. */
    gate: Gate;
    attachments: Attachments;
  }
  interface Hooks {
    /** Returns the text of a file attached to a message, or `undefined` if the tap cannot read the file. */
    'attachment.read': Bail<[AttachedFile], AttachmentText>;
    /** Runs before a message is accepted, to apply pending settings, because settings do not change while a turn is running. Limited to 10 s. */
    'message.before': Series<[{ readonly chatId: string }]>;
    /** Returns an error that rejects a message: the message is neither stored nor processed, and the sender receives the error. */
    'message.guard': Bail<[SubmitMessage & { readonly chatId: string }], Error>;
    /** Returns the result of a turn without a model, as for slash commands. Not called for a turn with an `origin`. */
    'turn.intercept': Bail<[Turn], Interception>;
    /**
     * Runs before a turn begins, to add an observer that receives every input to the loop of the turn and of its tasks. The turn does not wait for an observer;
     * one that throws receives nothing more. Contract: taps and observers are synchronous and change nothing.
     */
    'turn.observe': Waterfall<readonly TurnObserver[], [Turn, LoopConfig]>;
    /** Also called for tasks (`isRoot` is false). */
    'turn.before': Series<[Turn]>;
    /** Not called for tasks, which end inside their turn; see `subtask_end`. */
    'turn.after': Series<[Turn, TurnEnd]>;
    'round.before': Series<[Turn]>;
    'round.after': Series<[Turn]>;
    'prompt.build': Waterfall<Prompt, [Turn]>;
    /**
     * The user removed a message or a call from the conversation: drop the data derived from it. Throw on failure (a tap also fails after 60 s): the user is
     * informed and may retry, so the hook may run twice for an entry.
     */
    'entry.removed': Series<[RemovedEntry]>;
    /** The user restored a removed message or call. */
    'entry.restored': Series<[{ readonly chatId: string; readonly entryId: string }]>;
    'model.request': Waterfall<ModelRequest, [Turn]>;
    /** The provider rejected the request as too long; returns `true` if the next request of this round will be shorter. */
    'context.overflow': Bail<[Turn, ContextOverflow], true>;
    /** Changes the arguments of a call and nothing else. They are validated before the hook and again after it. */
    'tool.prepare': Waterfall<ToolCall>;
    /** Refuses a call before the gate decides. A tap that throws or returns anything but a denial also refuses the call. */
    'tool.before': Bail<[ToolCall], Denial>;
    'tool.after': Waterfall<ToolOutcome, [ToolCall]>;
    'turn.finalize': Waterfall<Answer, [Turn]>;
    /** A conversation is reset: drop the data derived from it. */
    'session.reset': Series<[{ readonly chatId: string; readonly mode: 'soft' | 'hard' }]>;
  }
  interface Events extends TurnEvents {}
}
