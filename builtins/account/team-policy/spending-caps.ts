// Converts the spending caps of an organisation's policy to caps of the cost tracker. Pure.
import type { SpendingCap } from 'agent-harness/plugins/models';
import type { OrgPolicy } from './org-policy.ts';

/** Caps by their name in a policy; `chat` covers the main conversation. */
const kinds: Readonly<Record<string, Pick<SpendingCap, 'per' | 'purposes'>>> = {
  day: { per: 'day', purposes: 'all' },
  each_chat: { per: 'chat', purposes: 'all' },
  chat: { per: 'day', purposes: 'others' },
  task: { per: 'day', purposes: ['subtask'] },
  memory: { per: 'day', purposes: ['extract', 'autolink', 'vault', 'rewrite', 'embed'] },
  heartbeat: { per: 'day', purposes: ['heartbeat'] },
  dream: { per: 'day', purposes: ['dream'] },
  voice: { per: 'day', purposes: ['speak', 'transcribe'] },
};

export function spendingCapsOf({ rules, source }: Pick<OrgPolicy, 'rules' | 'source'>): SpendingCap[] {
  return rules.spendingCaps.flatMap(({ of, usd, from }) => {
    const kind = kinds[of];
    const where = from === 'everybody' ? source : `${source}, for the group '${from}'`;
    return kind ? [{ ...kind, name: `organisation: ${of.replace('_', ' ')}`, source: where, limit: () => usd }] : [];
  });
}
