// What a policy means for one person, and which names a pattern means.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsPattern } from '#lib/name-patterns';
import { differencesOf } from '../../../../builtins/control-plane/plane-policy/differences.ts';
import { effectivePolicy } from '../../../../builtins/control-plane/plane-policy/effective.ts';
import { isFleetKey } from '../../../../builtins/control-plane/plane-policy/routes.ts';

test('groups add to what holds for everybody, and the lowest cap counts', () => {
  const policy = {
    allowedModels: ['a/*'],
    spendingCaps: { perDay: 10, perChat: 1 },
    groups: [
      { name: 'Interns', match: { people: ['ann@example.org'], roles: ['member' as const] }, allowedModels: ['*/small'], spendingCaps: { perDay: 2 } },
      { name: 'Bob', match: { people: ['bob@example.org'] }, blockedTools: ['x'] },
    ],
  };
  expect(effectivePolicy(policy, { email: 'Ann@example.org', role: 'member' })).toEqual({
    blockedTools: [],
    forcedApprovals: [],
    allowedModels: [
      { patterns: ['a/*'], from: 'everybody' },
      { patterns: ['*/small'], from: 'Interns' },
    ],
    spendingCaps: [
      { of: 'day', usd: 2, from: 'Interns' },
      { of: 'each_chat', usd: 1, from: 'everybody' },
    ],
  });
  expect(effectivePolicy(policy, { email: 'ann@example.org', role: 'admin' }).allowedModels.length).toBe(1);
});

test('a pattern fits what a regular expression of it fits', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 });
  const plain = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 });
  fc.assert(
    fc.property(text, plain, (pattern, name) => {
      const expression = new RegExp(
        `^${pattern
          .split('*')
          .map((part) => part.replaceAll('.', '\\.'))
          .join('.*')}$`,
      );
      expect(fitsPattern(pattern, name)).toBe(expression.test(name));
    }),
  );
});

test('two documents without a difference are the same, and a difference names its place', () => {
  expect(differencesOf({ a: { b: [1] } }, { a: { b: [1] } })).toEqual([]);
  expect(differencesOf({ a: 1, 'x/y': 2 }, { a: 1, z: 3 })).toEqual([
    { path: '/x~1y', before: 2 },
    { path: '/z', after: 3 },
  ]);
});

test('a fleet sets variables of the agent that are nobody’s secret', () => {
  expect(['AGENT_MODEL', 'AGENT_MAX_COMPLETION_TOKENS', 'AGENT_TEAM_AUDIT_LOG'].filter((name) => !isFleetKey(name))).toEqual([]);
  expect(
    ['AGENT_TRANSCRIBE_API_KEY', 'AGENT_INFERENCE_SESSION_TOKEN', 'OPENAI_API_KEY', 'AGENT_LICENSE_GRACE_DAYS', 'AGENT_HUB_SITE_URL'].filter(isFleetKey),
  ).toEqual([]);
});
