// The pure parts of the memory page.
import { expect, test } from 'vitest';
import { confidenceWords, emptyWords, keyOf, sourceWords } from '../../../../builtins/tools/memory/ui/memory-model.ts';

const from = (kind: 'user' | 'tool' | 'web' | 'model') => ({ source: { kind, ref: '' } });

test('where a note came from is said in words', () => {
  expect(sourceWords(from('user'))).toBe('written by you');
  expect(sourceWords(from('model'))).toBe('the agent, in a turn');
  expect(sourceWords(from('tool'))).toBe('a tool, in a turn');
  expect(sourceWords({ ...from('web'), isPending: true })).toBe('from the web, waits for you');
  expect(sourceWords(from('web'))).toBe('from the web');
});

test('a note that came with the folder is never called one’s own', () => {
  expect(sourceWords({ ...from('user'), isForeign: true })).toBe('came with this folder');
});

test('confidence is a share of a hundred', () => {
  expect([0, 0.666, 1].map(confidenceWords)).toEqual(['0 % sure', '67 % sure', '100 % sure']);
});

test('the same id in two scopes is two notes', () => {
  expect(keyOf({ scope: 'chat', id: 'fact:a' })).not.toBe(keyOf({ scope: 'global', id: 'fact:a' }));
});

test('an empty list says why it is empty', () => {
  expect(emptyWords('active', true).title).toBe('No note matches.');
  expect(new Set((['active', 'pending', 'deleted'] as const).map((show) => emptyWords(show, false).title)).size).toBe(3);
});
