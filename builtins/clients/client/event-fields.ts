// The fields of the events that change what a chat shows.
import type { Preview } from './api.ts';
import type { AttachedFile, Decision, WaitingFor } from './state.ts';

interface Head {
  readonly kind: string;
  readonly id?: number;
  readonly at: string;
  readonly chatId?: string;
  readonly turnId?: string;
}
interface InTurn extends Head {
  readonly turnId: string;
}
interface InCall extends InTurn {
  readonly callId: string;
  /** Of the tool, where the event says it. */
  readonly name?: string;
}

export interface ShownImage {
  readonly attachmentId: string;
  readonly mimeType: string;
}

/** Event by kind. */
export interface TakenEvents {
  readonly message_accepted: InTurn & {
    readonly messageId: string;
    readonly text: string;
    readonly attachments?: readonly AttachedFile[];
    readonly clientId?: string;
    readonly isSteer?: boolean;
  };
  readonly turn_start: InTurn & { readonly messageId: string; readonly model: string };
  readonly text: InTurn & { readonly messageId: string; readonly offset: number; readonly delta: string; readonly channel: 'user' | 'trace' | 'reasoning' };
  readonly usage: Head & { readonly input: number; readonly output: number; readonly cached: number; readonly cost?: number; readonly purpose: string };
  readonly provider_retry: Head & {
    readonly attempt: number;
    readonly of: number;
    readonly reason: string;
    readonly delayMs?: number;
    readonly purpose?: string;
  };
  readonly turn_end: InTurn & { readonly reason: string; readonly isUnqueued?: boolean; readonly error?: { readonly code: string; readonly message: string } };
  readonly harness_running: Head & { readonly waitingFor?: WaitingFor; readonly since?: string };
  readonly error: Head & { readonly code?: string; readonly message?: string };
  readonly conversation_reset: Head;
  readonly context_compressed: Head;
  readonly critic_verdict: InTurn & { readonly ok: boolean; readonly problems: readonly string[]; readonly isSentBack: boolean };
  readonly checkpoint_restored: Head & { readonly restored?: readonly string[]; readonly conflicts?: readonly string[] };
  readonly tool_start: InCall & { readonly messageId?: string; readonly args?: unknown; readonly argsText?: string };
  readonly tool_running: InCall;
  readonly tool_delta: InCall & { readonly argsDelta: string };
  readonly tool_progress: InCall & { readonly note: string };
  readonly compose_preview: InCall & { readonly path: string; readonly offset: number; readonly delta: string; readonly lines: number; readonly done: boolean };
  readonly tool_result: InCall & {
    readonly ok: boolean;
    readonly output: string;
    readonly durationMs: number;
    readonly artifactId?: string;
    readonly truncated?: boolean;
    readonly untrusted?: boolean;
    readonly notRun?: boolean;
    readonly images?: readonly ShownImage[];
  };
  readonly tool_approval: InCall & {
    readonly approvalId: string;
    readonly chatId: string;
    readonly name: string;
    readonly args: unknown;
    readonly effects: readonly string[];
    readonly reason: string;
    readonly preview?: Preview;
    readonly remembers?: string;
    readonly expiresAt?: string;
  };
  readonly approval_decision: InCall & Decision & { readonly approvalId: string; readonly args?: unknown };
  readonly ask_user: InCall & {
    readonly askId: string;
    readonly chatId: string;
    readonly prompt: string;
    readonly options?: readonly string[];
    readonly since: string;
  };
  readonly subtask_start: InCall & { readonly taskId: string; readonly goal: string; readonly model: string };
  readonly subtask_text: InTurn & { readonly taskId: string; readonly messageId: string; readonly offset: number; readonly delta: string };
  readonly subtask_tool: InTurn & {
    readonly taskId: string;
    readonly toolCallId: string;
    readonly name: string;
    readonly args?: unknown;
    readonly ok?: boolean;
    readonly output?: string;
    readonly durationMs?: number;
  };
  readonly subtask_end: InCall & { readonly taskId: string; readonly reason: string; readonly rounds: number; readonly durationMs: number };
  readonly ask_user_answered: InCall & { readonly askId: string; readonly answer: string };
}
export type TakenKind = keyof TakenEvents;
