import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { codeOf, errorOf, hasCode, isMissing, messageOf, stackOf } from 'agent-harness/lib/errors';

test.each([
  [new Error('It broke.'), 'It broke.'],
  [new TypeError(), 'TypeError'],
  [runInNewContext('new Error("of another realm")'), 'of another realm'],
  ['a word', 'a word'],
  [undefined, 'undefined'],
  [{ message: 'an object' }, 'an object'],
  [{ status: 503 }, '{"status":503}'],
  [Object.create(null), 'it threw something that cannot be shown'],
])('a sentence for %o', (thrown, sentence) => {
  expect(messageOf(thrown)).toBe(sentence);
});

test('what is no error becomes one, and keeps what it was', () => {
  const fault = new Error('as it is');
  expect(errorOf(fault)).toBe(fault);
  expect(errorOf('a word')).toMatchObject({ message: 'a word', cause: 'a word' });
  expect(stackOf(fault)).toContain('errors.test.ts');
  expect(stackOf('a word')).toBe('a word');
});

test('codes are words; a number is none', () => {
  const missing = Object.assign(new Error('none'), { code: 'ENOENT' });
  expect([codeOf(missing), codeOf({ code: 404 }), codeOf(null)]).toEqual(['ENOENT', undefined, undefined]);
  expect([hasCode(missing, 'EACCES', 'ENOENT'), hasCode(missing, 'EACCES'), hasCode({}, 'EACCES')]).toEqual([true, false, false]);
  expect([isMissing(missing), isMissing('ENOENT')]).toEqual([true, false]);
});
