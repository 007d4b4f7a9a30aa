// Tests the tool schema that is sent to the model.
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
    // Field names are not schema keywords.
    minLength: { type: 'array', items: { type: 'object', properties: { maxLength: { type: 'string' } }, additionalProperties: false }, maxItems: 3 },
    more: { type: 'object', additionalProperties: { type: 'string', maxLength: 5 } },
  },
  additionalProperties: false,
};

test('omits bounds that are reported on violation, and turns unions of constants into enums', async () => {
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

test('omitted bounds are still enforced and reported', async () => {
  world = await createWorld({ tools: [fakeTool('look', { input })] });
  const tools = world.kernel.resolve('tools');
  expect(tools.check('look', '{"name":"abcdefghijklmnopqrstuvwxyz"}')).toMatchObject({ ok: false, error: expect.stringContaining('20') });
  expect(tools.check('look', '{"name":"a","other":1}')).toMatchObject({ ok: false, error: expect.stringContaining('/other is not an argument') });
});
