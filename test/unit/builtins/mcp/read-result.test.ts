import { expect, test } from 'vitest';
import { readCallResult } from '../../../../builtins/connections/mcp/server/read-result.ts';

const rows = Array.from({ length: 100 }, (_, at) => ({ id: at, title: `Title number ${at} with "quotes"`, isOpen: at % 2 === 0 }));
const structuredContent = { rows };
const read = (texts: readonly string[], structured: unknown = structuredContent): string => {
  const outcome = readCallResult({ content: texts.map((text) => ({ type: 'text', text })), structuredContent: structured });
  return outcome.ok ? outcome.output : outcome.error;
};

test.each([
  ['its JSON', JSON.stringify(structuredContent)],
  ['its JSON on many lines', JSON.stringify(structuredContent, undefined, 2)],
  ['its JSON in another order', JSON.stringify({ rows: rows.map(({ id, title, isOpen }) => ({ isOpen, title, id })) })],
  ['its values as lines', rows.map(({ id, title, isOpen }) => `${id} ${title} ${isOpen}`).join('\n')],
])('an answer that comes twice is read once: %s beside it', (_, text) => {
  expect(read([text])).toBe(text);
});

test('a file that comes as text and as a field is read once', () => {
  const content = 'line "one"\nline two\n'.repeat(500);
  expect(read([content], { content })).toBe(content);
});

test('what the text does not say is read from the data, which is the whole of the answer', () => {
  const json = JSON.stringify(structuredContent);
  expect(read([])).toBe(json);
  expect(read(['Found 100 rows.'])).toBe(`Found 100 rows.\n${json}`);
  expect(read([`There are many rows. ${'Here they are. '.repeat(400)}`])).toBe(json);
  expect(read(['Done.'], { isDone: true })).toBe('Done.\n{"isDone":true}');
  expect(read(['Nothing.'], {})).toBe('Nothing.');
});
