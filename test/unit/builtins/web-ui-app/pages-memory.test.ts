// Tests the pure functions of the memory page.
import { expect, test } from 'vitest';
import { confidenceWords, emptyWords, keyOf, sourceWords } from '../../../../builtins/tools/memory/ui/memory-model.ts';

const from = (kind: 'user' | 'tool' | 'web' | 'model') => ({ source: { kind, ref: '' } });

test('describes the source of a note, and never a note from the folder as written by the user', () => {
  expect(sourceWords(from('user'))).toBe('written by you');
  expect(sourceWords(from('model'))).toBe('the agent, in a turn');
  expect(sourceWords(from('tool'))).toBe('a tool, in a turn');
  expect(sourceWords({ ...from('web'), isPending: true })).toBe('from the web, waiting for review');
  expect(sourceWords(from('web'))).toBe('from the web');
  expect(sourceWords({ ...from('user'), isForeign: true })).toBe('came with this folder');
});

test('formats confidence as a percentage', () => {
  expect([0, 0.666, 1].map(confidenceWords)).toEqual(['0 % sure', '67 % sure', '100 % sure']);
});

test('gives notes with the same id in two scopes different keys', () => {
  expect(keyOf({ scope: 'chat', id: 'fact:a' })).not.toBe(keyOf({ scope: 'global', id: 'fact:a' }));
});

test('explains why a list is empty', () => {
  expect(emptyWords('active', true).title).toBe('No note matches.');
  expect(new Set((['active', 'pending', 'deleted'] as const).map((show) => emptyWords(show, false).title)).size).toBe(3);
});
