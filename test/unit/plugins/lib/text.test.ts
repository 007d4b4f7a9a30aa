// Characters that hide, reorder or blank out visible text.
import { expect, test } from 'vitest';
import { escapeHidden, showHidden, splitHidden, stripHidden } from '#lib/hidden-text';
import { clip, firstLine, nearestNames, oneLine, splitText, textEnd, textPart, textStart } from '#lib/text';

const hidden = [
  ...['\u0000', '\u0008', '\u000b', '\r', '\u001b', '\u007f', '\u0085', '\u009f'],
  ...['\u00a0', '\u1680', '\u2000', '\u2007', '\u200a', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\u2800'],
  ...[
    ...['\u00ad', '\u034f', '\u061c', '\u115f', '\u1160', '\u17b4', '\u180b', '\u180e', '\u200b', '\u200c', '\u200e', '\u202a', '\u202e', '\u2060', '\u2066'],
    '\u2069',
  ],
  ...['\u3164', '\ufe00', '\ufe0f', '\ufeff', '\uffa0', '\ufffc', '\ud800', '\u{e0001}', '\u{e0041}', '\u{e0100}', '\u{1d159}', '\u{1d173}'],
];

test.each(hidden.map((one) => [`U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`, one]))(
  '%s is shown, escaped and stripped',
  (name, one) => {
    expect(splitHidden(`a${one}b`)).toEqual([
      { text: 'a', isHidden: false },
      { text: name, isHidden: true },
      { text: 'b', isHidden: false },
    ]);
    expect(showHidden(`a${one}b${one}c`)).toBe(`a[${name}]b[${name}]c`);
    expect(stripHidden(`a${one}b`)).toMatch(/^a ?b$/);
    const json = escapeHidden(JSON.stringify({ text: `a${one}b` }));
    expect(json).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(json)).toEqual({ text: `a${one}b` });
  },
);

test('plain text, line breaks, emoji and other scripts are unchanged', () => {
  for (const text of ['a\tb\nc\r\nd', 'שלום naïve 漢字 한글 नमस्ते', '👩‍👩‍👧 ❤️ 👍🏽 🏳️‍🌈', '[]<>\\u0041']) {
    expect(splitHidden(text)).toEqual([{ text, isHidden: false }]);
    for (const change of [showHidden, escapeHidden, stripHidden]) expect(change(text)).toBe(text);
  }
});

test('a joiner or variation selector outside an emoji counts as hidden', () => {
  for (const text of ['a\u200db', '👩\u200db', 'a\ufe0f', 'a\u200d👩']) expect(splitHidden(text).filter(({ isHidden }) => isHidden)).toHaveLength(1);
});

test('blanks become spaces when hidden characters are stripped', () => {
  expect(stripHidden('a\u00a0b\u2003c\u3164d')).toBe('a b cd');
});

test('textStart, textEnd and clip never split a character or exceed the requested length', () => {
  const text = 'a😀b😀';
  expect([0, 1, 2, 3, 4, 6].map((length) => textStart(text, length))).toEqual(['', 'a', 'a', 'a😀', 'a😀b', text]);
  expect([0, 1, 2, 3, 6].map((length) => textEnd(text, length))).toEqual(['', '', '😀', 'b😀', text]);
  expect([-1, 1, 3, 4, 6].map((length) => clip(text, length))).toEqual(['…', '…', 'a…', 'a😀…', text]);
});

test('nearestNames suggests names by prefix or a few typos', () => {
  const slips = (): number => 2;
  expect(nearestNames('stauts', ['status', 'start', 'stop', 'audit'], { slips })).toEqual(['status', 'start']);
  expect(nearestNames('mo', ['model', 'mode', 'help'], { slips: () => 0 })).toEqual(['mode', 'model']);
  expect(nearestNames('READ', ['read', 'write'], { slips: () => 0, form: (name) => name.toLowerCase() })).toEqual(['read']);
});

test('oneLine removes line breaks, control characters and bidi marks, and keeps text that fits', () => {
  expect(oneLine('  a\r\n\tb\u0007\u001b[1mc\u202ed\u2069 ')).toBe('a b [1mc d');
  expect(oneLine('می\u200cخواهم 👩\u200d👧')).toBe('می\u200cخواهم 👩\u200d👧');
  expect(oneLine('one two', 7)).toBe('one two');
  expect(oneLine('one two', 6)).toBe('one t…');
  expect(oneLine(' \n ')).toBe('');
});

test('firstLine returns the first line that is not blank', () => {
  expect(firstLine('\n \n  one \r\ntwo')).toBe('one');
  expect(firstLine('one two\nthree', 5)).toBe('one …');
  expect(firstLine('\n')).toBe('');
});

test('textPart and splitText never split a character, and the pieces make up the whole text', () => {
  for (const text of ['c' + '😀'.repeat(9), '😀'.repeat(9), 'abc😀'.repeat(4)]) {
    for (let start = 0; start <= text.length; start++) {
      for (let end = start; end <= text.length; end++) {
        const part = textPart(text, start, end);
        expect(/\p{Surrogate}/u.test(part)).toBe(false);
        expect(text.slice(start, end).includes(part) && part.length >= end - start - 2).toBe(true);
      }
    }
    for (const length of [2, 3, 7, 100]) {
      const pieces = splitText(text, length);
      expect(pieces.join('')).toBe(text);
      expect(pieces.every((piece) => piece.length <= length && !/\p{Surrogate}/u.test(piece))).toBe(true);
    }
  }
  expect([splitText('', 5), splitText('\ud83d\ud83d\ud83d', 2).join('')]).toEqual([[], '\ud83d\ud83d\ud83d']);
});
