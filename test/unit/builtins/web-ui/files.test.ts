// Tests the files of the built page: types, caching, compression, and rejection of all other paths.
import { writeFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rawRequest } from '../../../helpers/raw-request.ts';
import { openPageBench, script } from './page-bench.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const bench = useAll(() => openPageBench());

test.each([
  ['/assets/index-AbC_12-d.js', 'text/javascript; charset=utf-8'],
  ['/assets/index-x.css', 'text/css; charset=utf-8'],
  ['/assets/font-x.woff2', 'font/woff2'],
  ['/manifest.webmanifest', 'application/manifest+json'],
  ['/icon.svg', 'image/svg+xml'],
  ['/icon-192.png', 'image/png'],
  ['/offline.html', 'text/html; charset=utf-8'],
  ['/sw.js', 'text/javascript; charset=utf-8'],
])('serves %s as %s with the content security policy', async (path, type) => {
  const reply = await bench.get(path);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
  expect(reply.headers.get('content-security-policy')).toContain("style-src 'self';");
  expect(reply.headers.get('cross-origin-resource-policy')).toBe('same-origin');
});

test('caches assets permanently and revalidates root files by ETag', async () => {
  expect((await bench.get('/assets/index-x.css')).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const first = await bench.get('/sw.js');
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const etag = first.headers.get('etag') ?? '';
  const again = await bench.get('/sw.js', { 'if-none-match': `"x", W/${etag}` });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect((await bench.get('/sw.js', { 'if-none-match': '"other"' })).status).toBe(200);
});

describe('compression', () => {
  const path = '/assets/index-AbC_12-d.js';

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['identity', null],
    ['br;q=0.000', null],
  ])('for Accept-Encoding: %s is %s', async (accepted, encoding) => {
    for (const reply of [await bench.get(path, { 'accept-encoding': accepted }), await bench.get(path, { 'accept-encoding': accepted })]) {
      expect(reply.headers.get('content-encoding')).toBe(encoding);
      expect(reply.headers.get('vary')).toBe('Origin, Accept-Encoding');
      expect(await reply.text()).toBe(script);
    }
  });

  test('compresses scripts and leaves images and tiny files uncompressed', async () => {
    const { headers } = await rawRequest(bench.harness.url, 'GET', path, { 'accept-encoding': 'gzip' });
    expect(Number(headers['content-length'])).toBeLessThan(script.length / 10);
    for (const other of ['/icon-192.png', '/assets/index-x.css']) {
      expect((await bench.get(other, { 'accept-encoding': 'br, gzip' })).headers.get('content-encoding')).toBeNull();
    }
  });
});

test.each([
  ...['/assets/nothing.js', '/assets/..%2Findex.html', '/assets/..%2F..%2Fpackage.json', '/assets/constructor', '/assets/__proto__', '/assets/link.js'],
  ...['/index.html', '/.hidden', '/.vite', '/.vite%2Fmanifest.json', '/assets%2Findex-x.css', '/nothing'],
])('returns 404 for %s', async (path) => {
  const reply = await rawRequest(bench.harness.url, 'GET', path);
  expect([reply.status, reply.body?.error.code]).toEqual([404, 'not_found']);
});

test('serves a rebuilt page immediately', async () => {
  await writeFile(join(bench.folder, 'assets/late-1.js'), 'late');
  expect((await bench.get('/assets/late-1.js')).status).toBe(404);
  await utimes(join(bench.folder, 'index.html'), new Date(), new Date(Date.now() + 5_000));
  expect(await (await bench.get('/assets/late-1.js')).text()).toBe('late');
});
