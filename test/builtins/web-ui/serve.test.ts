// The page over HTTP: who gets the token, what may run, what is cached.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ builtins: ['web-ui', 'model-demo'] });
});
afterAll(async () => {
  await harness.close();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(harness.url + path, { headers });

describe('index', () => {
  test('carries the token for the user of this machine', async () => {
    const reply = await get('/');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const html = await reply.text();
    expect(html).toContain(`<meta name="app-web-auth" content="${harness.token}" />`);
    expect(html).toContain('<title>Agent Harness</title>');
  });

  test('comes without the token for a request that another site causes', async () => {
    const reply = await get('/', { 'sec-fetch-site': 'cross-site' });
    const html = await reply.text();
    expect(html).not.toContain(harness.token);
    expect(html).not.toContain('app-web-auth');
  });

  test('gives a visitor with a token that token back', async () => {
    const reply = await get(`/?authToken=${harness.token}`, { 'sec-fetch-site': 'cross-site' });
    expect(await reply.text()).toContain(harness.token);
  });

  test('lets only its own scripts and styles run, and holds none in the page', async () => {
    const reply = await get('/');
    expect(reply.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    const html = await reply.text();
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/i);
    expect(html).not.toContain('{{');
  });

  test('is not there for a foreign host name', async () => {
    const status = await new Promise((resolve, reject) => {
      request(harness.url, { headers: { host: 'evil.example' } }, (reply) => resolve(reply.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

describe('assets', () => {
  test('every script that a script names is served', async () => {
    const seen = new Set<string>();
    const open = ['/assets/app.js'];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const reply = await get(path);
      expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 200, 'text/javascript; charset=utf-8']);
      for (const [, name] of (await reply.text()).matchAll(/from '\.\/([\w-]+\.js)'/g)) open.push(`/assets/${name}`);
    }
    expect(seen.size).toBeGreaterThan(5);
  });

  test('are asked for again by tag', async () => {
    const first = await get('/assets/app.css');
    expect(first.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(await first.text()).toContain('prefers-color-scheme');
    const etag = first.headers.get('etag') ?? '';
    const again = await get('/assets/app.css', { 'if-none-match': etag });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect((await get('/assets/app.css', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test.each(['nothing.js', '..%2F..%2Fpackage.json', 'constructor'])('%s is not found', async (name) => {
    const reply = await get(`/assets/${name}`);
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ error: { code: 'not_found' } });
  });
});
