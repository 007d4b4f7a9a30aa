import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKernel, loadPlugins, type Kernel, type LoadReport, type PluginModule, type PluginSource } from 'agent-harness/kernel';
import { stockBuiltins } from '../../../builtins/distribution/stock.ts';
import { allModules, load } from '../../helpers/harness.ts';
import { configOf } from '../../helpers/config-of.ts';

type Modules = Record<string, PluginModule<never>>;
let platform: Modules;
let builtin: Modules;
let home: string;
beforeAll(async () => {
  platform = await load(allModules.platform);
  builtin = await load(allModules.builtin, stockBuiltins);
  home = await mkdtemp(join(tmpdir(), 'sweep-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function loadAll(sources: readonly PluginSource[]): Promise<{ kernel: Kernel; report: LoadReport }> {
  const product = { name: 'app', title: 'Sweep', version: '0', home, startFolder: home };
  const kernel = createKernel({ config: configOf({}), services: { product }, dataDir: join(home, 'data'), log: () => undefined });
  const report = await loadPlugins(kernel.registry, kernel.emitter, { sources });
  return { kernel, report };
}
const stock = (): PluginSource[] => [
  { origin: 'platform', modules: platform },
  { origin: 'builtin', modules: builtin },
];
/** Omits times, which vary, and origins, which a test changes. */
const shape = (report: LoadReport) => report.plugins.map(({ name, state, reason, adds }) => ({ name, state, reason, adds }));

test('unloading empties the kernel, and loading again restores the same state', async () => {
  const { kernel, report } = await loadAll(stock());
  expect(report.plugins.filter((plugin) => plugin.state === 'failed' || plugin.state === 'unmet')).toEqual([]);
  const first = kernel.trace();
  expect(first.length).toBeGreaterThan(100);
  // Plugins that cannot be disabled unload only with the kernel.
  const names = Object.keys(builtin).filter((name) => !report.plugins.some((plugin) => plugin.name === name && plugin.isFixed));
  await kernel.control.setDisabled(names);
  const bare = kernel.trace();
  expect(bare.filter((label) => names.some((name) => label.endsWith(`@${name}`)))).toEqual([]);
  await kernel.control.setDisabled([]);
  expect(kernel.trace()).toEqual(first);
  expect(await kernel.close()).toEqual([]);
  expect(kernel.trace()).toEqual([]);
});

test('loading every plugin leaves no timer, socket or child process behind', async () => {
  const before = process.getActiveResourcesInfo().length;
  const { kernel } = await loadAll(stock());
  await kernel.close();
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
});

test('the discovery order of plugins does not affect the result', async () => {
  const first = await loadAll(stock());
  const expected = { rows: shape(first.report), trace: first.kernel.trace() };
  await first.kernel.close();
  let seed = 7;
  const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const shuffled = (modules: Modules): Modules =>
    Object.fromEntries(
      Object.entries(modules)
        .map((entry) => ({ entry, at: random() }))
        .sort((left, right) => left.at - right.at)
        .map(({ entry }) => entry),
    );
  for (let round = 0; round < 20; round++) {
    const sources: PluginSource[] = [
      { origin: 'builtin', modules: shuffled(builtin) },
      { origin: 'platform', modules: shuffled(platform) },
    ];
    const { kernel, report } = await loadAll(round % 2 === 0 ? sources : sources.reverse());
    expect({ rows: shape(report), trace: kernel.trace() }).toEqual(expected);
    await kernel.close();
  }
});

test('built-ins loaded as user plugins contribute the same items', async () => {
  const own = await loadAll(stock());
  const asUser = await loadAll([
    { origin: 'platform', modules: platform },
    { origin: 'user', modules: builtin },
  ]);
  expect(shape(asUser.report)).toEqual(shape(own.report));
  expect(asUser.kernel.trace()).toEqual(own.kernel.trace());
  await own.kernel.close();
  await asUser.kernel.close();
});
