// Tests the texts that the host shows about remote viewers and codes.
import { expect, test } from 'vitest';
import { barText, groupedCode, remainingText, roleText } from '../../../../builtins/desktop/remote/ui/viewer-texts.ts';

test('names the viewers and which of them may control', () => {
  expect(barText([])).toBe('');
  expect(barText([{ name: 'Ann', mayControl: false }])).toBe('Ann sees this window');
  expect(barText([{ name: 'Ann', mayControl: true }])).toBe('Ann sees this window and may control it');
  const three = ['Ann', 'Bo', 'Cy'].map((name) => ({ name, mayControl: name !== 'Ann' }));
  expect(barText(three)).toBe('3 viewers see this window; Bo and Cy may control it');
});

test('describes a view-only viewer without control', () => {
  expect(roleText({ role: 'view', mayControl: false, mayDecide: false })).toBe('watches');
  expect(roleText({ role: 'control', mayControl: false, mayDecide: false })).toBe('watches, may ask to control');
  expect(roleText({ role: 'control', mayControl: true, mayDecide: true })).toBe('may control and decide');
});

test('groups a code in blocks of four and shows its remaining time', () => {
  expect(groupedCode('ABCD2345')).toBe('ABCD 2345');
  expect(remainingText('2026-01-01T00:10:00Z', Date.parse('2026-01-01T00:00:30Z'))).toBe('Valid for another 10 min.');
  expect(remainingText('2026-01-01T04:00:00Z', Date.parse('2026-01-01T00:00:00Z'))).toBe('Valid for another 4 h.');
  expect(remainingText('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:00:30Z'))).toBe('The code has expired.');
});
