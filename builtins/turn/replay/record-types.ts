// Types of a recorded turn: all inputs of its loop, in order.
import type { LoopConfig, TaskStart } from 'agent-harness/plugins/agent';
import type { FinishReason, ModelMessage, ModelToolCall, ModelUsage, ReturnedFields, ReasoningEffort } from 'agent-harness/plugins/models';
import type { EventFields } from 'agent-harness/transcript';

export const recordVersion = 1;

/** An error, reduced to the parts used by the loop. */
export interface Fault {
  readonly code?: string;
  readonly message: string;
  readonly details?: unknown;
}

/** Consecutive output of the model: the text, and the lengths of its pieces. */
export interface Pieces {
  readonly on: 'pieces';
  /** Key of the stream. */
  readonly key: string;
  readonly channel: 'text' | 'reasoning' | 'args';
  /** Chunk index within a tool call; 0 for other channels. */
  readonly index: number;
  readonly text: string;
  readonly lengths: readonly number[];
}

/** The end of a successful stream; text and calls come from its pieces when left out. */
export interface EndedReply {
  readonly finish: FinishReason;
  readonly usage: ModelUsage;
  readonly model: string;
  readonly text?: string;
  readonly toolCalls?: readonly ModelToolCall[];
  readonly providerData?: ReturnedFields;
}

/** A call approved by the gate. */
export interface SeenGrant {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly editedBy?: string;
}

/** One input of the loop. `key` names the request that it answers: lane, kind, name, and its count. */
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

/** Messages of a request: a range of the conversation, or one added by a plugin. */
export type AskedMessage = readonly [from: number, to: number] | ModelMessage;

/** A request besides the conversation. */
export interface Ask {
  readonly key: string;
  /** Indices in {@link TurnRecord.texts}: the system prompt, and the tools as JSON. */
  readonly system: number;
  readonly tools: number;
  readonly messages: readonly AskedMessage[];
  /** Number of the conversation's messages then, and characters of the request. */
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

/** The result of `tools.check`. `args` left out: those of the text. */
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
  /** The model chosen for the chat; left out if the setting applied. */
  readonly model?: string;
  /** The reasoning effort chosen for the chat; left out if the setting applied. */
  readonly effort?: ReasoningEffort;
  /** Missing in older records. */
  readonly config?: LoopConfig;
  readonly texts: readonly string[];
  readonly tools: Readonly<Record<string, ToolFacts | null>>;
  readonly asks: readonly Ask[];
  /** Synchronous results, by request, in order: ids, times, checks. */
  readonly values: Readonly<Record<string, readonly unknown[]>>;
  readonly log: readonly Entry[];
}

/** Replaces a record: the turn exceeded the size limit. */
export interface LeftOut {
  readonly version: number;
  readonly turnId: string;
  /** The exceeded limit in bytes. */
  readonly tooLarge: number;
}
