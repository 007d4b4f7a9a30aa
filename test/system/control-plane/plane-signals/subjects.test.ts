import fc from 'fast-check';
import { expect, test } from 'vitest';
import { subjectOf } from '../../../../builtins/control-plane/plane-signals/nats-signals.ts';

test('a topic of plain words is the subject', () => {
  expect(subjectOf('bus.org_01H.x-1')).toBe('bus.org_01H.x-1');
  expect(subjectOf('bus.*.>')).toBe('bus.=2a=.=3e=');
  expect(subjectOf('a..b c')).toBe('a.=.b=20=c');
});

test('whatever stands in a part, it is one part of characters that mean nothing, and two parts never become the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      const [a, b] = [one, other].map((part) => subjectOf(part.replaceAll('.', '')));
      expect(a).toMatch(/^[\w=-]+$/);
      expect(a === b).toBe(one.replaceAll('.', '') === other.replaceAll('.', ''));
    }),
  );
});
