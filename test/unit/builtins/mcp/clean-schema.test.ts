// Tests which names the schema of a third-party tool can contain.
import { expect, test } from 'vitest';
import { cleanSchema } from '../../../../builtins/connections/mcp/server/clean-schema.ts';

const properties = (name: string): object => JSON.parse(`{"${name}": {"type": "string"}}`) as object;

test.each([
  ['a property', { type: 'object', properties: properties('__proto__') }],
  ['a nested property', { type: 'object', properties: { a: { type: 'object', properties: properties('__proto__') } } }],
  ['a required name', { type: 'object', required: ['__proto__'] }],
  ['hidden characters', { type: 'object', properties: properties('a\u200b') }],
])('rejects a forbidden name: %s', (_, schema) => {
  expect(cleanSchema(schema)).toMatchObject({ ok: false, why: expect.stringContaining('name') });
});

test.each(['constructor', 'prototype', 'toString', 'hasOwnProperty'])('accepts the name %s', (name) => {
  const schema = { type: 'object', properties: properties(name), required: [name] };
  expect(cleanSchema(schema)).toEqual({ ok: true, schema });
});
