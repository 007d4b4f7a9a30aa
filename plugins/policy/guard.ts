// Decides about a tool call: asks an ordered list of deciders, then the user.
import type { HookResult, Hooks } from 'agent-harness/kernel';
import type { Denial, ToolCall } from 'agent-harness/plugins/agent';
import type { ApprovalQueue } from './approval-queue.ts';
import type { ChatMode } from 'agent-harness/plugins/chats';
import type { DecidedBy, Rehearsal } from './contract.ts';
import { obeysYolo } from './chat-modes.ts';
import { approvalLimit } from './policy-config.ts';
import { wordsOf, type RememberedRules } from './remembered-rules.ts';
import type { RuleSet, Ruling } from './rule-set.ts';
import type { Outcome } from './read-decision.ts';

export interface GuardParts {
  /** Live values of the settings; read at each use. */
  readonly config: { readonly yolo: boolean; readonly approvalTimeoutMs: number };
  readonly rules: RuleSet;
  readonly memory: RememberedRules;
  readonly queue: ApprovalQueue;
  readonly modeOf: (chatId: string) => Promise<ChatMode>;
  readonly judge: (call: ToolCall) => Promise<HookResult<Hooks['approval.judge']>>;
  readonly rehearse: (call: ToolCall) => Promise<HookResult<Hooks['approval.rehearse']>>;
}

/**
 * Decides about a call; returns `undefined` to approve it.
 * @param isEdited whether the user set exactly these arguments; if so, only prohibitions apply
 */
export type Guard = (call: ToolCall, isEdited: boolean) => Promise<Verdict | undefined>;
interface Asked {
  readonly call: ToolCall;
  readonly ruling: Ruling;
  readonly mode: ChatMode;
  readonly isEdited: boolean;
}

/** A recorded outcome; without a denial, the call is approved. */
interface Settled {
  readonly outcome?: Outcome;
  readonly denial?: Denial;
}
type Decider = (asked: Asked) => Settled | undefined | Promise<Settled | undefined>;
type Verdict = Denial | { readonly rehearsed: Rehearsal } | { readonly editedArgs: Record<string, unknown>; readonly by: DecidedBy };

export function createGuard({ config, rules, memory, queue, modeOf, judge, rehearse }: GuardParts): Guard {
  /**
   * Deciders that run before the user is asked, in this order; the first result applies. A ruling is the result of the rules: those for turns that read
   * external content, those of plugins, and the default rules.
   */
  const deciders: Readonly<Record<string, Decider>> = {
    forbiddenByRule: ({ call: { tool }, ruling: { verdict, reason, source } }) =>
      verdict === 'deny'
        ? {
            outcome: { decision: 'reject', by: 'rule', reason, ...(source === undefined ? {} : { source }) },
            denial: { deny: `A rule forbids this call of ${tool.name}: ${reason}`, hint: 'Do not retry this call; find another way or tell the user.' },
          }
        : undefined,
    // The user set exactly these arguments.
    edited: ({ isEdited }) => (isEdited ? {} : undefined),
    rejectedBefore: async ({ call, ruling }) => (ruling.verdict === 'ask' && (await memory.recall(call, 'reject')) ? rejectedBefore(call) : undefined),
    allowedByRule: ({ ruling: { verdict, isLifted, reason, source } }) =>
      verdict === 'allow' ? (isLifted ? { outcome: { decision: 'approve', by: 'rule', reason, ...(source === undefined ? {} : { source }) } } : {}) : undefined,
    allowedBefore: async ({ call, ruling }) => {
      const allowed = ruling.isSparable && !ruling.needsPerson ? await memory.recall(call, 'approve') : undefined;
      return allowed && { outcome: { decision: 'approve', by: 'rule', reason: `The user's rule: ${wordsOf(allowed)}.` } };
    },
    yolo: ({ ruling: { needsPerson, reason }, mode }) =>
      config.yolo && !needsPerson && obeysYolo(mode) ? { outcome: { decision: 'approve', by: 'yolo', reason } } : undefined,
    judge: async ({ call, ruling }) => {
      const verdict = ruling.isSparable && !ruling.needsPerson ? await judge(call) : undefined;
      return verdict?.verdict === 'approve' ? { outcome: { decision: 'approve', by: 'judge', reason: verdict.reason } } : undefined;
    },
  };

  /** Requests a decision. Requests it again if the files changed in the meantime, because a preview is applied only to the state from which it started. */
  async function ask(call: ToolCall, ruling: Ruling, why: string): Promise<Verdict | undefined> {
    const rehearsal = await rehearse(call);
    const about = rehearsal ? { rehearsal } : {};
    let isKept = false;
    try {
      const outcome = await queue.request(call, { reason: why, canRemember: ruling.isSparable, ...sourceOf(ruling), ...about });
      if (!rehearsal || outcome.rehearsal === undefined) return answerFor(call, outcome, config.approvalTimeoutMs);
      const stale = await rehearsal.whyStale();
      if (call.turn.signal.aborted) return answerFor(call, abandoned, 0);
      isKept = stale === undefined;
      if (stale === undefined) return { rehearsed: rehearsal };
      await rehearsal.drop();
      return await ask(call, ruling, `${ruling.reason} The preview was not applied and a new approval is needed: ${stale}`);
    } finally {
      if (!isKept) await rehearsal?.drop();
    }
  }

  return async function guard(call, isEdited) {
    const mode = await modeOf(call.turn.chatId);
    const ruling = await rules.judge(call, mode);
    for (const decide of Object.values(deciders)) {
      const settled = await decide({ call, ruling, mode, isEdited });
      // The turn has ended: no call waits, and no decision is recorded.
      if (call.turn.signal.aborted) return answerFor(call, abandoned, 0);
      if (!settled) continue;
      if (settled.outcome) await queue.record(call, settled.outcome);
      return settled.denial;
    }
    return ask(call, ruling, ruling.reason);
  };
}

function sourceOf({ source }: Ruling): { readonly source?: string } {
  return source === undefined ? {} : { source };
}

function rejectedBefore({ tool }: ToolCall): Settled {
  const reason = 'The user rejected this for the rest of the chat.';
  return {
    outcome: { decision: 'reject', by: 'rule', reason },
    denial: { deny: `${tool.name} was not run. ${reason}`, hint: 'Do not retry this call in this chat; find another way or ask the user.' },
  };
}

const abandoned: Outcome = { decision: 'reject', by: 'abort' };

function answerFor({ tool }: ToolCall, outcome: Outcome, timeoutMs: number): Verdict | undefined {
  if (outcome.decision === 'approve') return undefined;
  if (outcome.decision === 'edit' && outcome.args) return { editedArgs: outcome.args, by: outcome.by };
  if (outcome.by === 'timeout') {
    return {
      deny: `This call of ${tool.name} was not approved within ${(approvalLimit(timeoutMs) ?? 0) / 1000} s, so it was not run. The user did not deny it.`,
      hint: 'Do not retry the same call; continue without it, or explain why you need it.',
    };
  }
  if (outcome.by === 'abort') return { deny: `This call of ${tool.name} was not run: the turn was aborted while it waited for approval.` };
  if (outcome.by === 'unattended') {
    return {
      deny: `This call of ${tool.name} was not run: it needs approval, and no user was present to decide.`,
      hint: 'Do not retry the same call in this turn; continue without it, or explain why you need it.',
    };
  }
  const reason = outcome.reason === undefined ? 'No reason was given.' : `Reason: ${outcome.reason}`;
  return {
    deny: `The user rejected this call of ${tool.name}. ${reason}`,
    hint: 'Do not retry the same call; follow the reason, ask the user, or find another way.',
  };
}
