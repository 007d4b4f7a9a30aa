import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from 'agent-harness/kernel';
import { expect, onTestFinished, test } from 'vitest';
import { createGuestPageRoutes } from '../../../builtins/desktop/remote/guest-page.ts';

async function routesOf(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'guest-page-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'assets'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const makeError = (reason: string) => Object.assign(new Error(reason), { code: `REMOTE_ERR_${reason}` }) as never;
  const routes = createGuestPageRoutes({ title: () => 'Harness', findFolder: () => folder, makeError });
  return (at: number, params: object): Promise<any> => Promise.resolve(routes[at]?.handle({ headers: { host: '192.168.0.2:4000' }, params } as never));
}
const codeWhen = (work: Promise<unknown>): Promise<unknown> => work.then(() => 'none', codeOf);

test('reports a missing build and serves only files of its assets folder', async () => {
  const empty = await routesOf({});
  expect(await codeWhen(empty(0, {}))).toBe('REMOTE_ERR_PAGE_NOT_BUILT');
  const page = await routesOf({ 'index.html': '<!doctype html><title>x</title>', 'assets/main-abc.js': 'export {};', 'secret.txt': 'not for guests' });
  for (const name of ['none.js', '../secret.txt', '..%2fsecret.txt', '']) expect(await codeWhen(page(1, { name }))).toBe('REMOTE_ERR_PAGE_NOT_FOUND');
  expect(String((await page(1, { name: 'main-abc.js' })).content)).toBe('export {};');
  expect((await page(0, {})).headers['content-security-policy']).toContain('ws://192.168.0.2:4000');
});
