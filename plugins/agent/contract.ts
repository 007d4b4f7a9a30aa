// The turn: its hooks, its events, and the service that takes messages.
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

/** What a text of a prompt was made of, so that a person finds it: a file by its path, a note by its id, a setting by its variable or its name. */
export interface PromptSource {
  readonly kind: 'file' | 'note' | 'setting';
  readonly ref: string;
  /** How that came to be what it is, in words for people. */
  readonly why?: string;
  /** Where in the text that stands, in UTF-16 units; all of it where left out. */
  readonly start?: number;
  readonly end?: number;
}

export interface PromptSection {
  readonly id: string;
  readonly text: string;
  readonly from?: readonly PromptSource[];
}

/**
 * A note after the conversation. `about`: the feature it belongs to, in a word, for request statistics. `stays`: later requests keep the note in the same
 * place until the conversation is compacted or the server ends, so that the provider's prompt cache stays valid.
 */
export type PromptTail = ModelMessage & { readonly about?: string; readonly stays?: boolean; readonly from?: readonly PromptSource[] };

/** What one round sends. `system` stays byte-identical between rounds and turns as far as possible; what changes goes to `tail`. */
export interface Prompt {
  readonly system: readonly PromptSection[];
  readonly messages: readonly ModelMessage[];
  /** Notes after the conversation; for this round only, except those that stay. */
  readonly tail: readonly PromptTail[];
}

/** A turn without a model: it says a text, or makes calls in the name of the person, who approves them like a model's. */
export type Interception = { readonly text: string } | { readonly calls: readonly Pick<ModelToolCall, 'name' | 'argsText'>[] };

export interface Answer {
  readonly text: string;
  readonly reason: TurnEndReason;
  /** A message that sends the model back for another round instead of ending; at most once a turn. */
  readonly sendBack?: string;
}

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

/** A message or a call that a person removed from a conversation. */
export interface RemovedEntry {
  readonly chatId: string;
  /** Of the message or the call. */
  readonly entryId: string;
  /** Left out where it stood outside of a turn. */
  readonly turnId?: string;
}

/** Something made of a removed entry that its plugin could not remove. */
export interface RemovalLeftover {
  readonly plugin: string;
  readonly why: string;
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
  /**
   * Removes a message or a call from the conversation: the journal keeps it, and no request has it any more, those of turns and tasks that run included.
   * What plugins made of it goes by the hook `entry.removed`. Resolves when all of that is done; repeated for a removed entry, it is tried again.
   */
  remove(chatId: string, entryId: string): Promise<readonly RemovalLeftover[]>;
  /** Undoes {@link Turns.remove}; what plugins dropped is not made again. Resolves when it is on the disk. */
  restore(chatId: string, entryId: string): Promise<void>;
  /**
   * Aborted as soon as an entry of that turn is removed, at once where one is. For work that keeps something of a turn after it, or puts it before a
   * model. It stays aborted when the entry is restored.
   */
  removalSignal(chatId: string, turnId: string): Promise<AbortSignal>;
  readonly lastTurnEndedAt: string | undefined;
  /** Runs a task inside the turn that runs in the chat. Rejects with `no_turn`, and with the signal's reason. */
  runTask(chatId: string, turnId: string, task: TaskStart, signal: AbortSignal): Promise<TaskEnd>;
  /** Says what a turn waits for, for whoever makes it wait; the answer puts it back. */
  waiting(chatId: string, waitingFor: WaitingFor): () => void;
  /**
   * Runs the loop of a turn apart from its chat: nothing is journaled and nothing runs but what the ports do. Rejects where the events
   * before it do not have its message (`invalid_request`).
   */
  stage(staged: StageTurn): Promise<StagedTurn>;
  /** Resolves when that turn has ended; at once for one that is over. */
  ended(turnId: string): Promise<TurnEnd | undefined>;
}

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
    /**
     * Before a turn begins: add an observer, which is called with everything that the loop of the turn and of its tasks is told. The turn does not wait
     * for it, and one that throws gets nothing more. Contract: taps and observers are synchronous, and change nothing.
     */
    'turn.observe': Waterfall<readonly TurnObserver[], [Turn, LoopConfig]>;
    /** Also for tasks (`isRoot` is false). */
    'turn.before': Series<[Turn]>;
    /** Not for tasks, which end inside their turn: `subtask_end` tells of them. */
    'turn.after': Series<[Turn, TurnEnd]>;
    'round.before': Series<[Turn]>;
    'round.after': Series<[Turn]>;
    'prompt.build': Waterfall<Prompt, [Turn]>;
    /**
     * A person removed a message or a call from the conversation, which is without it: drop what you made of it. Throw where you cannot, also after 60 s:
     * the person is told so, and may try again, so the same entry may come twice.
     */
    'entry.removed': Series<[RemovedEntry]>;
    /** The conversation has a removed message or call again. */
    'entry.restored': Series<[{ readonly chatId: string; readonly entryId: string }]>;
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
