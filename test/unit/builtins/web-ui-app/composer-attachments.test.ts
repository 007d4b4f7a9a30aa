// Tests which files can be attached to a message.
import { expect, test } from 'vitest';
import { attachmentLimits, chooseFiles, describeSize, mimeTypeOf, textBytes } from '../../../../builtins/clients/web-ui/app/chat/composer/attachment-limits.ts';
import { attachmentLimits as serverLimits } from '../../../../plugins/agent/attachments.ts';

const mb = 1024 * 1024;
const file = (name: string, size: number, type = 'text/plain') => ({ name, size, type });

test('matches the limits of the server', () => {
  expect(attachmentLimits).toEqual(serverLimits);
});

test('accepts files within the limits and names the limit of an oversized picture or file', () => {
  const picked = [file('a.txt', 10), file('b.png', 4 * mb, 'image/png'), file('c.zip', 25 * mb, 'application/zip')];
  expect(chooseFiles([], picked)).toEqual({ taken: picked, problems: [] });
  const { taken, problems } = chooseFiles([], [file('photo.jpg', 4 * mb + 1, 'image/jpeg'), file('big.zip', 30 * mb), file('ok.txt', 1)]);
  expect(taken.map(({ name }) => name)).toEqual(['ok.txt']);
  expect(problems).toEqual(['“photo.jpg” has 4.1 MB; pictures are limited to 4 MB.', '“big.zip” has 30 MB; files are limited to 25 MB.']);
});

test('rejects files beyond twelve, including those already attached, and names them', () => {
  const there = Array.from({ length: 10 }, () => ({ size: 1 }));
  const { taken, problems } = chooseFiles(
    there,
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => file(name, 1)),
  );
  expect(taken.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(problems).toEqual(['A message can have at most 12 attachments. Not attached: “c”, “d”, “e” and 1 more.']);
});

test('limits the total size and still accepts a smaller file afterwards', () => {
  const there = [{ size: 20 * mb }, { size: 20 * mb }];
  const { taken, problems } = chooseFiles(there, [file('a', 25 * mb), file('b', 24 * mb)]);
  expect(taken.map(({ name }) => name)).toEqual(['b']);
  expect(problems).toEqual(['“a” was not attached: all files of one message together are limited to 64 MB.']);
});

test('strips parameters from a MIME type and replaces an invalid one with application/octet-stream', () => {
  expect(mimeTypeOf({ type: 'text/plain;charset=utf-8' })).toBe('text/plain');
  expect(mimeTypeOf({ type: 'IMAGE/PNG' })).toBe('image/png');
  expect(mimeTypeOf({ type: '' })).toBe('application/octet-stream');
  expect(mimeTypeOf({ type: 'text/"x"' })).toBe('application/octet-stream');
});

test('measures text in UTF-8 bytes and formats sizes in a suitable unit', () => {
  expect([0, 1, 1023, 1024, 812 * 1024, 4 * mb, 6.25 * mb].map(describeSize)).toEqual(['0 bytes', '1 byte', '1,023 bytes', '1 kB', '812 kB', '4 MB', '6.3 MB']);
  expect(textBytes('aé😀')).toBe(7);
});
