import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createKernel, loadPlugins } from 'agent-harness/kernel';
import { stockBuiltins } from '../../../builtins/distribution/stock.ts';
import { configOf } from '../../helpers/config-of.ts';
import { allModules, load } from '../../helpers/harness.ts';
import { importsOf, readSources } from '../../helpers/sources.ts';

const sources = readSources('plugins', 'builtins');
const augmenting = (map: string) => sources.filter(({ text }) => new RegExp(`declare module '[^']+' \\{[^]*?^  interface (?:${map}) \\{`, 'm').test(text));

const keyOf = (method: string, path: string): string => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;

test.each([
  ['the client', 'Routes|ReplyFields', 'builtins/clients/client/routes.ts'],
  ['the control plane pages', 'PlaneRoutes', 'builtins/control-plane/plane-pages/app/base/routes.ts'],
])('%s: the route list imports every file that types routes', (_, map, list) => {
  const listing = sources.find(({ path }) => path === list);
  const listed = (listing ? importsOf(listing) : []).map(({ from }) => join(dirname(list), from));
  const expected = augmenting(map).map(({ path }) => path);
  expect(expected.length).toBeGreaterThan(8);
  expect(listed.sort()).toEqual(expected.sort());
});

test('every JSON route of the stock server is typed, and no other route is', async () => {
  const home = await mkdtemp(join(tmpdir(), 'routes-'));
  const product = { name: 'app', title: 'Routes', version: '0', home, startFolder: home };
  const kernel = createKernel({ config: configOf({}), services: { product }, dataDir: join(home, 'data'), log: () => undefined });
  await loadPlugins(kernel.registry, kernel.emitter, {
    sources: [
      { origin: 'platform', modules: await load(allModules.platform) },
      { origin: 'builtin', modules: await load(allModules.builtin, stockBuiltins) },
    ],
  });
  const { paths } = kernel.resolve('http').openapi() as { paths: Record<string, Record<string, any>> };
  await kernel.close();
  await rm(home, { recursive: true, force: true });
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
      const done = responses['200'] ?? responses['201'] ?? responses['202'];
      const isJson = requestBody !== undefined || done?.content?.['application/json'] !== undefined;
      return isJson ? [keyOf(method, path)] : [];
    }),
  );
  const typed = augmenting('Routes').flatMap(({ text }) =>
    [...text.matchAll(/^ {4}'((?:GET|POST|PUT|PATCH|DELETE) [^' ]+)': /gm)].map((match) => match[1] ?? ''),
  );
  expect(new Set(typed).size).toBe(typed.length);
  expect(served.filter((key) => !typed.includes(key))).toEqual([]);
  const written = sources.map(({ text }) => text).join('\n');
  expect(typed.filter((key) => written.split(`'${key}'`).length < 3)).toEqual([]);
});
