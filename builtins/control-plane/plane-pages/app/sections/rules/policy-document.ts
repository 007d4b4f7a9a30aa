// Reads and writes the organisation's policy for the editor.
import { call, type ReplyOf } from '../../base/plane.ts';
import { readNewest, type RulesDocument } from './rules-document.ts';

export type Policy = ReplyOf<'GET /api/team/policy'>['policy'];
export type PolicyGroup = NonNullable<Policy['groups']>[number];
/** The rules for all members, or for a group. */
export type PolicyRules = Omit<Policy, 'groups'>;

export const policyDocument: RulesDocument<Policy> = {
  kind: 'policy',
  async read(signal) {
    const { revision, policy } = await call('GET /api/team/policy', signal ? { signal } : {});
    return { revision, document: policy };
  },
  newest: () => readNewest(policyDocument),
  save: (base, policy) => call('PUT /api/team/policy', { body: { base, policy } }),
  history: (before) => call('GET /api/team/policy/history', { query: before === undefined ? {} : { before } }),
  rollback: (base, to) => call('POST /api/team/policy/rollback', { body: { base, to } }),
  async preview(policy, signal) {
    const { affects, of, summary, members } = await call('POST /api/team/policy/preview', { body: { policy }, signal });
    return { affects, of, lines: summary.map(({ change, members: count }) => `${count} ${count === 1 ? 'member' : 'members'} would ${change}`), members };
  },
  problemOf({ groups = [] }) {
    const names = groups.map(({ name }) => name);
    if (names.includes('')) return 'A group has no name.';
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) return `Two groups are called ${twice}.`;
    const unmatched = groups.find(({ match }) => match.roles === undefined && match.people === undefined);
    return unmatched && `The group ${unmatched.name} has no members: choose a role, or enter a person.`;
  },
};
