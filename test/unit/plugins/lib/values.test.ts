import { expect, test } from 'vitest';
import { answeredJson, BoundedMap, isRecord, jsonOf, pictureTypeOf, recordIn, stableJson } from '#lib/values';

test('a bounded map evicts the oldest entry and reports it', () => {
  const forgotten: [string, number][] = [];
  const map = new BoundedMap<string, number>(2, (value, key) => forgotten.push([key, value]));
  map.set('a', 1).set('b', 2).set('a', 3);
  expect([...map]).toEqual([
    ['b', 2],
    ['a', 3],
  ]);
  map.set('c', 4);
  expect([...map.keys()]).toEqual(['a', 'c']);
  map.delete('a');
  expect(forgotten).toEqual([['b', 2]]);
});

test('stableJson returns equal text for equal values in any key order', () => {
  expect(stableJson({ b: [{ d: 1, c: undefined }], a: 'x' })).toBe('{"a":"x","b":[{"d":1}]}');
  expect(stableJson({ a: 'x', b: [{ d: 1 }] })).toBe(stableJson({ b: [{ d: 1 }], a: 'x' }));
  expect(stableJson(undefined)).toBe('');
});

test.each([
  ['89504e470d0a1a0a00', 'image/png'],
  ['ffd8ffe0', 'image/jpeg'],
  ['474946383961', 'image/gif'],
  ['52494646aabbccdd57454250', 'image/webp'],
  ['52494646aabbccdd57415645', undefined],
  ['89504e47', undefined],
  ['3c737667', undefined],
])('the image that begins with %s is %s', (hex, type) => {
  expect(pictureTypeOf(Buffer.from(hex, 'hex'))).toBe(type);
});

test('the JSON helpers return undefined or an empty record for invalid text', () => {
  expect([jsonOf('{"a":1}'), jsonOf('null'), jsonOf('{"a"'), jsonOf('')]).toEqual([{ a: 1 }, null, undefined, undefined]);
  expect([recordIn('{"a":1}'), recordIn('[1]'), recordIn('null'), recordIn('"a"'), recordIn('a')]).toEqual([{ a: 1 }, {}, {}, {}, {}]);
  expect(['{"a":1}', '```json\n{"a":1}\n```', ' ```\n{"a":1}```\n'].map(answeredJson)).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
  expect(answeredJson('It is {"a":1}.')).toBeUndefined();
  expect([{}, [], null, 'a', undefined].map(isRecord)).toEqual([true, false, false, false, false]);
});
