// What a model is shown of a tool's schema.
import { expect, test } from 'vitest';
import { createWorld, fakeTool, type World } from './fake-world.ts';

let world: World;

const input = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 20, pattern: '^[a-z]+$', description: 'A name.' },
    mode: { anyOf: [{ type: 'string', const: 'one' }, { type: 'string', const: 'two' }], description: 'How.' }, // prettier-ignore
    count: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
    // Names of fields are no words of the schema.
    minLength: { type: 'array', items: { type: 'object', properties: { maxLength: { type: 'string' } }, additionalProperties: false }, maxItems: 3 },
    more: { type: 'object', additionalProperties: { type: 'string', maxLength: 5 } },
  },
  additionalProperties: false,
};

test('bounds that are told when they are broken are left out, and unions of texts are enums', async () => {
  world = await createWorld({ tools: [fakeTool('look', { input })] });
  const tools = world.kernel.resolve('tools');
  expect(tools.specOf('look')?.input).toEqual({
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', pattern: '^[a-z]+$', description: 'A name.' },
      mode: { type: 'string', enum: ['one', 'two'], description: 'How.' },
      count: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      minLength: { type: 'array', items: { type: 'object', properties: { maxLength: { type: 'string' } } } },
      more: { type: 'object', additionalProperties: { type: 'string' } },
    },
  });
  expect(tools.specOf('look')).toBe(tools.specOf('look'));
  expect(tools.specOf('nothing')).toBeUndefined();
});

test('what was left out still counts, and is told then', async () => {
  world = await createWorld({ tools: [fakeTool('look', { input })] });
  const tools = world.kernel.resolve('tools');
  expect(tools.check('look', '{"name":"abcdefghijklmnopqrstuvwxyz"}')).toMatchObject({ ok: false, error: expect.stringContaining('20') });
  expect(tools.check('look', '{"name":"a","other":1}')).toMatchObject({ ok: false, error: expect.stringContaining('/other is not an argument') });
});
