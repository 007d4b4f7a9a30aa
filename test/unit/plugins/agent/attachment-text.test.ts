// Tests how attachments are described to the model: hints name only available tools.
import { expect, test } from 'vitest';
import { describeAttachments } from '../../../../plugins/agent/attachment-text.ts';

const long = { attachmentId: 'att_1', name: 'a.txt', mimeType: 'text/plain', bytes: 9, artifactId: 'f00', characters: 9 };
const binary = { attachmentId: 'att_2', name: 'b.bin', mimeType: 'application/x', bytes: 4 };
const headOf = (one: object, tools: Readonly<Record<string, string>>): string =>
  describeAttachments(
    [one as never],
    () => ('artifactId' in one ? 'begin' : undefined),
    (trait) => tools[trait],
  )[0]?.split('\n')[0] ?? '';

test.each([
  [
    { reads_attachments: 'open', reads_artifacts: 'fetch' },
    '; its text starts below (5 of 9 characters); open with path attachment:att_1, or fetch with id f00, returns all of it]',
  ],
  [{ reads_attachments: 'open' }, '; its text starts below (5 of 9 characters); open with path attachment:att_1 returns all of it]'],
  [{ reads_artifacts: 'fetch' }, '; its text starts below (5 of 9 characters); fetch with id f00 returns all of it]'],
  [{}, '; its text starts below (5 of 9 characters)]'],
])('with %j', (tools, end) => {
  expect(headOf(long, tools)).toBe(`[attached: a.txt, text/plain, 9 bytes, attachment:att_1${end}`);
});

test('offers to copy a binary attachment into the workspace only if a tool does that', () => {
  expect(headOf(binary, { copies_attachments: 'keep' })).toContain('; its content is not text; keep copies it into the workspace]');
  expect(headOf(binary, {})).toMatch(/; its content is not text\]$/);
});
