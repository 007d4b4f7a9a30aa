// Declares the types of a running turn: its state, its events, and the gate for tool calls. Part of the contract.
import type { Principal } from 'agent-harness/plugins/http';
import type { ModelUsage, ReasoningEffort } from 'agent-harness/plugins/models';
import type { Grant, RegisteredTool } from 'agent-harness/plugins/tools';
import type { EventFields, Origin } from 'agent-harness/transcript';

export type WaitingFor = 'model' | 'tool' | 'approval' | 'answer' | 'retry';
export type TurnEndReason = TurnEnd['reason'];

/** A running turn. Hooks may read everything, and change only the parts that are documented as mutable. */
export interface Turn {
  readonly turnId: string;
  readonly chatId: string;
  readonly messageId: string;
  /** The user's text; with an `origin`, the plugin's request. */
  readonly text: string;
  readonly workspaceRoot: string;
  /** Model of the task or the chat; default: the configured model. */
  readonly model?: string;
  /** Reasoning effort of the task or the chat; default: the setting. */
  readonly effort?: ReasoningEffort;
  /** Sender of the turn's message; omitted for messages that no request sent. */
  readonly principal?: Principal;
  /** The requesting plugin and its reason; omitted for a user's turn. The text of such a turn is not the user's. */
  readonly origin?: Origin;
  /** `true` for the user's own turn, `false` for a sub-agent's. */
  readonly isRoot: boolean;
  /** Set for a sub-agent's turn, which shares the ids of the parent turn. */
  readonly task?: { readonly taskId: string; readonly model: string; readonly effort?: ReasoningEffort };
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Number of the round, from 1. */
  readonly round: number;
  /** Number of tool calls so far. */
  readonly toolCount: number;
  /** Whether external content (web, MCP, third-party files) entered the conversation in this turn. */
  readonly isTainted: boolean;
  /**
   * Resolves when the message is on disk; rejects if it cannot be written. The turn is prepared in parallel, but sends its first request to the model only
   * afterwards. Code that has effects before the first request must also wait for this promise.
   */
  kept(): Promise<void>;
  /** State that taps store until the turn ends, by plugin name. */
  readonly notes: Map<string, unknown>;
  /** Sets what the turn is waiting for; the returned function resets it. */
  waiting(waitingFor: WaitingFor): () => void;
}

/** Work that a running turn delegates to a nested turn. */
export interface TaskStart {
  /** The only input of the task, which reads nothing else of the conversation. */
  readonly goal: string;
  /** Id of the call that started the task. */
  readonly callId: string;
  /** Names of the available tools; default: all tools of the turn. */
  readonly tools?: readonly string[];
  /** Names of excluded tools: those that start tasks. */
  readonly without: readonly string[];
  /** Model of the task; default: the model of the turn. */
  readonly model?: string;
}

export interface TaskEnd {
  readonly taskId: string;
  readonly reason: TurnEndReason;
  /** The last text of the task. */
  readonly text: string;
  readonly rounds: number;
  readonly tools: number;
  readonly usage: ModelUsage;
  /** Whether the task read external content. */
  readonly isTainted: boolean;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface ToolCall {
  readonly callId: string;
  readonly tool: RegisteredTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly turn: Turn;
  /** In `tool.after`: the call was approved and its tool ran. Otherwise, the outcome contains the reason, in the words of the product or of a person. */
  readonly hasRun?: true;
}

/** A denied call: the reason, and what the model should do instead. */
export interface Denial {
  readonly deny: string;
  readonly hint?: string;
}

/**
 * The only path from a requested call to its execution. The plugin that provides the gate also contributes to the point `tool_gate`, and owns the hooks
 * `tool.prepare` and `tool.before`.
 */
export interface Gate {
  /**
   * Lets features change the call (`tool.prepare`), validates its arguments, lets features refuse it (`tool.before`), and then decides. Arguments that the user
   * edited are checked again by schema, features and rules. May wait for the user until the turn is aborted. Contract: never rejects.
   */
  authorize(call: ToolCall): Promise<Grant | Denial>;
}

/** The end of a turn. `isUnqueued`: the turn never started, because its message was waiting behind an aborted turn, and the model did not receive it. */
export type TurnEnd = EventFields['turn_end'];

/** The events of a turn; see `agent-harness/transcript`. */
export type TurnEvents = Pick<
  EventFields,
  | 'message_accepted'
  | 'announcement'
  | 'steer_heard'
  | 'turn_start'
  | 'text'
  | 'provider_data'
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
  | 'entry_removed'
  | 'entry_restored'
>;
