// Tests the scan of JSON text for nesting depth and duplicate names.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNestedDeeper, nameTwiceIn, wellFormedJson } from '../../../../plugins/lib/json-text.ts';
import { runs } from '../../../helpers/dice.ts';

test('depth counts lists and objects, not brackets in strings', () => {
  expect(isNestedDeeper('[[{"a":"[[[[\\"[["}]]', 3)).toBe(false);
  expect(isNestedDeeper('[[[{"a":1}]]]', 3)).toBe(true);
});

test.each([
  ['{"a":1,"b":{"a":2},"c":["a","a"]}', undefined],
  ['{"a":1,"b":2,"a":3}', 'a'],
  [' { "a" : "x,\\"a\\":" , "\\u0061" : 1 } ', 'a'],
  ['{"a":{"b":[1,{"c":2}]},"d":[{"a":1}],"d":0}', 'd'],
  ['{"":1,"":2}', ''],
  ['{}', undefined],
])('returns the duplicate name in %s, if any', (text, name) => {
  expect(nameTwiceIn(text)).toBe(name);
});

/** Strings of characters that JSON escapes or that may confuse a scanner. */
const texts = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ',', ':', '\n', 'é', '\0'), maxLength: 6 });

test('an object with unique names has no duplicate, and one with a repeated name has one', () => {
  fc.assert(
    fc.property(fc.dictionary(texts, texts, { minKeys: 1, maxKeys: 4 }), fc.nat(10), (value, pick) => {
      const text = JSON.stringify(value);
      expect(nameTwiceIn(text)).toBeUndefined();
      const names = Object.keys(JSON.parse(text) as object);
      const again = names[pick % names.length] ?? '';
      expect(nameTwiceIn(`${text.slice(0, -1)},${JSON.stringify(again)}:0}`)).toBe(again);
    }),
    runs(200),
  );
});

test('half surrogate pairs become U+FFFD in strings and names, and everything else is unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom('\ud83d', '\ude00', '\udbff x', 'a\\\ud83d'), fc.boolean(), (value, half, isRaw) => {
      const whole = JSON.stringify(value);
      expect(JSON.parse(wellFormedJson(whole))).toEqual(value);
      const given = JSON.stringify({ [half]: [half, '😀', '\\ud83d', value] });
      const text = isRaw ? `{"${half.replaceAll('\\', '\\\\')}":1}` : given;
      expect(/\p{Surrogate}/u.test(JSON.stringify(JSON.parse(wellFormedJson(text))).replace(/\\\\/g, ''))).toBe(false);
      expect(JSON.stringify(JSON.parse(wellFormedJson(text)))).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/);
    }),
    runs(400),
  );
  expect(wellFormedJson('{"\\ud83d":"\\ud83d\\ude00 \\uDE00 \\\\ud83d"}')).toBe('{"\\ufffd":"\\ud83d\\ude00 \\ufffd \\\\ud83d"}');
});
