// What needs a person: approvals and questions.
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
  /** Of `reject`: no person was present to decide. */
  readonly unattended?: true;
  /**
   * `chat`: what {@link PendingApproval.remembers} says is decided in the same way in this chat from now on. `workspace`: in every chat of the
   * same workspace, until it is taken back; only for approvals of the owner.
   */
  readonly remember?: 'once' | 'chat' | 'workspace';
  /** Of `remember` with an approval: the rule is about this kind, one of {@link PendingApproval.kinds}. Left out, it is about exactly the call. */
  readonly kind?: string;
  /** Who decides; left out for what no request brought. */
  readonly principal?: Principal;
  /**
   * Of `approve`: the id of the rehearsal that was shown, which is applied in place of a run; `none`: the call runs. Left out, it is the one
   * that is ready by now; without one the call runs.
   */
  readonly rehearsal?: string;
}

/** What a call changed where it could change nothing, for the question about it. */
export type ShownRehearsal = EventFields['approval_rehearsed']['rehearsal'];

/** A call that was begun in a copy of what it works on. Whoever made it drops it with the turn; who asked drops it as soon as it is not wanted. */
export interface Rehearsal {
  /** What came of it: `ready` or `none`. Contract: never rejects. */
  readonly shown: Promise<ShownRehearsal>;
  /** Why what was shown cannot be applied any more, as a sentence. Contract: never rejects. */
  whyStale(): Promise<string | undefined>;
  /** Once, in place of the call: makes exactly what was shown, and answers what the call said. The rehearsal is dropped then. */
  readonly apply: RunTool;
  /** Nothing of it is left. Contract: never rejects; any number of times. */
  drop(): Promise<void>;
}

/** A decision that a person made once and for all. */
export interface RememberedRule {
  readonly id: string;
  /** `everywhere`: in all folders whose files a person trusts, in turns that read no text from outside. */
  readonly scope: 'chat' | 'workspace' | 'everywhere';
  readonly decision: 'approve' | 'reject';
  /** The name of the tool. */
  readonly tool: string;
  /** What it is about, in a few words: the command, or every call of the tool. */
  readonly subject: string;
  /** See {@link RuleSubject.key}. */
  readonly key: string;
  /** ISO 8601. */
  readonly since: string;
  /** How many calls it has answered, and when it did so last (ISO 8601). */
  readonly answered: number;
  readonly lastAt?: string;
}

/** What a rule of a folder may be about: exactly a call, every call of a tool, or a kind of calls. */
export interface RuleSubject {
  /** In words that follow "always": `npm run …`. */
  readonly subject: string;
  /** Equal for calls that such a rule answers for. */
  readonly key: string;
  /** Of the tool's own kinds, see `Tool.kinds`. */
  readonly isKind?: true;
}

/** Decisions that a person made once and for all. */
export interface StandingRules {
  /** Those of a chat, of its workspace and of all folders, oldest first. */
  list(place: { readonly chatId: string; readonly workspaceRoot: string }): Promise<RememberedRule[]>;
  /** Answers whether there was one. */
  remove(id: string): Promise<boolean>;
  /** What rules that answer for such a call could be about, narrowest first. */
  subjectsOf(call: Pick<ToolCall, 'tool' | 'args'>): Promise<readonly RuleSubject[]>;
  /**
   * From now on such calls of a folder are let through without asking, where nothing but the question stands in their way; a kind of calls only in
   * turns that read no text from outside. Contract: a person
   * said so, who may decide for the folder. Resolves when it is on disk.
   */
  allow(workspaceRoot: string, tool: string, subject: RuleSubject): Promise<void>;
  /** The same in all folders whose files a person trusts; whatever it is about, only in turns that read no text from outside. */
  allowEverywhere(tool: string, subject: RuleSubject): Promise<void>;
  /** Whether such a rule answers in a folder at all. */
  holdsEverywhere(workspaceRoot: string): Promise<boolean>;
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
  readonly rules: StandingRules;
}

export interface RuleVerdict {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** A sentence for the person. */
  readonly reason: string;
  /** Where the rule comes from, for people: `policy of Acme, revision 7`. It stands in the events. */
  readonly source?: string;
  /** Of `ask`: a person decides, whoever else would approve it (`AGENT_YOLO`). */
  readonly needsPerson?: true;
  /** Of `ask`: a rule that allows such calls, a decision that is remembered and a judge come before it. */
  readonly yields?: true;
}

/** Contribution point `approval_rule`. Rules are asked in order of plugins; `ask` beats `allow`, `deny` beats both. */
export interface ApprovalRule {
  readonly name: string;
  decide(call: ToolCall): RuleVerdict | undefined | Promise<RuleVerdict | undefined>;
}

/** What people are asked, and what they say. */
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
     * Before the answer of somebody who asked over HTTP counts, to an approval or a question. Who answers refuses it for now, with a sentence
     * for whoever answered; it goes on waiting.
     */
    'approval.answer': Bail<[{ readonly id: string; readonly kind: 'approval' | 'question'; readonly principal: Principal }], { readonly refuse: string }>;
    /**
     * A call that is about to be put before a person may first show what it would change. Who answers has begun that, and neither waits
     * for its end nor changes anything that is there.
     */
    'approval.rehearse': Bail<[ToolCall], Rehearsal>;
    /** Spares the person the question: a judge. Only what the rules call harmless gets here. */
    'approval.judge': Bail<[ToolCall], { readonly verdict: 'approve'; readonly reason: string }>;
  }
  interface Events extends DecisionEvents {}
}
