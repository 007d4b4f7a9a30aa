// Tests serving the page over HTTP: token, content security policy, and the missing build.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPageBench } from './page-bench.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const bench = useAll(() => openPageBench());

test('embeds the token in the page for the local user', async () => {
  const reply = await bench.get('/');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  const html = await reply.text();
  expect(html).toContain(`<meta name="app-web-auth" content="${bench.harness.token}" />`);
  expect(html).toContain('<title>Agent Harness</title>');
  expect(html).not.toMatch(/\{\{|<!-- metas/);
});

test('omits the token from a cross-site request', async () => {
  const html = await (await bench.get('/', { 'sec-fetch-site': 'cross-site' })).text();
  expect(html).not.toContain(bench.harness.token);
  expect(html).not.toContain('app-web-auth');
  expect(html).toContain('<meta name="sign-in" content="http" />');
  expect(html).toContain('/assets/index-AbC_12-d.js');
});

test('returns the token to a visitor who sends it, and omits it for a wrong token', async () => {
  const { token } = bench.harness;
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expect(await (await bench.get(`/?authToken=${token}`, foreign)).text()).toContain(token);
  expect(await (await bench.get('/', { ...foreign, authorization: `Bearer ${token}` })).text()).toContain(token);
  expect(await (await bench.get('/?authToken=%22%3E%3Cscript%3E', foreign)).text()).not.toMatch(/app-web-auth|"><script>/);
});

test('allows only scripts and styles of the page, with a new style nonce per page', async () => {
  const nonces = new Set<string>();
  for (const reply of [await bench.get('/'), await bench.get('/')]) {
    const nonce = /<meta name="csp-nonce" content="([\w+/=]{20,})" \/>/.exec(await reply.text())?.[1] ?? '';
    nonces.add(nonce);
    expect(reply.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; ` +
        "worker-src 'self'; manifest-src 'self'; media-src 'self' blob:; frame-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  }
  expect(nonces.size).toBe(2);
});

test('returns 503 with build instructions and no token when the page is not built', async () => {
  const empty = await openPageBench({ isBuilt: false });
  try {
    const reply = await empty.get('/', { accept: 'text/html' });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    const html = await reply.text();
    expect(html).toContain('npm run build');
    expect(html).not.toContain(empty.harness.token);
    const problem = (await (await empty.get('/', { accept: 'application/json' })).json()) as { error: { code: string } };
    expect(problem.error.code).toBe('not_built');
    expect((await empty.get('/sw.js')).status).toBe(404);
    await writeFile(join(empty.folder, 'index.html'), '<title>{{title}}</title><!-- metas -->');
    expect((await empty.get('/')).status).toBe(200);
  } finally {
    await empty.close();
  }
});
