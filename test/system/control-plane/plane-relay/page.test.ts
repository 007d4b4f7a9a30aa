// Tests the page of remote viewers: own files only, no caching, and no code in its content.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pageRoutes } from '../../../../builtins/control-plane/plane-relay/page-routes.ts';
import type { MakeError } from '../../../../builtins/control-plane/plane-relay/relay-errors.ts';

const makeError: MakeError = (reason) => new Error(`PLANE_RELAY_ERR_${reason}`) as never;
async function ask(folder: string, key: string, params: object): Promise<any> {
  const route = pageRoutes({ product: () => ({ title: 'Relay', version: '1' }), findFolder: () => folder, makeError }).find((one) => one.key === key);
  return route?.handle({ params, headers: {} } as never);
}
async function built(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-page-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<title>{{title}}</title><!-- metas -->');
  await writeFile(join(folder, 'assets', 'page.js'), 'export {};');
  return folder;
}

test('restricts the page to its own origin, forbids caching and sends no referrer', async () => {
  const { content, headers } = await ask(await built(), 'GET /join/:code', { code: 'ABCDEFGH' });
  expect(String(content)).toContain('<title>Relay</title>');
  expect(String(content)).not.toContain('ABCDEFGH');
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
});

test('serves built files only and reports a missing build', async () => {
  const folder = await built();
  expect(String((await ask(folder, 'GET /join/assets/:name', { name: 'page.js' })).content)).toBe('export {};');
  await expect(ask(folder, 'GET /join/assets/:name', { name: '../index.html' })).rejects.toThrow('PLANE_RELAY_ERR_NOT_FOUND');
  await expect(ask(join(folder, 'none'), 'GET /join/:code', { code: 'ABCDEFGH' })).rejects.toThrow('PLANE_RELAY_ERR_NOT_BUILT');
});
