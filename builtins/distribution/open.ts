// A distribution: a product name and a list of plugins. Opening one gives a kernel with them at work.
import { readFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseDotenv } from 'dotenv';
import { version } from '../../package.json';
import { codeOf, createKernel, loadPlugins, messageOf } from 'agent-harness/kernel';
import type { Kernel, LoadReport, LogSink, PluginSource } from 'agent-harness/kernel';
import type { Product } from 'agent-harness/plugins/storage';
import type { BundlePlugins, PreferencesFile } from 'agent-harness/plugins/settings';
import { disabledOf, misfitsOf, variablesOf } from '../../plugins/settings/preferences.ts';
import { closestNames } from '../../plugins/tools/closest-names.ts';
import { openPluginFaults, type PluginFaults } from './plugin-faults.ts';
import { homeOf } from './compile-cache.ts';
import type { Distribution } from './distribution.ts';
import { createPluginWatch, isOutside, type PluginWatch } from './plugin-watch.ts';
import { stockBuiltins, stockPlatform } from './stock.ts';
import { bundleSource, userSource } from './user-plugins.ts';

export interface OpenOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Absolute; by default `<NAME>_HOME`, else `~/.<name>`. */
  readonly home?: string;
  readonly startFolder?: string;
  /** Instead of the built platform and built-in plugins: for tests and embedding. */
  readonly sources?: readonly PluginSource[];
  readonly log?: LogSink;
}

export interface OpenedDistribution {
  readonly kernel: Kernel;
  readonly product: Product;
  /**
   * Resolves when the user's plugins are loaded, too. A server may listen before: what needs them waits for the
   * kernel to be ready. Never rejects.
   */
  readonly ready: Promise<LoadReport>;
  /** Who of the plugins from outside is at work. */
  readonly watch: PluginWatch;
  /** Those that failed where nobody could catch it. */
  readonly faults: PluginFaults;
}

/** Makes home and kernel, loads the product's plugins, and begins to load the user's. Whoever opens it calls `kernel.close()`. */
export async function openDistribution(distribution: Distribution, options: OpenOptions = {}): Promise<OpenedDistribution> {
  const environment = options.environment ?? process.env;
  const home = options.home === undefined ? homeOf(distribution, environment) : resolve(options.home);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const preferences = await readPreferences(join(home, '.agent_runtime_prefs.json'));
  const saved = { ...distribution.defaults?.(environment), ...variablesOf(preferences) };
  const product: Product = {
    name: distribution.name,
    title: distribution.title,
    ...(distribution.command === undefined ? {} : { command: distribution.command }),
    ...(distribution.setBy === undefined ? {} : { setBy: distribution.setBy }),
    programs: Object.entries(distribution.programs ?? {}).map(([name, { summary }]) => ({ name, summary })),
    version,
    home,
    startFolder: options.startFolder ?? process.cwd(),
    readDotenv: () => Promise.resolve(readDotenv(join(home, '.env'))),
  };
  const dotenv = readDotenv(join(home, '.env'));
  const faults = openPluginFaults(home);
  const watch = createPluginWatch((plugin, what) => kernel.blame(plugin, what));
  // A relative one would be another folder for each place that the program is started in.
  const named = [environment['AGENT_PLUGIN_DIR'], saved['AGENT_PLUGIN_DIR'], dotenv['AGENT_PLUGIN_DIR']].find((dir) => dir !== undefined && dir !== '');
  const userDir = resolve(named !== undefined && isAbsolute(named) ? named : join(home, 'plugins'));
  const userPlugins = { dir: userDir, reload: () => reloadUserPlugins() };
  const bundlePlugins: BundlePlugins = { load: (dir) => loadBundle(dir, true), unload: (dir) => loadBundle(dir, false) };
  const kernel = createKernel({
    environment,
    preferences: saved,
    dotenv,
    dataDir: join(home, 'plugin-data'),
    services: { product, userPlugins, bundlePlugins },
    around: watch.around,
    closest: closestNames,
    ...(options.log ? { log: options.log } : {}),
  });
  kernel.emitter.on('plugin_changed', ({ name, state }) => {
    if (state === 'active') faults.forget(name);
  });
  kernel.emitter.on('error', ({ plugin = '', code, message }) => {
    const row = code === 'KRN_ERR_LISTENER_REJECTED' && kernel.control.report().plugins.find(({ name }) => name === plugin);
    if (row && isOutside(row)) faults.record(plugin, `would have ended the program: ${message}`);
  });
  const sources = [...(options.sources ?? (await builtSources(distribution))), ...(distribution.sources ?? [])];
  const misfits = misfitsOf(preferences);
  try {
    await loadPlugins(kernel.registry, kernel.emitter, { sources, disabled: [...faults.off, ...disabledOf(preferences)], isPartial: true });
  } catch (fault) {
    await kernel.close();
    throw fault;
  }
  for (const message of misfits) {
    options.log?.('warn', 'settings', message);
    kernel.emitter.emit('error', { source: 'settings', code: 'SETTINGS_ERR_INVALID_REQUEST', message });
  }
  return { kernel, product, ready: loadUserPlugins(kernel, userDir), watch, faults };

  function loadBundle(dir: string, isWanted: boolean): Promise<LoadReport> {
    return loadPlugins(kernel.registry, kernel.emitter, { sources: [bundleSource(dir, isWanted)], isAgain: true });
  }

  /** Who was off because of a fault may have been mended. */
  async function reloadUserPlugins(): Promise<LoadReport> {
    faults.forget();
    const disabled = disabledOf(await readPreferences(join(home, '.agent_runtime_prefs.json')));
    return loadPlugins(kernel.registry, kernel.emitter, { sources: [userSource(userDir)], disabled, isAgain: true });
  }
}

/** A folder that cannot be read is told like a plugin that fails; it is no reason not to start. */
async function loadUserPlugins(kernel: Kernel, dir: string): Promise<LoadReport> {
  try {
    return await loadPlugins(kernel.registry, kernel.emitter, { sources: [userSource(dir)] });
  } catch (fault) {
    const message = `The plugin folder ${dir} cannot be read: ${messageOf(fault)}`;
    kernel.emitter.emit('error', { source: 'plugin', code: codeOf(fault) ?? 'KRN_ERR_PLUGIN_IMPORT', message });
    return loadPlugins(kernel.registry, kernel.emitter, { sources: [] });
  }
}

/** Who takes all of the stock list gets it from one file, which loads in a third of the time. */
async function builtSources({ platform: wanted, builtins: listed }: Distribution): Promise<PluginSource[]> {
  if (!wanted && !listed) {
    const { platform, builtins } = await import('./pack.ts');
    return [
      { origin: 'platform', modules: platform },
      { origin: 'builtin', modules: builtins },
    ];
  }
  const dirOf = (folder: string): string => fileURLToPath(new URL(`./${folder}/`, import.meta.url));
  return [
    { origin: 'platform', dir: dirOf('plugins'), include: wanted ?? stockPlatform },
    { origin: 'builtin', dir: dirOf('builtins'), include: listed ?? stockBuiltins },
  ];
}

/** A file that does not parse is left for the `settings` plugin to move aside and report. */
async function readPreferences(path: string): Promise<PreferencesFile> {
  try {
    const parsed: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** Before each turn, where it is mostly not there: four trips through the thread pool would take longer than all else that is looked up. */
function readDotenv(path: string): Record<string, string> {
  try {
    return parseDotenv(readFileSync(path));
  } catch {
    return {};
  }
}
