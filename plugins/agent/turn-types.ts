// What a turn is while it runs, what it says, and its one way to a tool. Part of the contract.
import type { Principal } from 'agent-harness/plugins/http';
import type { ModelUsage, ReasoningEffort } from 'agent-harness/plugins/models';
import type { Grant, RegisteredTool } from 'agent-harness/plugins/tools';
import type { EventFields, Origin } from 'agent-harness/transcript';

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
  /** How much the model reasons: of the task, or chosen for the chat; the setting applies when left out. */
  readonly effort?: ReasoningEffort;
  /** Who sent its message; left out for what no request brought. */
  readonly principal?: Principal;
  /** The plugin that wanted it, and why; left out where a person did. Its text is not the user's. */
  readonly origin?: Origin;
  /** `true` for the user's own turn, `false` for a sub-agent's. */
  readonly isRoot: boolean;
  /** Of a sub-agent's turn, which shares the ids of the turn around it. */
  readonly task?: { readonly taskId: string; readonly model: string; readonly effort?: ReasoningEffort };
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
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

/** How a turn ended. `isUnqueued`: it never began, its message waited behind a turn that somebody stopped, and the model has not heard it. */
export type TurnEnd = EventFields['turn_end'];

/** What a turn says; `agent-harness/transcript` has what each means. */
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
