// Tests regular expressions with a time limit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLimitedPatterns } from '../../../../plugins/patterns/limited-patterns.ts';
import { runs } from '../../../helpers/dice.ts';

const make = createLimitedPatterns();

test.each(['^(a+)+$', '(a|a)*b$', '^a*a*a*a*a*a*a*a*b$', 'a*a*a*a*a*a*a*a*a*b', '^(?:a|b|ab)*c$', '^(a?){40}a{40}$'])('%s ends within the limit', (source) => {
  const pattern = make(source, 'u');
  const answer = (): unknown => {
    try {
      return pattern.test(`${'a'.repeat(3_000)}!`);
    } catch (fault) {
      return String(fault);
    }
  };
  // An engine that optimizes the pattern may return a result.
  expect([false, expect.stringContaining('takes more than 1000 ms')]).toContainEqual(answer());
});

test('returns the same result as the plain pattern', () => {
  const piece = fc.constantFrom('a', 'b', '[ab]', '[^a]', '[a\\]]', '\\.', '\\d', '.', '(?:ab)', 'a|b');
  const count = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}');
  const source = fc
    .tuple(fc.constantFrom('^', ''), fc.array(fc.tuple(piece, count), { maxLength: 4 }), fc.constantFrom('$', ''))
    .map(([start, pieces, end]) => start + pieces.map((both) => both.join('')).join('') + end);
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', ']', '1'), maxLength: 8 });
  fc.assert(
    fc.property(source, text, (pattern, one) => make(pattern, 'u').test(one) === new RegExp(pattern, 'u').test(one)),
    runs(300),
  );
});

test('an invalid pattern throws when it is created', () => {
  expect(() => make('(', 'u')).toThrow();
});
