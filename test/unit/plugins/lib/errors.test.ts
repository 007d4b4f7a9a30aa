import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { codeOf, errorOf, explainFault, fileRefusalOf, hasCode, isFailure, isMissing, messageOf, sentencesOf, stackOf } from '#lib/errors';

test.each([
  [new Error('It broke.'), 'It broke.'],
  [new TypeError(), 'TypeError'],
  [runInNewContext('new Error("of another realm")'), 'of another realm'],
  ['a word', 'a word'],
  [undefined, 'undefined'],
  [{ message: 'an object' }, 'an object'],
  [{ status: 503 }, '{"status":503}'],
  [Object.create(null), 'an object without a text form was thrown'],
])('messageOf returns a sentence for %o', (thrown, sentence) => {
  expect(messageOf(thrown)).toBe(sentence);
});

test.each([
  [new Error('It broke.'), 'It broke.'],
  [Object.assign(new Error('It broke'), { details: { advice: 'Mend it.' } }), 'It broke. Mend it.'],
  [{ message: 'It broke.', details: { advice: 'Mend it.' } }, 'It broke. Mend it.'],
  [{ message: 'It broke', details: { advice: '' } }, 'It broke'],
  [{ message: 'It broke', details: null }, 'It broke'],
])('sentencesOf appends the advice of %o', (thrown, sentences) => {
  expect(sentencesOf(thrown)).toBe(sentences);
});

test('a thrown non-error becomes an error with the value as its cause', () => {
  const fault = new Error('as it is');
  expect(errorOf(fault)).toBe(fault);
  expect(errorOf('a word')).toMatchObject({ message: 'a word', cause: 'a word' });
  expect(stackOf(fault)).toContain('errors.test.ts');
  expect(stackOf('a word')).toBe('a word');
});

test('error codes are strings, and a number does not count', () => {
  const missing = Object.assign(new Error('none'), { code: 'ENOENT' });
  expect([codeOf(missing), codeOf({ code: 404 }), codeOf(null)]).toEqual(['ENOENT', undefined, undefined]);
  expect([hasCode(missing, 'EACCES', 'ENOENT'), hasCode(missing, 'EACCES'), hasCode({}, 'EACCES')]).toEqual([true, false, false]);
  expect([isMissing(missing), isMissing('ENOENT')]).toEqual([true, false]);
});

test('file system failures are described in words, also inside a plugin error', () => {
  const full = Object.assign(new Error('ENOSPC: no'), { code: 'ENOSPC' });
  const named = Object.assign(new Error('It cannot be written.', { cause: full }), { code: 'STORAGE_ERR_UNWRITABLE' });
  expect([fileRefusalOf(full), fileRefusalOf(named)].map((one) => one?.reason)).toEqual(['the disk is full', 'the disk is full']);
  expect(fileRefusalOf(Object.assign(new Error('odd'), { code: 'EODD' }))?.reason).toBe('the system reports EODD');
  expect([fileRefusalOf(new Error('ours')), fileRefusalOf(Object.assign(new Error('wrapped', { cause: full }), { code: 'ERR_OTHER' }))]).toEqual([
    undefined,
    undefined,
  ]);
  const explained = explainFault(full, 'notes.txt');
  expect(isFailure(explained) && explained.message).toBe('notes.txt: the disk is full.');
  const other = new TypeError('ours');
  expect([explainFault(other, 'notes.txt'), explainFault(explained, 'notes.txt')]).toEqual([other, explained]);
});
