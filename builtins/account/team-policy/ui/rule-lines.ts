// The rules of an organisation as sentences. Pure.

interface Placed {
  /** `everybody`, or the name of a group. */
  readonly from: string;
}

/** What `GET /api/team/policy` of this machine answers. */
export interface OrgPolicy {
  readonly state: string;
  readonly revision?: number;
  readonly orgName?: string;
  /** ISO 8601. */
  readonly checkedAt?: string;
  readonly problem?: string;
  readonly rules: {
    readonly blockedTools: readonly (Placed & { readonly pattern: string })[];
    readonly forcedApprovals: readonly (Placed & { readonly pattern: string })[];
    readonly allowedModels: readonly (Placed & { readonly patterns: readonly string[] })[];
    readonly spendingCaps: readonly (Placed & { readonly of: string; readonly usd: number })[];
  };
}

export interface RuleLine extends Placed {
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
