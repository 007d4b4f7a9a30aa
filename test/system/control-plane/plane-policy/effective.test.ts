// Tests the effective policy of a person, pattern matching and document differences.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsPattern } from '#lib/name-patterns';
import { differencesOf } from '../../../../builtins/control-plane/plane-policy/differences.ts';
import { effectivePolicy } from '../../../../builtins/control-plane/plane-policy/effective.ts';
import { isFleetKey } from '../../../../builtins/control-plane/plane-policy/routes.ts';

test('adds group rules to the rules for everybody and applies the lowest cap', () => {
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

test('matches a pattern like the equivalent regular expression', () => {
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

test('returns no difference for equal documents, else the path of each difference', () => {
  expect(differencesOf({ a: { b: [1] } }, { a: { b: [1] } })).toEqual([]);
  expect(differencesOf({ a: 1, 'x/y': 2 }, { a: 1, z: 3 })).toEqual([
    { path: '/x~1y', before: 2 },
    { path: '/z', after: 3 },
  ]);
});

test('allows fleet settings except secrets and protected variables', () => {
  expect(['AGENT_MODEL', 'AGENT_MAX_COMPLETION_TOKENS', 'AGENT_TEAM_AUDIT_LOG'].filter((name) => !isFleetKey(name))).toEqual([]);
  expect(
    ['AGENT_TRANSCRIBE_API_KEY', 'AGENT_INFERENCE_SESSION_TOKEN', 'OPENAI_API_KEY', 'AGENT_LICENSE_GRACE_DAYS', 'AGENT_HUB_SITE_URL'].filter(isFleetKey),
  ).toEqual([]);
});
