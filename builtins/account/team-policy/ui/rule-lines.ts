// Describes the rules of an organisation as sentences. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { t, table } from '#page/kit/t.ts';
import { rowOf } from '#page/kit/short-texts.ts';

export type OrgPolicy = ReplyOf<'GET /api/team/policy'>;

export interface RuleLine {
  /** `everybody`, or the name of a group. */
  readonly from: string;
  readonly text: string;
}

const periods: Readonly<Record<string, string>> = table({ day: 'per day', each_chat: 'per chat' });

export function ruleLines({ rules }: Pick<OrgPolicy, 'rules'>): RuleLine[] {
  return [
    ...rules.blockedTools.map(({ pattern, from }) => ({ text: t('{pattern} is blocked', { pattern }), from })),
    ...rules.forcedApprovals.map(({ pattern, from }) => ({ text: t('{pattern} always requires approval', { pattern }), from })),
    ...rules.allowedModels.map(({ patterns, from }) => ({
      text: patterns.length === 0 ? t('No model is allowed') : t('Only {patterns} are allowed', { patterns: rowOf(patterns) }),
      from,
    })),
    ...rules.spendingCaps.map(({ of, usd, from }) => ({
      text: t('At most {usd} USD {period}', { usd, period: periods[of] ?? t('per day for {purpose}', { purpose: of }) }),
      from,
    })),
  ];
}
