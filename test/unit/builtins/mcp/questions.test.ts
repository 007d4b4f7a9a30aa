import { expect, test } from 'vitest';
import { askFields } from '../../../../builtins/connections/mcp/server/elicitation.ts';

function person(...answers: string[]) {
  const prompts: string[] = [];
  const options: (readonly string[] | undefined)[] = [];
  const ask = async (prompt: string, choices?: readonly string[]): Promise<string> => {
    prompts.push(prompt);
    options.push(choices);
    return answers[prompts.length - 1] ?? '';
  };
  return { ask, prompts, options };
}
const form = (properties: object, required: string[] = []) => ({ message: 'Who are you?', requestedSchema: { type: 'object', properties, required } });

test('asks for consent first and declines without it', async () => {
  const { ask, prompts } = person('No way');
  expect(await askFields('srv', form({ name: { type: 'string', title: 'Your name' } }), ask)).toEqual({ action: 'decline' });
  expect(prompts).toEqual(["The MCP server 'srv' asks: Who are you?\nIt requests: 'Your name'."]);
});

test('parses each kind of field', async () => {
  const { ask, options } = person('Answer', 'Ada', '7', '2.5', 'yes', 'Red', 'Two', 'a, b');
  const fields = form({
    name: { type: 'string' },
    age: { type: 'integer', minimum: 1 },
    size: { type: 'number' },
    agrees: { type: 'boolean' },
    colour: { type: 'string', enum: ['red', 'blue'], enumNames: ['Red', 'Blue'] },
    number: {
      type: 'string',
      oneOf: [
        { const: '1', title: 'One' },
        { const: '2', title: 'Two' },
      ],
    },
    letters: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
  });
  expect(await askFields('srv', fields, ask)).toEqual({
    action: 'accept',
    content: { name: 'Ada', age: 7, size: 2.5, agrees: true, colour: 'red', number: '2', letters: ['a', 'b'] },
  });
  expect(options.slice(4, 7)).toEqual([
    ['yes', 'no'],
    ['Red', 'Blue'],
    ['One', 'Two'],
  ]);
});

test('an empty answer selects the default or omits an optional field', async () => {
  const { ask } = person('Answer', '', '');
  expect(await askFields('srv', form({ a: { type: 'integer', default: 4 }, b: { type: 'string' } }), ask)).toEqual({ action: 'accept', content: { a: 4 } });
});

test('repeats the question up to three times after an invalid answer', async () => {
  const right = person('Answer', 'many', '-1', '3');
  expect(await askFields('srv', form({ a: { type: 'integer', minimum: 0 } }, ['a']), right.ask)).toEqual({ action: 'accept', content: { a: 3 } });
  expect(right.prompts[2]).toContain('Enter a valid number.');
  const wrong = person('Answer', 'x', 'y', 'z', '1');
  expect(await askFields('srv', form({ a: { type: 'integer' } }, ['a']), wrong.ask)).toEqual({ action: 'cancel' });
});

test('cancels a form with too many fields without showing it', async () => {
  const { ask, prompts } = person();
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, { type: 'string' }]));
  expect(await askFields('srv', form(many), ask)).toEqual({ action: 'cancel' });
  expect(prompts).toEqual([]);
});
