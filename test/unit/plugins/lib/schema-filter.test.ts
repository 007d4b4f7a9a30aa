import * as Type from 'typebox';
import { expect, test } from 'vitest';
import { filterBySchema, hasPermissions, permissionKey } from '../../../../plugins/lib/schema-filter.ts';

const filtered = (schema: unknown, value: unknown): unknown => JSON.parse(JSON.stringify(filterBySchema(schema, value)));

test('drops fields outside the schema at every depth', () => {
  const schema = Type.Object({ a: Type.Object({ b: Type.Array(Type.Object({ c: Type.Number() })) }) });
  expect(filtered(schema, { a: { b: [{ c: 1, x: 2 }], x: 3 }, x: 4 })).toEqual({ a: { b: [{ c: 1 }] } });
});

test('open records keep their fields and filter the values', () => {
  const schema = Type.Object({
    byId: Type.Record(Type.String(), Type.Object({ n: Type.Number() })),
    free: Type.Object({}, { additionalProperties: true }),
    any: Type.Unknown(),
  });
  expect(filtered(schema, { byId: { a: { n: 1, x: 2 } }, free: { y: 1 }, any: { z: [1] } })).toEqual({
    byId: { a: { n: 1 } },
    free: { y: 1 },
    any: { z: [1] },
  });
});

test('a union is filtered by the variant that matches', () => {
  const schema = Type.Union([
    Type.Object({ kind: Type.Literal('user'), text: Type.String() }),
    Type.Object({ kind: Type.Literal('tool'), output: Type.String() }),
    Type.Null(),
  ]);
  expect(filtered(schema, { kind: 'user', text: 'a', output: 'secret' })).toEqual({ kind: 'user', text: 'a' });
  expect(filtered(schema, null)).toBeNull();
  expect(filtered(schema, { kind: 'other', text: 'a' })).toEqual({});
});

test('a list of a union filters each item by its own variant', () => {
  const item = Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]);
  expect(
    filtered(Type.Array(item), [
      { a: '1', x: 1 },
      { b: '2', x: 1 },
    ]),
  ).toEqual([{ a: '1' }, { b: '2' }]);
});

test('an intersection keeps the fields of all its parts', () => {
  const schema = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]);
  expect(filtered(schema, { a: '1', b: '2', c: '3' })).toEqual({ a: '1', b: '2' });
});

test('follows references inside the schema', () => {
  const schema = {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/node' } },
    $defs: { node: { type: 'object', properties: { id: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } } } },
  };
  expect(filtered(schema, { tree: { id: '1', x: 0, children: [{ id: '2', x: 0, children: [] }] } })).toEqual({
    tree: { id: '1', children: [{ id: '2', children: [] }] },
  });
});

test('omits optional fields that are missing or undefined', () => {
  const schema = Type.Object({ a: Type.Optional(Type.String()), b: Type.Union([Type.String(), Type.Null()]) });
  expect(filterBySchema(schema, { a: undefined, b: null })).toEqual({ b: null });
});

test('dates become text as in JSON', () => {
  expect(filtered(Type.Object({ at: Type.String() }), { at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
});

test('a field with a permission is dropped for principals without it, at every depth and in every variant', () => {
  const guarded = Type.Optional(Type.String({ [permissionKey]: 'workspaces.read' }));
  const row = Type.Object({ id: Type.String(), root: guarded });
  const schema = Type.Object({ rows: Type.Array(row), one: Type.Union([row, Type.Null()]), root: guarded });
  const value = { rows: [{ id: 'a', root: '/home/ann' }], one: { id: 'b', root: '/home/ann' }, root: '/home/ann' };
  expect(filterBySchema(schema, value)).toEqual(value);
  const asked: string[] = [];
  const limited = filterBySchema(schema, value, (permission) => {
    asked.push(permission);
    return false;
  });
  expect(limited).toEqual({ rows: [{ id: 'a' }], one: { id: 'b' } });
  expect(new Set(asked)).toEqual(new Set(['workspaces.read']));
  expect([hasPermissions(schema), hasPermissions(Type.Object({ id: Type.String() })), hasPermissions(undefined)]).toEqual([true, false, false]);
});
