import { expect, test } from 'vitest';
import { openStorage } from './open-storage.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const open = useAll(() => openStorage());

test('an id is its prefix and a 26-character ULID', () => {
  expect(open.storage.createId('chat')).toMatch(/^chat_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
});

test('ids sort in order of creation, even within a millisecond', () => {
  const ids = Array.from({ length: 5_000 }, () => open.storage.createId('turn'));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('isId accepts an id only with its own prefix', () => {
  const id = open.storage.createId('chat');
  expect(open.storage.isId('chat', id)).toBe(true);
  expect(open.storage.isId('turn', id)).toBe(false);
});

test.each([
  ['a path traversal', 'chat_../../../../etc/passwd0000'],
  ['an id with a suffix', `chat_01ARZ3NDEKTSV4RRFFQ69G5FAV/..`],
  ['an id with a trailing line break', 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV\n'],
  ['lower case', 'chat_01arz3ndektsv4rrffq69g5fav'],
  ['a letter outside the Crockford alphabet', 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAU'],
  ['a time beyond 48 bits', 'chat_81ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['a bare ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['empty text', ''],
  ['a number', 7],
  ['a list that prints as an id', ['chat_01ARZ3NDEKTSV4RRFFQ69G5FAV']],
  ['nothing', undefined],
])('%s is not an id', (_, text) => {
  expect(open.storage.isId('chat', text)).toBe(false);
});
