// Calculates how a policy change would affect each member. Pure.
import type { EffectivePolicy, Policy } from './contract.ts';
import { effectivePolicy, type Subject } from './effective.ts';

export interface PreviewedMember extends Subject {
  readonly userId: string;
  /** Predicates that follow “would”, such as `no longer be able to use run_command`. */
  readonly changes: readonly string[];
}

export interface Preview {
  /** Number of affected members. */
  readonly affects: number;
  readonly of: number;
  /** Changes with the number of affected members, largest first. */
  readonly summary: readonly { readonly change: string; readonly members: number }[];
  readonly members: readonly PreviewedMember[];
}

/** Lists the members whose rules a new policy would change, with the changes. */
export function previewPolicy(before: Policy, after: Policy, people: readonly (Subject & { readonly userId: string })[]): Preview {
  const members = people
    .map((person) => ({ ...person, changes: changesOf(effectivePolicy(before, person), effectivePolicy(after, person)) }))
    .filter(({ changes }) => changes.length > 0);
  const counts = new Map<string, number>();
  for (const { changes } of members) for (const change of changes) counts.set(change, (counts.get(change) ?? 0) + 1);
  const summary = [...counts].map(([change, count]) => ({ change, members: count })).sort((left, right) => right.members - left.members);
  return { affects: members.length, of: people.length, summary, members };
}

function changesOf(before: EffectivePolicy, after: EffectivePolicy): string[] {
  const compare = (key: (policy: EffectivePolicy) => readonly string[], came: (name: string) => string, went: (name: string) => string): string[] => {
    const [old, now] = [new Set(key(before)), new Set(key(after))];
    return [...[...now].filter((one) => !old.has(one)).map(came), ...[...old].filter((one) => !now.has(one)).map(went)];
  };
  return [
    ...compare(
      ({ blockedTools }) => blockedTools.map(({ pattern }) => pattern),
      (name) => `no longer be able to use ${name}`,
      (name) => `be able to use ${name} again`,
    ),
    ...compare(
      ({ forcedApprovals }) => forcedApprovals.map(({ pattern }) => pattern),
      (name) => `have to approve each call of ${name}`,
      (name) => `approve ${name} according to their own settings`,
    ),
    ...compare(
      ({ allowedModels }) => allowedModels.map(({ patterns }) => [...patterns].sort().join(', ') || 'none'),
      (models) => `be limited to the models ${models}`,
      (models) => `no longer be limited to the models ${models}`,
    ),
    ...compare(
      ({ spendingCaps }) => spendingCaps.map(({ of, usd }) => `${usd} USD ${capNames[of]}`),
      (cap) => `spend at most ${cap}`,
      (cap) => `no longer have the cap of ${cap}`,
    ),
  ];
}

const capNames: Readonly<Record<EffectivePolicy['spendingCaps'][number]['of'], string>> = {
  day: 'per day',
  each_chat: 'per chat',
  chat: 'per day on chats',
  task: 'per day on tasks',
  memory: 'per day on memory',
  heartbeat: 'per day on the heartbeat',
  dream: 'per day on dreams',
  voice: 'per day on voice',
};
