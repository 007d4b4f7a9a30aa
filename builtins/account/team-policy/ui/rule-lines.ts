// The rules of an organisation as sentences. Pure.
import type { ReplyOf } from 'agent-harness/client';

export type OrgPolicy = ReplyOf<'GET /api/team/policy'>;

export interface RuleLine {
  /** `everybody`, or the name of a group. */
  readonly from: string;
  readonly text: string;
}

const spans: Readonly<Record<string, string>> = { day: 'a day', each_chat: 'a chat' };

export function ruleLines({ rules }: Pick<OrgPolicy, 'rules'>): RuleLine[] {
  return [
    ...rules.blockedTools.map(({ pattern, from }) => ({ text: `${pattern} is blocked`, from })),
    ...rules.forcedApprovals.map(({ pattern, from }) => ({ text: `${pattern} always asks`, from })),
    ...rules.allowedModels.map(({ patterns, from }) => ({
      text: patterns.length === 0 ? 'No model may answer' : `Only ${patterns.join(', ')} may answer`,
      from,
    })),
    ...rules.spendingCaps.map(({ of, usd, from }) => ({ text: `At most ${usd} USD ${spans[of] ?? `a day for ${of}`}`, from })),
  ];
}
