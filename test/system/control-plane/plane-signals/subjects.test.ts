import fc from 'fast-check';
import { expect, test } from 'vitest';
import { subjectOf } from '../../../../builtins/control-plane/plane-signals/nats-signals.ts';

test('maps a topic to a subject and escapes special characters', () => {
  expect(subjectOf('bus.org_01H.x-1')).toBe('bus.org_01H.x-1');
  expect(subjectOf('bus.*.>')).toBe('bus.=2a=.=3e=');
  expect(subjectOf('a..b c')).toBe('a.=.b=20=c');
});

test('maps each part to one safe token without collisions', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      const [a, b] = [one, other].map((part) => subjectOf(part.replaceAll('.', '')));
      expect(a).toMatch(/^[\w=-]+$/);
      expect(a === b).toBe(one.replaceAll('.', '') === other.replaceAll('.', ''));
    }),
  );
});
