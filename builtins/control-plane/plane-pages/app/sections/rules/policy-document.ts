// The policy of the organisation, as the editor reads and writes it.
import { call, type ReplyOf } from '../../base/plane.ts';
import type { RulesDocument } from './rules-document.ts';

export type Policy = ReplyOf<'GET /api/team/policy'>['policy'];

export const policyDocument: RulesDocument<Policy> = {
  async read(signal) {
    const { revision, policy } = await call('GET /api/team/policy', { signal });
    return { revision, document: policy };
  },
  save: (base, policy) => call('PUT /api/team/policy', { body: { base, policy } }),
  history: (before) => call('GET /api/team/policy/history', { query: before === undefined ? {} : { before } }),
  rollback: (base, to) => call('POST /api/team/policy/rollback', { body: { base, to } }),
  async preview(policy, signal) {
    const { affects, of, summary } = await call('POST /api/team/policy/preview', { body: { policy }, signal });
    return { affects, of, lines: summary.map(({ change, members }) => `${members} ${members === 1 ? 'member' : 'members'} would ${change}`) };
  },
};
