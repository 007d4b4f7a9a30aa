// Combines the built-in rules, the tool's own request for approval and contributed rules into one ruling about a tool call.
import type { PointHandler } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ChatMode } from 'agent-harness/plugins/chats';
import { whyForbidden, whyModeAsks } from './chat-modes.ts';
import type { ApprovalRule, RuleVerdict as Verdict } from './contract.ts';
import type { SeenAddresses } from './seen-addresses.ts';
import { defaultRules, untrustedRules, type BuiltinRule } from './rules.ts';

export interface Ruling {
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly reason: string;
  /** Whether a remembered decision or a judge may decide instead of the user. */
  readonly isSparable: boolean;
  /** Whether a rule allowed a call that would otherwise need approval. */
  readonly isLifted: boolean;
  /** Source of the rule, if it has one. */
  readonly source?: string;
  /** Set if only the user may approve the call. */
  readonly needsPerson?: true;
}

export interface RuleSet {
  readonly point: PointHandler<ApprovalRule>;
  /** Returns the ruling about a call. Never rejects; a rule that throws denies the call. */
  judge(call: ToolCall, mode: ChatMode): Promise<Ruling>;
}

/**
 * Creates the rule set.
 * @param seen the addresses known to each chat, and the sources of external content
 * @param notHeld returns the name of a plugin that should enforce rules but is not running
 */
export function createRuleSet(seen: SeenAddresses, notHeld: () => string | undefined): RuleSet {
  const mandatoryRules = untrustedRules(seen.goesSomewhereNew);
  const rules = new Map<string, { readonly rule: ApprovalRule; readonly owner: string }>();

  return {
    point: {
      validate(rule, owner) {
        if (typeof rule.name !== 'string' || rule.name === '') return 'an approval rule needs a name.';
        if (typeof rule.decide !== 'function') return `approval rule '${rule.name}' needs a function decide.`;
        const first = rules.get(rule.name);
        return first && `approval rule '${rule.name}' is already contributed by plugin '${first.owner}'; rename the rule of plugin '${owner}'.`;
      },
      added: (rule, owner) => void rules.set(rule.name, { rule, owner }),
      removed: (rule) => void rules.delete(rule.name),
    },
    async judge(call, mode) {
      const forbidden = whyForbidden(mode, call);
      if (forbidden !== undefined) return { verdict: 'deny', reason: forbidden, isSparable: false, isLifted: false };
      const missing = isReading(call) ? undefined : notHeld();
      if (missing !== undefined) return { verdict: 'deny', reason: whyNotHeld(missing), isSparable: false, isLifted: false };
      const contributed: Verdict[] = [];
      for (const { rule, owner } of rules.values()) {
        const verdict = await askRule(rule, owner, call);
        if (verdict?.verdict === 'deny') return { verdict: 'deny', reason: verdict.reason, isSparable: false, isLifted: false, ...sourceOf(verdict) };
        if (verdict) contributed.push(verdict);
      }
      const mandatory = mandatoryRules.find((rule) => rule.applies(call));
      return combine(call, mandatory && withSource(mandatory, seen.sourceOf(call.turn.chatId)), contributed, (await wishOf(call)) ?? whyModeAsks(mode, call));
    },
  };
}

function isReading({ tool: { effects } }: ToolCall): boolean {
  return effects?.includes('read') === true && effects.every((effect) => effect === 'read');
}

const whyNotHeld = (plugin: string): string =>
  `The plugin '${plugin}', which enforces the policy of your organisation, is not running, so only read-only tools may run. Check it with 'app doctor', and restart the server.`;

/** Adds the source of the external content that may have caused the call. */
function withSource(rule: BuiltinRule, source: string | undefined): BuiltinRule {
  return source === undefined ? rule : { ...rule, reason: rule.reason.replace('external content', `external content (${source})`) };
}

/** Combines the verdicts: `ask` overrides `allow`, unless it yields. Without verdicts, the effects of the tool decide. An approval lists all reasons. */
function combine(call: ToolCall, untrusted: BuiltinRule | undefined, contributed: readonly Verdict[], wish: string | undefined): Ruling {
  const asking = contributed.filter(({ verdict }) => verdict === 'ask');
  const question = { verdict: 'ask', isSparable: false, isLifted: false } as const;
  const forced = asking.find(({ needsPerson }) => needsPerson === true);
  const mandatory = asking.filter(({ yields }) => yields !== true);
  const reasonOf = (last: string | undefined): string => [...new Set([forced?.reason ?? [], asking.map(({ reason }) => reason), last ?? []].flat(2))].join(' ');
  if (forced) return { ...question, reason: reasonOf(untrusted?.reason), needsPerson: true, ...sourceOf(forced) };
  if (untrusted || mandatory.length > 0) return { ...question, reason: reasonOf(untrusted?.reason), ...(untrusted ? {} : sourceOf(mandatory[0])) };
  if (wish !== undefined) return { ...question, reason: reasonOf(wish), isSparable: true };
  const byEffect = defaultRules.find((rule) => rule.applies(call)) ?? { verdict: 'ask' as const, reason: 'No rule covers this call.' };
  const allowing = contributed.find(({ verdict }) => verdict === 'allow');
  if (allowing) return { verdict: 'allow', reason: allowing.reason, isSparable: true, isLifted: byEffect.verdict === 'ask', ...sourceOf(allowing) };
  if (asking.length > 0)
    return { ...question, reason: reasonOf(byEffect.verdict === 'ask' ? byEffect.reason : undefined), isSparable: true, ...sourceOf(asking[0]) };
  return { verdict: byEffect.verdict, reason: byEffect.reason, isSparable: true, isLifted: false };
}

function sourceOf(verdict: Verdict | undefined): { readonly source?: string } {
  return typeof verdict?.source === 'string' ? { source: verdict.source } : {};
}

async function askRule(rule: ApprovalRule, owner: string, call: ToolCall): Promise<Verdict | undefined> {
  try {
    return await rule.decide(call);
  } catch (fault) {
    return {
      verdict: 'deny',
      reason: `The approval rule '${rule.name}' of plugin '${owner}' failed: ${messageOf(fault)}`,
    };
  }
}

/** Returns the reason if the tool itself requires an approval for these arguments. */
async function wishOf({ callId, tool, args, turn }: ToolCall): Promise<string | undefined> {
  if (tool.needsApproval === true) return `The tool ${tool.name} always needs an approval.`;
  if (typeof tool.needsApproval !== 'function') return undefined;
  try {
    return await tool.needsApproval(args as never, { chatId: turn.chatId, workspaceRoot: turn.workspaceRoot, callId });
  } catch (fault) {
    return `The tool ${tool.name} could not determine whether this call is safe: ${messageOf(fault)}`;
  }
}
