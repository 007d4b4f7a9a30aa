// Tests the conversion of tool schemas to the JSON Schema subset that all providers accept.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRecord } from '#lib/values';
import { portableSchema } from '../../../../plugins/models/portable-schema.ts';
import { runs } from '../../../helpers/dice.ts';
import { startHarness, useAll } from '../../../helpers/in-process.ts';

type Schema = Record<string, any>;

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const rewritten = (property: unknown, more: object = {}): unknown => (portableSchema(object({ x: property }, more)) as Schema)['properties'].x;
const any = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object' }, { type: 'array', items: { type: 'string' } }];

function faultsOf(node: Schema, at = '#'): string[] {
  const keys = Object.keys(node);
  const allowed: Record<string, string[]> = {
    string: ['description', 'enum', 'format', 'minLength', 'maxLength'],
    integer: ['description', 'minimum', 'maximum'],
    number: ['description', 'minimum', 'maximum'],
    boolean: ['description'],
    array: ['description', 'items', 'minItems', 'maxItems'],
    object: ['description', 'properties', 'required'],
  };
  if (at !== '#' && keys.length === 1 && Array.isArray(node['anyOf'])) {
    return node['anyOf'].length < 2 ? [`${at}: one branch`] : node['anyOf'].flatMap((one, index) => faultsOf(one, `${at}/anyOf/${index}`));
  }
  const type = String(node['type']);
  const faults = keys.filter((key) => key !== 'type' && !allowed[type]?.includes(key)).map((key) => `${at}: ${key} of ${type}`);
  if (!allowed[type] || (at === '#' && (type !== 'object' || !isRecord(node['properties'])))) faults.push(`${at}: type ${type}`);
  if ('description' in node && (typeof node['description'] !== 'string' || node['description'] === '')) faults.push(`${at}: description`);
  if ('enum' in node && (node['enum'].length === 0 || node['enum'].some((one: unknown) => typeof one !== 'string' || one === ''))) faults.push(`${at}: enum`);
  if ('format' in node && node['format'] !== 'date-time') faults.push(`${at}: format`);
  if ('required' in node && (node['required'].length === 0 || node['required'].some((name: string) => !Object.hasOwn(node['properties'] ?? {}, name)))) {
    faults.push(`${at}: required`);
  }
  const properties = Object.entries((node['properties'] ?? {}) as Schema);
  faults.push(...properties.filter(([name]) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name)).map(([name]) => `${at}: name ${name}`));
  if (type === 'array') faults.push(...(isRecord(node['items']) ? faultsOf(node['items'], `${at}/items`) : [`${at}: no items`]));
  return [...faults, ...properties.flatMap(([name, one]) => faultsOf(one, `${at}/${name}`))];
}

test('an already portable schema is returned as the same object, in any key order', () => {
  const schema = object(
    {
      path: { description: 'A path.', type: 'string', minLength: 1 },
      mode: { type: 'string', enum: ['a', 'b'] },
      when: { type: 'string', format: 'date-time' },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
      at: { anyOf: [{ type: 'string' }, { type: 'object', properties: { line: { type: 'integer', minimum: 1 } }, required: ['line'] }] },
    },
    { required: ['path'], description: 'All of it.' },
  );
  expect(portableSchema(schema)).toBe(schema);
  const empty = { type: 'object', properties: {} };
  expect(portableSchema(empty)).toBe(empty);
});

test.each<[string, object, object]>([
  [
    'union branches that contain only `required`',
    object({ a: { type: 'string' }, b: { type: 'string' } }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    { type: 'object', description: 'requires a, or b', properties: { a: { type: 'string' }, b: { type: 'string' } } },
  ],
  [
    'a discriminated union',
    {
      oneOf: [
        object({ kind: { const: 'file' }, path: { type: 'string' } }, { required: ['kind', 'path'] }),
        object({ kind: { const: 'url' }, url: { type: 'string' } }, { required: ['kind', 'url'] }),
      ],
    },
    {
      type: 'object',
      description: 'requires path, or url',
      properties: { kind: { type: 'string', enum: ['file', 'url'] }, path: { type: 'string' }, url: { type: 'string' } },
      required: ['kind'],
    },
  ],
  [
    'allOf with references',
    {
      $defs: { page: object({ page: { type: 'integer' } }, { required: ['page'] }) },
      allOf: [{ $ref: '#/$defs/page' }, object({ q: { type: 'string' } }, { required: ['q'] })],
    },
    { type: 'object', properties: { page: { type: 'integer' }, q: { type: 'string' } }, required: ['page', 'q'] },
  ],
  ['only a reference', { $ref: '#/definitions/All', definitions: { All: object({ a: { type: 'string' } }) } }, object({ a: { type: 'string' } })],
  [
    'conditions',
    object({ a: { type: 'string' } }, { if: { required: ['a'] }, then: { properties: { b: { type: 'string' } }, required: ['b'] }, not: { required: ['c'] } }),
    object({ a: { type: 'string' }, b: { type: 'string' } }),
  ],
  ['an enum of objects', { type: 'object', enum: [{ a: 1 }] }, { type: 'object', description: 'always {"a":1}', properties: {} }],
  ['a non-object', { type: 'string' }, object({})],
  ['a list of types', { type: ['object', 'null'], properties: { a: { type: 'string' } } }, object({ a: { type: 'string' } })],
])('converts %s at the top level to properties', (_, schema, expected) => {
  expect(portableSchema(schema)).toEqual(expected);
});

test.each<[string, unknown, unknown]>([
  ['a null type', { type: ['string', 'null'], description: 'Who.' }, { type: 'string', description: 'Who.' }],
  ['a nullable union', { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null, title: 'Limit' }, { type: 'integer', minimum: 1 }],
  ['several types', { type: ['string', 'number'], description: 'Id.' }, { anyOf: [{ type: 'string', description: 'Id.' }, { type: 'number' }] }],
  ['constants', { oneOf: [{ const: 'a', description: 'First.' }, { const: 'b' }] }, { type: 'string', description: 'a: First.', enum: ['a', 'b'] }],
  ['a number enum', { enum: [1, 2, null] }, { type: 'integer', description: 'one of 1, 2' }],
  ['an enum with empty texts', { type: 'string', enum: ['', 'a', null] }, { type: 'string', enum: ['a'] }],
  ['an enum of only an empty text', { type: 'string', enum: [''] }, { type: 'string' }],
  [
    'mixed values',
    { enum: ['all', 5] },
    {
      anyOf: [
        { type: 'string', enum: ['all'] },
        { type: 'integer', description: 'always 5' },
      ],
    },
  ],
  [
    'texts with constraints',
    { type: 'string', pattern: '^a', format: 'email', default: 'a@b.c', examples: ['a'], $comment: 'x', description: 'Mail.' },
    { type: 'string', description: 'Mail. (pattern ^a; format email; default a@b.c)' },
  ],
  [
    'exclusive bounds',
    { type: 'number', exclusiveMinimum: 0, maximum: 5, multipleOf: 0.5 },
    { type: 'number', description: 'more than 0; a multiple of 0.5', maximum: 5 },
  ],
  ['exclusive bounds of draft 4', { type: 'number', minimum: 0, exclusiveMinimum: true }, { type: 'number', description: 'more than 0', minimum: 0 }],
  [
    'a tuple',
    { prefixItems: [{ type: 'number' }, { type: 'string' }], items: false },
    { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'string' }] } },
  ],
  ['a tuple of draft 7', { type: 'array', items: [{ type: 'number' }, { type: 'number' }] }, { type: 'array', items: { type: 'number' } }],
  ['a list without an item schema', { type: 'array', uniqueItems: true }, { type: 'array', description: 'no duplicates', items: { anyOf: any } }],
  [
    'a map',
    { type: 'object', additionalProperties: { type: 'string', description: 'A text.' } },
    { type: 'object', description: 'other keys: string (A text.)' },
  ],
  [
    'a closed object',
    { type: 'object', properties: { a: true }, additionalProperties: false, required: ['a', 'b'] },
    { type: 'object', properties: { a: { anyOf: any } }, required: ['a'] },
  ],
  ['anything', { description: 'A value.' }, { anyOf: [{ type: 'string', description: 'A value.' }, ...any.slice(1)] }],
  [
    'keys that are invalid names',
    object({ 'a b': { type: 'string' }, c: { type: 'string' } }),
    { type: 'object', description: 'more keys: "a b"', properties: { c: { type: 'string' } } },
  ],
  ['huge bounds', { type: 'string', maxLength: 100_000, minLength: 1 }, { type: 'string', minLength: 1 }],
  [
    'merged branches',
    {
      allOf: [
        { type: 'string', maxLength: 9 },
        { maxLength: 5, description: 'B.' },
      ],
    },
    { type: 'string', description: 'B.', maxLength: 5 },
  ],
  ['an implied type', { properties: { a: { minimum: 3 } } }, object({ a: { type: 'number', minimum: 3 } })],
])('converts %s in a property', (_, property, expected) => {
  expect(rewritten(property)).toEqual(expected);
});

test('the description of a required nullable value states that null is allowed', () => {
  expect(rewritten({ type: ['string', 'null'], description: 'Parent.' }, { required: ['x'] })).toEqual({
    type: 'string',
    description: 'Parent. (may be null)',
  });
});

test('an unsatisfiable property is omitted', () => {
  expect(portableSchema(object({ a: false, b: { type: 'null' }, c: { allOf: [false] } }, { required: ['a', 'b'] }))).toEqual(object({}));
});

test('recursion ends with a plain object', () => {
  const tree = { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } } };
  expect(rewritten({ $ref: '#/$defs/tree' }, { $defs: { tree } })).toEqual(
    object({ name: { type: 'string' }, children: { type: 'array', items: { type: 'object' } } }),
  );
  expect(portableSchema(object({ self: { $ref: '#' } }))).toEqual(object({ self: { type: 'object' } }));
});

test('an exploding schema stays small and nothing throws', () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 25 }, (_, at) => [`d${at}`, object({ l: { $ref: `#/$defs/d${at + 1}` }, r: { $ref: `#/$defs/d${at + 1}` } })]),
  );
  const wide = object(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, { type: 'string', description: 'x'.repeat(50) }])));
  const cycle: Schema = { type: 'object' };
  cycle['anyOf'] = [cycle];
  const deep = Array.from({ length: 5_000 }).reduce<object>((inner) => object({ a: inner }), { type: 'string' });
  const throwing = Object.defineProperty({}, 'type', { enumerable: true, get: () => expect.unreachable() });
  for (const schema of [object({ x: { $ref: '#/$defs/d0' } }, { $defs: doubling }), wide, cycle, deep, throwing, { $ref: '#/%' }, [] as object]) {
    const result = portableSchema(schema);
    expect(faultsOf(result as Schema)).toEqual([]);
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(40_000);
    expect(portableSchema(result)).toBe(result);
  }
});

/** Schemas of all dialects, including contradictory keywords. */
const randomSchema = fc.letrec<{ node: unknown }>((tie) => {
  const name = fc.constantFrom('a', 'b', 'c', 'a b', '__proto__', 'constructor', 'type');
  const list = fc.array(tie('node'), { maxLength: 3 });
  const map = fc.dictionary(name, tie('node'), { maxKeys: 3 });
  const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'file');
  const value = fc.oneof(fc.constantFrom('', 'a', 'b', 1, 1.5, true, null), fc.constant({ a: 1 }), fc.constant([1]));
  const keywords = {
    ...{ type: fc.oneof(type, fc.array(type, { maxLength: 3 })), enum: fc.array(value, { maxLength: 4 }), const: value, default: value },
    ...{ properties: map, patternProperties: map, $defs: map, dependentSchemas: map, required: fc.array(name, { maxLength: 2 }) },
    ...{
      additionalProperties: tie('node'),
      items: fc.oneof(tie('node'), list),
      prefixItems: list,
      minItems: fc.constantFrom(1, 5_000),
      uniqueItems: fc.boolean(),
    },
    ...{
      anyOf: list,
      oneOf: list,
      allOf: list,
      if: tie('node'),
      then: tie('node'),
      else: tie('node'),
      not: tie('node'),
      description: fc.constantFrom('', 'Text.', 5),
    },
    ...{
      minimum: fc.constantFrom(0, 1e300),
      exclusiveMinimum: fc.constantFrom(true, 0),
      pattern: fc.constantFrom('^a', 7),
      format: fc.constantFrom('date-time', 'uri'),
    },
    ...{ nullable: fc.boolean(), title: fc.string(), $ref: fc.constantFrom('#', '#/$defs/a', '#/properties/a', 'http://x/y', '#/%', '#a') },
  };
  const keyword = fc.oneof(...Object.entries(keywords).map(([key, values]) => fc.tuple(fc.constant(key), values as fc.Arbitrary<unknown>)));
  const keywordList = fc.array(keyword, { maxLength: 4 }).map((pairs): unknown => Object.fromEntries(pairs));
  return { node: fc.oneof({ maxDepth: 5 }, fc.constantFrom<unknown>(true, false, {}, { type: 'string' }), keywordList) };
}).node;

test('the result is portable, stable and deterministic for any input', () => {
  fc.assert(
    fc.property(randomSchema, (schema) => {
      const input = isRecord(schema) ? schema : object({ a: schema });
      const result = portableSchema(input);
      expect(faultsOf(result as Schema)).toEqual([]);
      expect(portableSchema(result)).toBe(result);
      expect(JSON.stringify(portableSchema(structuredClone(input)))).toBe(JSON.stringify(result));
    }),
    runs(20_000),
  );
});

const harness = useAll(() => startHarness({ listen: false }));

test('the tools of the stock server keep all properties', () => {
  const tools = harness.kernel.resolve('tools');
  const sizes = tools.list().map(({ name }) => {
    const input = tools.specOf(name)?.input ?? {};
    const result = portableSchema(input);
    expect(faultsOf(result as Schema)).toEqual([]);
    expect(Object.keys((result as Schema)['properties'])).toEqual(Object.keys((input as Schema)['properties'] ?? {}));
    return [JSON.stringify(input).length, JSON.stringify(result).length];
  });
  expect(sizes.filter(([before = 0, after = 0]) => after > before)).toEqual([]);
});
