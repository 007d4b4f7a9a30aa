// A recorded turn: all that its loop was told, in the order in which it was.
import type { LoopConfig, TaskStart } from 'agent-harness/plugins/agent';
import type { FinishReason, ModelMessage, ModelToolCall, ModelUsage, ReturnedFields, ReasoningEffort } from 'agent-harness/plugins/models';
import type { EventFields } from 'agent-harness/transcript';

export const recordVersion = 1;

/** An error, as far as the loop looks at one. */
export interface Fault {
  readonly code?: string;
  readonly message: string;
  readonly details?: unknown;
}

/** What the model streamed without a break: the text, and how long each of its pieces is. */
export interface Pieces {
  readonly on: 'pieces';
  /** Of the stream. */
  readonly key: string;
  readonly channel: 'text' | 'reasoning' | 'args';
  /** Of a call; 0 for the other channels. */
  readonly index: number;
  readonly text: string;
  readonly lengths: readonly number[];
}

/** How a stream ended well; text and calls are those of its pieces where they are left out. */
export interface EndedReply {
  readonly finish: FinishReason;
  readonly usage: ModelUsage;
  readonly model: string;
  readonly text?: string;
  readonly toolCalls?: readonly ModelToolCall[];
  readonly providerData?: ReturnedFields;
}

/** What the gate let through. */
export interface SeenGrant {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly editedBy?: string;
}

/** One thing that reached the loop. `key` says which of its questions it answers: lane, kind, name, and the how manieth of these. */
export type Entry =
  | { readonly on: 'answer'; readonly key: string; readonly value?: unknown; readonly fault?: Fault }
  | Pieces
  | { readonly on: 'call'; readonly key: string; readonly index: number; readonly id: string; readonly name: string }
  | {
      readonly on: 'retry';
      readonly key: string;
      readonly notice: { readonly attempt: number; readonly of: number; readonly reason: string; readonly delayMs: number };
    }
  | { readonly on: 'notice'; readonly key: string; readonly line: string }
  | { readonly on: 'note'; readonly key: string; readonly note: string }
  | { readonly on: 'task'; readonly lane: number; readonly task: TaskStart }
  | { readonly on: 'join'; readonly event: EventFields['message_accepted'] }
  | { readonly on: 'abort'; readonly lane: number; readonly fault: Fault };

/** Messages of a request: those from one place of the conversation up to another, or one that a plugin made. */
export type AskedMessage = readonly [from: number, to: number] | ModelMessage;

/** What one request was, beside the conversation. */
export interface Ask {
  readonly key: string;
  /** Places in {@link TurnRecord.texts}: the system prompt, and the tools as JSON. */
  readonly system: number;
  readonly tools: number;
  readonly messages: readonly AskedMessage[];
  /** Messages of the conversation then, and characters of the request. */
  readonly known: number;
  readonly size: number;
  readonly maxTokens: number;
  readonly purpose: string;
  readonly model?: string;
  readonly effort?: ReasoningEffort;
}

export interface ToolFacts {
  readonly family: string;
  readonly replay?: string;
  readonly isConcurrent?: boolean;
  readonly icon?: string;
  readonly compose?: { readonly path: string; readonly content: string | readonly string[] };
}

/** What `tools.check` answered. `args` left out: those of the text. */
export type Checked =
  | { readonly argsText: string; readonly tool: string; readonly args?: Readonly<Record<string, unknown>>; readonly subject?: string }
  | { readonly argsText: string; readonly error: string; readonly hint?: string };

export interface TurnRecord {
  readonly version: number;
  readonly chatId: string;
  readonly turnId: string;
  readonly workspaceRoot: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The model chosen for the chat; left out where the setting decided. */
  readonly model?: string;
  /** The reasoning effort chosen for the chat; left out where the setting decided. */
  readonly effort?: ReasoningEffort;
  /** Left out of records from before it was kept. */
  readonly config?: LoopConfig;
  readonly texts: readonly string[];
  readonly tools: Readonly<Record<string, ToolFacts | null>>;
  readonly asks: readonly Ask[];
  /** What is answered at once, by question, in order: ids, times, checks. */
  readonly values: Readonly<Record<string, readonly unknown[]>>;
  readonly log: readonly Entry[];
}

/** In the place of a record: the turn was longer than what is kept of one. */
export interface LeftOut {
  readonly version: number;
  readonly turnId: string;
  /** Bytes that it was longer than. */
  readonly tooLarge: number;
}
