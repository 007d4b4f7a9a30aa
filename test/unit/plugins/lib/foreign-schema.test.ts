// Tests third-party schemas in any dialect.
import { expect, test } from 'vitest';
import { createSchemaCompiler, mapSubschemas } from '#lib/foreign-schema';

const draft4 = 'http://json-schema.org/draft-04/schema#';
const draft7 = 'http://json-schema.org/draft-07/schema#';

test.each<[string, object, unknown[], unknown[]]>([
  [
    'a tuple of 2020-12',
    { prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
    [[1, 2], [1]],
    [
      [1, 'a'],
      [1, 2, 3],
    ],
  ],
  ['a tuple of draft 7 without a dialect', { items: [{ type: 'number' }], additionalItems: { type: 'string' } }, [[1, 'a']], [['a'], [1, 2]]],
  ['a pointer into a tuple', { items: [{ type: 'number' }, { $ref: '#/items/0' }] }, [[1, 2]], [[1, 'a']]],
  ['dependent keywords', { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } }, [{}, { a: 1, b: 1 }], [{ a: 1 }, { c: 1 }]],
  ['dependencies', { dependencies: { a: ['b'], c: { required: ['d'] } } }, [{}, { a: 1, b: 1 }], [{ a: 1 }, { c: 1 }]],
  ['unevaluated properties', { allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, [{ a: 1 }], [{ b: 1 }]],
  ['minContains', { contains: { const: 1 }, minContains: 2 }, [[1, 1]], [[1]]],
  ['exclusive bounds of draft 4', { $schema: draft4, minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false }, [2, 5], [1, 6]],
  ['exclusive bounds of draft 4 without a dialect', { minimum: 1, exclusiveMinimum: true }, [2], [1]],
  ['an id of draft 4', { $schema: draft4, id: 'http://example.com/a', definitions: { a: { type: 'string' } }, $ref: '#/definitions/a' }, ['a'], [1]],
  ['keywords next to a reference of draft 7', { $schema: draft7, definitions: { a: { type: 'array' } }, $ref: '#/definitions/a', maxItems: 1 }, [[1, 2]], [1]],
  ['keywords next to a reference of 2020-12', { $defs: { a: { type: 'array' } }, $ref: '#/$defs/a', maxItems: 1 }, [[1]], [[1, 2], 1]],
  ['recursion of 2019-09', { type: 'object', additionalProperties: { $recursiveRef: '#' } }, [{ a: { b: {} } }], [{ a: { b: 1 } }]],
  ['an anchor', { $defs: { a: { $anchor: 'name', type: 'string' } }, $ref: '#name' }, ['a'], [1]],
  ['an unknown dialect, format and keyword', { $schema: 'urn:x', type: 'string', format: 'odd', odd: 1 }, ['a'], [1]],
  [
    'types and structure of a dialect in another document',
    { $schema: 'https://example.com/dialect', properties: { a: { type: 'number', minimum: 10 }, b: false }, minProperties: 3 },
    [{}, { a: 1 }],
    [{ a: 'x' }, { b: 1 }],
  ],
  ['a condition without branches', { if: { properties: { a: { const: 1 } } }, unevaluatedProperties: false }, [{ a: 1 }], []],
  ['an empty enum', { enum: [] }, [], [1]],
  ['names of the prototype', { required: ['toString'] }, [{ toString: 1 }], [{}]],
])('validates %s', (_, schema, fitting, others) => {
  for (const form of [schema, JSON.parse(JSON.stringify(schema)) as object]) {
    const validate = createSchemaCompiler()(form);
    for (const value of fitting) expect(validate(value), JSON.stringify(value)).toBe(true);
    for (const value of others) expect(validate(value), JSON.stringify(value)).toBe(false);
  }
});

test('a schema is compiled once, and only subschemas are rewritten', () => {
  const schema = { type: 'object', properties: { items: { type: 'array' }, id: { enum: [{ items: [1], id: 'x' }], default: { items: [1] } } } };
  const compile = createSchemaCompiler();
  expect(compile(schema)).toBe(compile(schema));
  expect(compile(schema)({ items: [1], id: { items: [1], id: 'x' } })).toBe(true);
  expect(mapSubschemas(schema, (inner) => inner)).toBe(schema);
  expect(mapSubschemas({ properties: { a: {} }, default: {}, items: [{}] }, () => ({ b: 1 }))).toEqual({
    properties: { a: { b: 1 } },
    default: {},
    items: [{ b: 1 }],
  });
});

test('throws for an invalid schema', () => {
  expect(() => createSchemaCompiler()({ type: 'strin' })).toThrow();
  expect(() => createSchemaCompiler()({ $ref: '#/nowhere' })).toThrow();
});
