// What needs a person: approvals and questions.
import type { Bail } from 'agent-harness/kernel';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { Principal } from 'agent-harness/plugins/http';
import type { ApprovalPreview, Effect, ToolContext } from 'agent-harness/plugins/tools';

export type DecidedBy = 'user' | 'rule' | 'judge' | 'yolo' | 'timeout' | 'abort';

export interface PendingApproval {
  readonly approvalId: string;
  readonly chatId: string;
  readonly turnId: string;
  readonly callId: string;
  readonly name: string;
  readonly args: unknown;
  readonly effects: readonly Effect[];
  /** Why it is asked, as a sentence. */
  readonly reason: string;
  readonly preview?: ApprovalPreview;
  /** What `remember: 'chat'` would keep, as a sentence; left out where nothing is kept. */
  readonly remembers?: string;
  /** ISO 8601; left out where it waits without a limit. */
  readonly expiresAt?: string;
}

export interface PendingQuestion {
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
  readonly args?: Record<string, unknown>;
  readonly reason?: string;
  /** `chat`: what {@link PendingApproval.remembers} says is decided in the same way in this chat from now on. */
  readonly remember?: 'once' | 'chat';
  /** Who decides; left out for what no request brought. */
  readonly principal?: Principal;
}

/** The call that asks: what its tool got. */
export type Asking = Pick<ToolContext, 'chatId' | 'turnId' | 'callId' | 'signal' | 'waiting'>;

export interface Approvals {
  pending(chatId?: string): { approvals: PendingApproval[]; questions: PendingQuestion[] };
  /** Rejects with `not_found`, `already_resolved`, `expired`. Resolves when the decision is on disk. */
  decide(approvalId: string, decision: Decision): Promise<void>;
  /** Waits without a limit; rejects when the signal is aborted. */
  ask(question: { readonly prompt: string; readonly options?: readonly string[] }, asking: Asking): Promise<string>;
  answer(askId: string, answer: string, principal?: Principal): Promise<void>;
}

/** Contribution point `approval_rule`. Rules are asked in order of plugins; `ask` beats `allow`, `deny` beats both. */
export interface ApprovalRule {
  readonly name: string;
  decide(
    call: ToolCall,
  ):
    | { readonly verdict: 'allow' | 'ask' | 'deny'; readonly reason: string }
    | undefined
    | Promise<{ readonly verdict: 'allow' | 'ask' | 'deny'; readonly reason: string } | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    approvals: Approvals;
  }
  interface ContributionPoints {
    approval_rule: ApprovalRule;
  }
  interface Hooks {
    /** Spares the person the question: a judge. Only what the rules call harmless gets here. */
    'approval.judge': Bail<[ToolCall], { readonly verdict: 'approve'; readonly reason: string }>;
  }
  interface Events {
    tool_approval: PendingApproval;
    approval_decision: {
      readonly chatId: string;
      readonly turnId: string;
      readonly callId: string;
      readonly approvalId: string;
      readonly decision: 'approve' | 'reject' | 'edit';
      readonly by: DecidedBy;
      /** Of `by: 'user'`. */
      readonly principal?: Principal;
      readonly args?: unknown;
      readonly reason?: string;
    };
    ask_user: PendingQuestion;
    ask_user_answered: {
      readonly chatId: string;
      readonly turnId: string;
      readonly callId: string;
      readonly askId: string;
      readonly answer: string;
      readonly principal?: Principal;
    };
  }
}
