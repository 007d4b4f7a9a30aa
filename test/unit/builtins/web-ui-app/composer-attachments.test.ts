// Which files may go with a message.
import { expect, test } from 'vitest';
import { attachmentLimits, chooseFiles, describeSize, mimeTypeOf, textBytes } from '../../../../builtins/clients/web-ui/app/chat/composer/attachment-limits.ts';
import { attachmentLimits as serverLimits } from '../../../../plugins/agent/attachments.ts';

const mb = 1024 * 1024;
const file = (name: string, size: number, type = 'text/plain') => ({ name, size, type });

test('the page knows the limits of the server', () => {
  expect(attachmentLimits).toEqual(serverLimits);
});

test('files within the limits are taken without a word', () => {
  const picked = [file('a.txt', 10), file('b.png', 4 * mb, 'image/png'), file('c.zip', 25 * mb, 'application/zip')];
  expect(chooseFiles([], picked)).toEqual({ taken: picked, problems: [] });
});

test('a picture and a file that are too large are left out, each with its own limit', () => {
  const { taken, problems } = chooseFiles([], [file('photo.jpg', 4 * mb + 1, 'image/jpeg'), file('big.zip', 30 * mb), file('ok.txt', 1)]);
  expect(taken.map(({ name }) => name)).toEqual(['ok.txt']);
  expect(problems).toEqual(['“photo.jpg” has 4.1 MB; pictures are limited to 4 MB.', '“big.zip” has 30 MB; files are limited to 25 MB.']);
});

test('the thirteenth file is left out and named, counting those that are there already', () => {
  const there = Array.from({ length: 10 }, () => ({ size: 1 }));
  const { taken, problems } = chooseFiles(
    there,
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => file(name, 1)),
  );
  expect(taken.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(problems).toEqual(['A message can have at most 12 attachments. Not attached: “c”, “d”, “e” and 1 more.']);
});

test('the sum counts as well, and a smaller file after one that did not fit is taken', () => {
  const there = [{ size: 20 * mb }, { size: 20 * mb }];
  const { taken, problems } = chooseFiles(there, [file('a', 25 * mb), file('b', 24 * mb)]);
  expect(taken.map(({ name }) => name)).toEqual(['b']);
  expect(problems).toEqual(['“a” was not attached: all files of one message together are limited to 64 MB.']);
});

test('a type is told without its parameters, and what is no type becomes bytes', () => {
  expect(mimeTypeOf({ type: 'text/plain;charset=utf-8' })).toBe('text/plain');
  expect(mimeTypeOf({ type: 'IMAGE/PNG' })).toBe('image/png');
  expect(mimeTypeOf({ type: '' })).toBe('application/octet-stream');
  expect(mimeTypeOf({ type: 'text/"x"' })).toBe('application/octet-stream');
});

test('sizes are told in the unit that fits', () => {
  expect([0, 1, 1023, 1024, 812 * 1024, 4 * mb, 6.25 * mb].map(describeSize)).toEqual(['0 bytes', '1 byte', '1,023 bytes', '1 kB', '812 kB', '4 MB', '6.3 MB']);
});

test('a text is measured as it is sent', () => {
  expect(textBytes('aé😀')).toBe(7);
});
