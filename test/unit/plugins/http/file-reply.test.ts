// Tests byte replies: full, partial, and not modified.
import { beforeEach, expect, test } from 'vitest';
import { readRange } from '../../../../plugins/http/file-reply.ts';
import { openHttp, routes, type Answer, type OpenHttp } from './open-http.ts';

const content = Buffer.from('0123456789');
const file = { content, type: 'audio/mpeg', tag: 'v1' };
let http: OpenHttp;
beforeEach(async () => {
  const mediaType = 'audio/mpeg';
  http = await openHttp({
    some: routes(
      { key: 'GET /clip', mediaType, handle: () => file },
      { key: 'GET /untagged', mediaType, handle: () => ({ content: content.subarray(2, 5), type: mediaType }) },
      { key: 'GET /packed', mediaType, handle: () => ({ ...file, encoding: 'gzip' }) },
      { key: 'GET /saved', mediaType, handle: () => ({ ...file, isImmutable: true, download: 'a"b/..\r\nc.mp3' }) },
      { key: 'GET /empty', mediaType, handle: () => ({ content: Buffer.alloc(0), type: mediaType }) },
      { key: 'GET /text', mediaType: 'text/csv', handle: () => 'a,b' },
      { key: 'GET /own', mediaType: 'text/html', handle: () => ({ content, type: 'text/html', headers: { 'content-security-policy': "script-src 'self'" } }) },
    ),
  });
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> => http.ask(path, { headers });

test('a full reply has the headers for range and conditional requests', async () => {
  expect(await get('/clip')).toMatchObject({
    status: 200,
    text: '0123456789',
    headers: { 'content-type': 'audio/mpeg', 'content-length': '10', 'accept-ranges': 'bytes', etag: '"v1"', 'cache-control': 'no-store' },
  });
  expect((await get('/clip')).headers['content-security-policy']).toContain('sandbox');
  expect((await get('/own')).headers['content-security-policy']).toBe("script-src 'self'");
  expect(await get('/text')).toMatchObject({ text: 'a,b', headers: { 'content-type': 'text/csv; charset=utf-8' } });
});

test.each([
  ['bytes=0-3', '0123', '0-3'],
  ['bytes=4-', '456789', '4-9'],
  ['bytes=-3', '789', '7-9'],
  ['bytes=-30', '0123456789', '0-9'],
  ['bytes=8-99', '89', '8-9'],
  ['Bytes= 9 - 9 ', '9', '9-9'],
])('%s returns a part', async (range, text, place) => {
  const part = await get('/clip', { range });
  expect([part.status, part.text]).toEqual([206, text]);
  expect(part.headers).toMatchObject({ 'content-range': `bytes ${place}/10`, 'content-length': String(text.length), etag: '"v1"' });
});

test.each(['bytes=3-1', 'bytes=0-1,4-5', 'bytes=-', 'bytes', 'lines=0-1', 'bytes=a-b', ''])("'%s' returns the full file", async (range) => {
  expect(await get('/clip', { range })).toMatchObject({ status: 200, text: '0123456789' });
});

test.each(['bytes=10-', 'bytes=99-100', 'bytes=-0', 'bytes=99999999999999999999-'])('%s returns 416', async (range) => {
  const refused = await get('/clip', { range });
  expect([refused.status, refused.body.error.code, refused.headers['content-range']]).toEqual([416, 'range_not_satisfiable', 'bytes */10']);
  expect(refused.headers).not.toHaveProperty('etag');
});

test('every parsed range is within the file', () => {
  let ranges = 0;
  for (let bytes = 0; bytes < 5; bytes++)
    for (const from of ['', 0, 1, 4, 5])
      for (const to of ['', 0, 1, 4, 5]) {
        const range = readRange(`bytes=${from}-${to}`, bytes);
        if (typeof range !== 'object') continue;
        ranges++;
        expect([0 <= range.start, range.start <= range.end, range.end < bytes]).toEqual([true, true, true]);
      }
  expect(ranges).toBeGreaterThan(30);
});

test('a range is served only if If-Range matches the current version', async () => {
  const range = 'bytes=2-3';
  expect((await get('/clip', { range, 'if-range': '"v1"' })).status).toBe(206);
  for (const other of ['"v0"', 'W/"v1"', 'Sun, 22 Nov 2026 06:00:00 GMT']) expect((await get('/clip', { range, 'if-range': other })).status).toBe(200);
  expect(await get('/untagged', { range: 'bytes=1-1' })).toMatchObject({ status: 206, text: '3' });
  expect((await get('/untagged', { range, 'if-range': '"v1"' })).status).toBe(200);
});

test('returns 304 for a version that the client already has', async () => {
  for (const known of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) expect(await get('/clip', { 'if-none-match': known })).toMatchObject({ status: 304, text: '' });
  expect((await get('/clip', { 'if-none-match': '"v0"', range: 'bytes=0-0' })).status).toBe(206);
});

test('a compressed file ignores ranges, and an empty file has no valid range', async () => {
  const packed = await get('/packed', { range: 'bytes=0-1' });
  expect([packed.status, packed.headers['content-encoding'], packed.headers['accept-ranges']]).toEqual([200, 'gzip', undefined]);
  expect((await get('/empty', { range: 'bytes=0-' })).status).toBe(416);
  expect(await get('/empty')).toMatchObject({ status: 200, text: '' });
});

test('a download name cannot break out of its header', async () => {
  expect((await get('/saved')).headers).toMatchObject({
    'content-disposition': 'attachment; filename="a_b_..__c.mp3"',
    'cache-control': expect.stringContaining('immutable'),
  });
});
