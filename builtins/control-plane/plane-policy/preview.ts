// Calculates how a policy change would affect each member. Pure.
import type { EffectivePolicy, Policy } from './contract.ts';
import { effectivePolicy, type Subject } from './effective.ts';

export interface PreviewedMember extends Subject {
  readonly userId: string;
  /** Predicates without a subject: `loses run_command`. */
  readonly changes: readonly string[];
}

export interface Preview {
  /** Number of affected members. */
  readonly affects: number;
  readonly of: number;
  /** Changes sorted by number of members: `3 members would lose run_command`. */
  readonly summary: readonly { readonly change: string; readonly members: number }[];
  readonly members: readonly PreviewedMember[];
}

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
      (name) => `lose ${name}`,
      (name) => `get ${name} back`,
    ),
    ...compare(
      ({ forcedApprovals }) => forcedApprovals.map(({ pattern }) => pattern),
      (name) => `approve each ${name}`,
      (name) => `approve ${name} as they set it`,
    ),
    ...compare(
      ({ allowedModels }) => allowedModels.map(({ patterns }) => [...patterns].sort().join(', ') || 'none'),
      (models) => `have no models but ${models}`,
      (models) => `have more models than ${models}`,
    ),
    ...compare(
      ({ spendingCaps }) => spendingCaps.map(({ of, usd }) => `${usd} USD ${capNames[of]}`),
      (cap) => `spend at most ${cap}`,
      (cap) => `lose the cap of ${cap}`,
    ),
  ];
}

const capNames: Readonly<Record<EffectivePolicy['spendingCaps'][number]['of'], string>> = {
  day: 'a day',
  each_chat: 'a chat',
  chat: 'a day on chats',
  task: 'a day on tasks',
  memory: 'a day on memory',
  heartbeat: 'a day on the heartbeat',
  dream: 'a day on dreams',
  voice: 'a day on voice',
};
