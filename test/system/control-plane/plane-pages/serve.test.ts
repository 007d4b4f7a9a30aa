// Tests serving of the control plane pages: document, security headers, compression, unknown paths.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { manifest } from '../../../../builtins/control-plane/plane-pages/index.ts';
import { createPageRoutes } from '../../../../builtins/control-plane/plane-pages/page-routes.ts';
import { startHarness } from '../../../helpers/harness.ts';

const html = '<!doctype html><title>{{title}}</title><!-- metas --><script type="module" src="/assets/index-x.js"></script>';

async function serve({ isBuilt = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'plane-web-'));
  if (isBuilt) {
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), html);
    await writeFile(join(folder, 'assets/index-x.js'), `export const words = '${'a long script '.repeat(300)}';`);
    await writeFile(join(folder, 'theme.js'), '(() => {})();');
  }
  const harness = await startHarness({
    builtins: [],
    modules: {
      'plane-pages': {
        manifest: manifest as never,
        register(registry: any) {
          const { product } = registry.services;
          for (const route of createPageRoutes({ product: () => product, findFolder: () => folder, makeError: registry.error }))
            if (route.key !== 'GET /') registry.add('route', route);
        },
      },
    },
  });
  onTestFinished(async () => {
    await harness.close();
    await rm(folder, { recursive: true, force: true });
  });
  return (path: string, headers: Record<string, string> = {}) => fetch(harness.url + path, { headers });
}

test('serves the same document with a strict CSP at every page address', async () => {
  const get = await serve();
  for (const path of ['/sign-in', '/sign-up?invite=x', '/reset', '/device', '/connect/harness?state=y']) {
    const reply = await get(path);
    expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
    const policy = reply.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'none'");
    expect(await reply.text()).toMatch(/<meta name="csp-nonce" content="[\w+/=]{24}" \/>/);
  }
});

test('serves compressed, immutable assets and returns 404 for unknown files', async () => {
  const get = await serve();
  const script = await get('/assets/index-x.js', { 'accept-encoding': 'br' });
  expect([script.headers.get('content-encoding'), script.headers.get('cache-control')]).toEqual(['br', 'public, max-age=31536000, immutable']);
  expect((await get('/theme.js')).headers.get('cache-control')).toBe('no-cache');
  for (const path of ['/assets/none.js', '/index.html', '/none']) {
    const reply = await get(path);
    expect([reply.status, (await reply.json()).error.code]).toEqual([404, 'not_found']);
  }
});

test('returns 503 with the build command if the pages are not built', async () => {
  const get = await serve({ isBuilt: false });
  const reply = await get('/sign-in');
  expect(reply.status).toBe(503);
  expect((await reply.json()).error).toMatchObject({ code: 'not_built', message: expect.stringContaining('npm run build') });
});
