import { expect, test } from 'vitest';
import { pluginError } from '../../../kernel/errors.ts';

test('a message placeholder may hold a full sentence without doubling the period', () => {
  const table = { REFUSED: { message: 'It was refused: {why}. Try again.' }, ASIDE: { message: 'It failed ({why}).' }, LAST: { message: 'It failed: {why}' } };
  const say = (reason: string, why: string): string => pluginError('any', table, reason, { why }).message;
  expect(say('REFUSED', 'Incorrect key provided.')).toBe('It was refused: Incorrect key provided. Try again.');
  expect(say('REFUSED', 'no key')).toBe('It was refused: no key. Try again.');
  expect(say('ASIDE', 'It is gone.')).toBe('It failed (It is gone).');
  expect(say('LAST', 'It is gone.')).toBe('It failed: It is gone.');
});
