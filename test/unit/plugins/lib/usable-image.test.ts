// Tests the check of images for models, by their bytes.
import { expect, test } from 'vitest';
import { usableImage } from '#lib/usable-image';
import { gif, jpeg, pixel, png, webpExtended, webpLossless, webpLossy } from '../../../helpers/pictures.ts';

const check = (bytes: Uint8Array, mimeType = 'image/png') => usableImage({ mimeType, base64: Buffer.from(bytes).toString('base64') });
const all: [type: string, make: (width: number, height: number) => Buffer][] = [
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/gif', gif],
  ['image/webp', webpLossy],
  ['image/webp', webpLossless],
  ['image/webp', webpExtended],
];

test.each(all)('an image of type %s is accepted unchanged, and a wrong type is corrected', (mimeType, make) => {
  for (const size of [1, 2, 300, 8_000]) {
    const part = { mimeType, base64: make(size, 1).toString('base64') };
    const usable = usableImage(part);
    expect(usable).toEqual({ ok: true, part });
    expect(usable.ok && usable.part).toBe(part);
    for (const wrong of ['image/jpg', 'image/svg+xml', '']) expect(usableImage({ ...part, mimeType: wrong })).toEqual({ ok: true, part });
  }
});

test.each(all)('an image of type %s is rejected if it is too large or truncated anywhere', (_, make) => {
  expect(check(make(8_001, 5))).toEqual({ ok: false, why: 'has 8001 × 5 pixels; models accept at most 8000 per side' });
  expect(check(make(5, 9_000))).toEqual({ ok: false, why: 'has 5 × 9000 pixels; models accept at most 8000 per side' });
  const whole = make(20, 10);
  for (let length = 0; length < whole.length; length++) expect(check(whole.subarray(0, length)), String(length)).toMatchObject({ ok: false });
});

test.each<[string, string, string]>([
  ['nothing', '', 'is empty'],
  ['words', Buffer.from('not a picture at all').toString('base64'), 'is not a PNG, JPEG, GIF or WebP file'],
  ['an SVG picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'), 'is not a PNG, JPEG, GIF or WebP file'],
  ['text that is no base64', 'data:image/png;base64,AAAA', 'is not valid base64'],
  ['half of a group', 'AAAAA', 'is not valid base64'],
  ['more than 5 MB', Buffer.concat([png(5, 5), Buffer.alloc(6_000_000)]).toString('base64'), 'has 5.7 MB; models accept at most 5 MB'],
  ['no height', png(5, 0).toString('base64'), 'has no width or height'],
])('rejects %s', (_, base64, why) => {
  expect(usableImage({ mimeType: 'image/png', base64 })).toEqual({ ok: false, why });
});

test('base64 with line breaks and without padding is normalized', () => {
  const lines = pixel.replace(/.{20}/g, '$&\r\n').replace(/=+$/, '');
  expect(usableImage({ mimeType: 'image/png', base64: lines })).toEqual({ ok: true, part: { mimeType: 'image/png', base64: pixel } });
});

test('accepts bytes after the end of an image', () => {
  for (const make of [png, jpeg, gif, webpLossy]) expect(check(Buffer.concat([make(9, 9), Buffer.alloc(20)]))).toMatchObject({ ok: true });
});
