import { expect, test } from 'vitest';
import { readCallResult } from '../../../../builtins/connections/mcp/server/read-result.ts';
import { jpeg, pixel, png } from '../../../helpers/pictures.ts';

const rows = Array.from({ length: 100 }, (_, at) => ({ id: at, title: `Title number ${at} with "quotes"`, isOpen: at % 2 === 0 }));
const structuredContent = { rows };
const read = (texts: readonly string[], structured: unknown = structuredContent): string => {
  const outcome = readCallResult({ content: texts.map((text) => ({ type: 'text', text })), structuredContent: structured });
  return outcome.ok ? outcome.output : outcome.error;
};

test.each([
  ['its JSON', JSON.stringify(structuredContent)],
  ['its JSON with line breaks', JSON.stringify(structuredContent, undefined, 2)],
  ['its JSON in another order', JSON.stringify({ rows: rows.map(({ id, title, isOpen }) => ({ isOpen, title, id })) })],
  ['its values as lines', rows.map(({ id, title, isOpen }) => `${id} ${title} ${isOpen}`).join('\n')],
])('returns an answer once if the text repeats the structured data: %s', (_, text) => {
  expect(read([text])).toBe(text);
});

test('returns a file once if the text and a field contain it', () => {
  const content = 'line "one"\nline two\n'.repeat(500);
  expect(read([content], { content })).toBe(content);
});

test('adds structured data that the text does not contain', () => {
  const json = JSON.stringify(structuredContent);
  expect(read([])).toBe(json);
  expect(read(['Found 100 rows.'])).toBe(`Found 100 rows.\n${json}`);
  expect(read([`There are many rows. ${'Here they are. '.repeat(400)}`])).toBe(json);
  expect(read(['Done.'], { isDone: true })).toBe('Done.\n{"isDone":true}');
  expect(read(['Nothing.'], {})).toBe('Nothing.');
});

test('detects the image type by its bytes, and describes unsupported and damaged images', () => {
  const image = (mimeType: string, bytes: Uint8Array): object => ({ type: 'image', mimeType, data: Buffer.from(bytes).toString('base64') });
  const outcome = readCallResult({
    content: [
      image('image/jpeg', png(1, 1)),
      image('image/jpg', jpeg(2, 2)),
      image('image/png', Buffer.from('not a picture at all')),
      image('image/svg+xml', Buffer.from('<svg/>')),
      { type: 'resource', resource: { uri: 'a:b', mimeType: 'image/png', blob: png(1, 1).subarray(0, 40).toString('base64') } },
    ],
  });
  expect(outcome).toEqual({
    ok: true,
    isUntrusted: true,
    output: [
      '[Image of type image/png, omitted: it is not a PNG, JPEG, GIF or WebP file.]',
      '[Image of type image/svg+xml, omitted: it is not a PNG, JPEG, GIF or WebP file.]',
      '[Image of type image/png, omitted: it is truncated or damaged.]',
    ].join('\n'),
    images: [
      { mimeType: 'image/png', base64: pixel },
      { mimeType: 'image/jpeg', base64: jpeg(2, 2).toString('base64') },
    ],
  });
});
