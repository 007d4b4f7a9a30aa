// Defines the contract of approvals and questions: the service, its events, and the points for rules and judges.
import type { Bail } from 'agent-harness/kernel';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { Principal } from 'agent-harness/plugins/http';
import type { RunTool, ToolContext } from 'agent-harness/plugins/tools';
import type { EventFields } from 'agent-harness/transcript';

export type DecidedBy = EventFields['approval_decision']['by'];

/** A call that waits for a decision. */
export type PendingApproval = EventFields['tool_approval'];

/** A question that waits for an answer. */
export type PendingQuestion = EventFields['ask_user'];

export interface Decision {
  readonly decision: 'approve' | 'reject' | 'edit';
  readonly args?: Record<string, unknown>;
  readonly reason?: string;
  /** Set if the call was rejected automatically because no user was present. */
  readonly unattended?: true;
  /**
   * `chat`: applies the decision to {@link PendingApproval.remembers} in this chat from now on. `workspace`: in every chat of the
   * same workspace, until the user revokes it; only for approvals of the owner.
   */
  readonly remember?: 'once' | 'chat' | 'workspace';
  /** Kind of call to which a remembered approval applies, one of {@link PendingApproval.kinds}; default: exactly this call. */
  readonly kind?: string;
  /** The principal that decided; omitted without a request. */
  readonly principal?: Principal;
  /**
   * Only for `approve`: id of the displayed preview, which is applied instead of running the call; `none`: the call runs. Default: a preview that is ready is
   * applied; without one, the call runs.
   */
  readonly rehearsal?: string;
}

/** The changes that a preview made, for display in the approval. */
export type ShownRehearsal = EventFields['approval_rehearsed']['rehearsal'];

/**
 * A preview: a call that ran in a copy of its files. Its creator drops the preview when the turn ends; the requester drops it as soon as it is no longer
 * needed.
 */
export interface Rehearsal {
  /** Resolves with the result of the preview: `ready` or `none`. Contract: never rejects. */
  readonly shown: Promise<ShownRehearsal>;
  /** Returns the reason, as a sentence, if the preview can no longer be applied. Contract: never rejects. */
  whyStale(): Promise<string | undefined>;
  /**
   * Applies the preview instead of running the call: makes exactly the displayed changes, and returns the output of the call. Called once; drops the preview
   * afterwards.
   */
  readonly apply: RunTool;
  /** Removes the preview completely. Contract: never rejects; may be called repeatedly. */
  drop(): Promise<void>;
}

/** An approval rule: a decision that the user made permanent. */
export interface RememberedRule {
  readonly id: string;
  /** `everywhere`: in all folders whose files the user trusts, and only in turns that have read no external content. */
  readonly scope: 'chat' | 'workspace' | 'everywhere';
  readonly decision: 'approve' | 'reject';
  /** Name of the tool. */
  readonly tool: string;
  /** The subject in a few words: the command, or every call of the tool. */
  readonly subject: string;
  /** Identifies the matching calls, see {@link RuleSubject.key}. */
  readonly key: string;
  /** Time of the decision (ISO 8601). */
  readonly since: string;
  /** Number of calls that the rule has decided, and the time of the last one (ISO 8601). */
  readonly answered: number;
  readonly lastAt?: string;
}

/** The subject of a rule: exactly one call, every call of a tool, or a kind of call. */
export interface RuleSubject {
  /** End of a phrase that begins with "always", such as `npm run …`. */
  readonly subject: string;
  /** Key that is the same for all calls to which such a rule applies. */
  readonly key: string;
  /** Whether the subject is a kind of call that the tool defines, see `Tool.kinds`. */
  readonly isKind?: true;
}

/** Permanent decisions of the user. */
export interface StandingRules {
  /** Lists the rules of a chat, of its workspace and of all folders, oldest first. */
  list(place: { readonly chatId: string; readonly workspaceRoot: string }): Promise<RememberedRule[]>;
  /** Removes a rule; returns whether it existed. */
  remove(id: string): Promise<boolean>;
  /** Returns the possible subjects of rules that match such a call, narrowest first. */
  subjectsOf(call: Pick<ToolCall, 'tool' | 'args'>): Promise<readonly RuleSubject[]>;
  /**
   * Adds a rule that approves such calls in a folder, unless another rule forbids them. A rule for a kind of call applies only in turns that have read no
   * external content. Contract: called at the request of a user who may decide for the folder. Resolves when the rule is on disk.
   */
  allow(workspaceRoot: string, tool: string, subject: RuleSubject): Promise<void>;
  /**
   * Works like {@link StandingRules.allow} for all folders whose files the user trusts. Whatever the subject, the rule applies only in turns that have read no
   * external content.
   */
  allowEverywhere(tool: string, subject: RuleSubject): Promise<void>;
  /** Returns whether rules for all folders apply in this folder, which requires that the user trusts its files. */
  holdsEverywhere(workspaceRoot: string): Promise<boolean>;
}

/** The context of the calling tool. */
export type Asking = Pick<ToolContext, 'chatId' | 'turnId' | 'callId' | 'signal' | 'waiting'>;

export interface Approvals {
  pending(chatId?: string): { approvals: PendingApproval[]; questions: PendingQuestion[] };
  /** Decides a pending approval. Rejects with `not_found`, `already_resolved`, `expired`. Resolves when the decision is on disk. */
  decide(approvalId: string, decision: Decision): Promise<void>;
  /** Asks the user a question. Waits without a limit; rejects when the signal is aborted. */
  ask(question: { readonly prompt: string; readonly options?: readonly string[] }, asking: Asking): Promise<string>;
  answer(askId: string, answer: string, principal?: Principal): Promise<void>;
  readonly rules: StandingRules;
}

export interface RuleVerdict {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** Reason for the verdict, as a sentence for the user. */
  readonly reason: string;
  /** Source of the rule for display, for example `policy of Acme, revision 7`. Part of the events. */
  readonly source?: string;
  /** Only for `ask`: the user must decide, even if the call would be auto-approved (`AGENT_YOLO`). */
  readonly needsPerson?: true;
  /** Only for `ask`: allow rules, remembered decisions and a judge may decide instead of the user. */
  readonly yields?: true;
}

/** Contribution point `approval_rule`. Rules run in the order of plugins; `ask` overrides `allow`, and `deny` overrides both. */
export interface ApprovalRule {
  readonly name: string;
  decide(call: ToolCall): RuleVerdict | undefined | Promise<RuleVerdict | undefined>;
}

/** The events of approvals and questions. */
export type DecisionEvents = Pick<EventFields, 'tool_approval' | 'approval_rehearsed' | 'approval_decision' | 'ask_user' | 'ask_user_answered'>;

declare module 'agent-harness/kernel' {
  interface Services {
    approvals: Approvals;
  }
  interface ContributionPoints {
    approval_rule: ApprovalRule;
  }
  interface Hooks {
    /**
     * Runs before an HTTP answer to an approval or a question takes effect. A tap that returns a sentence rejects the answer for now, and the caller receives
     * the sentence; the request remains pending.
     */
    'approval.answer': Bail<[{ readonly id: string; readonly kind: 'approval' | 'question'; readonly principal: Principal }], { readonly refuse: string }>;
    /**
     * Starts a preview of a call before the approval is requested. A tap that returns a preview has started it; the tap does not wait for the preview to
     * finish, and does not change existing files.
     */
    'approval.rehearse': Bail<[ToolCall], Rehearsal>;
    /** Lets a judge approve a call instead of the user. Called only if the rules allow this for the call. */
    'approval.judge': Bail<[ToolCall], { readonly verdict: 'approve'; readonly reason: string }>;
  }
  interface Events extends DecisionEvents {}
}
