import { readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, pluginFolderOf, readSources, root } from '../../helpers/sources.ts';

const sources = readSources('kernel', 'plugins', 'builtins');
const faultsOf = (check: (path: string, one: { from: string; isTypeOnly: boolean; isDynamic: boolean }) => string | undefined): string[] =>
  sources.flatMap((source) => importsOf(source).flatMap((one) => check(source.path, one) ?? [])).sort();

const layerOf = (path: string): number => ['kernel', 'plugins', 'builtins'].indexOf(path.split('/')[0] ?? '');
function target(path: string, from: string): string | undefined {
  if (from.startsWith('.')) return normalize(join(dirname(path), from));
  if (from === 'agent-harness/kernel') return 'kernel/index.ts';
  if (libraries.has(from)) return libraries.get(from);
  if (from.startsWith('agent-harness/plugins/')) return `plugins/${from.slice('agent-harness/plugins/'.length)}/contract.ts`;
  if (from.startsWith('agent-harness/builtins/')) return `builtins/${from.slice('agent-harness/builtins/'.length)}/contract.ts`;
  return undefined;
}

/** Libraries rather than plugins: any program may run their code, including third-party programs. */
const libraries = new Map<string, string>([
  ['agent-harness/client', 'builtins/clients/client/client.ts'],
  ['agent-harness/tiers', 'plugins/licensing/tiers.ts'],
  ['agent-harness/view', 'plugins/views/view.ts'],
  ['agent-harness/transcript', 'plugins/transcript/transcript.ts'],
  ['agent-harness/transcript/events', 'plugins/transcript/transcript-events.ts'],
  ...readdirSync(join(root, 'plugins/lib')).map((file) => [`#lib/${basename(file, '.ts')}`, `plugins/lib/${file}`] as const),
]);
/** Open and run distributions, or stand in for the kernel in another process: the only files outside the kernel that run its code. */
const openers = new Set(
  ['open.ts', 'plugin-host/plugin-folders.ts', 'run.ts', 'plugin-host/child-registry.ts', 'plugin-host/isolated-plugin.ts'].map(
    (file) => `builtins/distribution/${file}`,
  ),
);

test('imports only point downwards: kernel, plugins, builtins', () => {
  expect(
    faultsOf((path, { from }) => {
      const to = target(path, from);
      return to !== undefined && layerOf(to) > layerOf(path) ? `${path} imports ${from}` : undefined;
    }),
  ).toEqual([]);
});

test('plugins and builtins import only types from the kernel and from each other', () => {
  expect(
    faultsOf((path, { from, isTypeOnly }) =>
      from.startsWith('agent-harness') && !libraries.has(from) && !isTypeOnly && !openers.has(path) && layerOf(path) > 0
        ? `${path} runs code of ${from}`
        : undefined,
    ),
  ).toEqual([]);
});

const routeLists = new Set(['builtins/clients/client/routes.ts', 'builtins/control-plane/plane-pages/app/base/routes.ts']);

test('another plugin folder is imported only through its contract, by package name', () => {
  expect(
    faultsOf((path, { from, isTypeOnly }) => {
      if (!from.startsWith('.')) return undefined;
      const to = target(path, from) ?? '';
      return pluginFolderOf(to) === pluginFolderOf(path) || layerOf(path) === 0 || openers.has(path) || (isTypeOnly && routeLists.has(path))
        ? undefined
        : `${path} reaches into ${from}`;
    }),
  ).toEqual([]);
});

test('awilix and tapable are each imported by one file, fastify by one plugin', () => {
  const homes: Record<string, (path: string) => boolean> = {
    awilix: (path) => path === 'kernel/container.ts',
    tapable: (path) => path === 'kernel/hooks.ts',
    fastify: (path) => path.startsWith('plugins/http/'),
    'fastify-plugin': (path) => path.startsWith('plugins/http/'),
  };
  expect(faultsOf((path, { from, isTypeOnly }) => (homes[from] && !isTypeOnly && !homes[from](path) ? `${path} imports ${from}` : undefined))).toEqual([]);
});

test('the kernel imports only Node modules, awilix, tapable, and types of TypeBox', () => {
  const allowed = /^(node:|\.|awilix$|tapable$)/;
  expect(
    faultsOf((path, { from, isTypeOnly }) =>
      layerOf(path) === 0 && !allowed.test(from) && !(from === 'typebox' && isTypeOnly) ? `${path} imports ${from}` : undefined,
    ),
  ).toEqual([]);
});
