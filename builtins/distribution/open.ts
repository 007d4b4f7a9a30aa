// Opens a distribution: creates a kernel and loads the distribution's plugins.
import { mkdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../../package.json';
import { codeOf, createKernel, kernelError, messageOf } from 'agent-harness/kernel';
import type { Kernel, LoadReport, LogSink, PluginSource } from 'agent-harness/kernel';
import { adoptProxies } from '#lib/proxies';
import { fileRefusalOf } from '#lib/errors';
import type { Product } from 'agent-harness/plugins/storage';
import type { BundlePlugins, UserPlugins } from 'agent-harness/plugins/settings';
import { createConfigStore } from '../../plugins/settings/config-store.ts';
import { disabledOf, misfitsOf, variablesOf } from '../../plugins/settings/preferences.ts';
import { closestNames } from '../../plugins/tools/closest-names.ts';
import { homeError, homeOf } from './compile-cache.ts';
import type { Distribution } from './distribution.ts';
import { readDotenv, readPreferences } from './home-files.ts';
import { openRegistrationCache } from './plugin-host/registration-cache.ts';
import { segmentOf, type ServerNames } from './plugin-host/allowed-contributions.ts';
import { createLog } from './log-lines.ts';
import { createLockCheck } from './plugin-host/lock-check.ts';
import { createPluginDevelopment } from './plugin-host/plugin-development.ts';
import { createPluginFolders, type FolderSource } from './plugin-host/plugin-folders.ts';
import { openPluginTrust } from './plugin-host/plugin-trust.ts';
import { createQuarantine, diedReason, type Quarantine } from './plugin-host/quarantine.ts';
import { noteLoads, openRunMarker, type RunMarker } from './plugin-host/run-marker.ts';
import { isOutside } from './plugin-host/plugin-files.ts';
import { createPluginWatch, type PluginWatch } from './plugin-host/plugin-watch.ts';
import { stockBuiltins, stockPlatform } from './stock.ts';
import { createUserPluginLoader } from './plugin-host/user-plugins.ts';

export interface OpenOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the home folder; default: `<NAME>_HOME`, otherwise `~/.<name>`. */
  readonly home?: string;
  readonly startFolder?: string;
  /** Replaces the built platform and built-in plugins, for tests and embedding. */
  readonly sources?: readonly PluginSource[];
  /** Whether to load only the product's plugins (safe mode), for finding a faulty plugin. */
  readonly isSafe?: boolean;
  /** Delays loading the user's plugins until this promise resolves, so that the server responds sooner. */
  readonly userPluginsAfter?: Promise<unknown>;
  readonly log?: LogSink;
}

export interface OpenedDistribution {
  readonly kernel: Kernel;
  readonly product: Product;
  /**
   * Resolves when the user's plugins are loaded too. A server may listen earlier: requests that need these plugins wait until the kernel
   * is ready. Never rejects.
   */
  readonly ready: Promise<LoadReport>;
  /** Tracks which third-party plugin is executing. */
  readonly watch: PluginWatch;
  readonly quarantine: Quarantine;
  /** The caller must end the marker after closing the kernel. */
  readonly marker: RunMarker;
}

/** Creates the home folder and the kernel, loads the product's plugins, and starts loading the user's. The caller must call `kernel.close()`. */
export async function openDistribution(distribution: Distribution, options: OpenOptions = {}): Promise<OpenedDistribution> {
  const environment = options.environment ?? process.env;
  const log = createLog(options.log);
  const home = await openHome(distribution, options.home, environment);
  const preferences = await readPreferences(join(home, '.agent_runtime_prefs.json'));
  const saved = { ...distribution.defaults?.(environment), ...variablesOf(preferences) };
  const product = productOf(distribution, home, options.startFolder);
  const dotenv = readDotenv(join(home, '.env'));
  if (options.environment === undefined) adoptProxies(dotenv);
  const isKept = distribution.platform?.includes('storage') ?? true;
  const cache = openRegistrationCache(join(home, 'plugin-cache'), isKept);
  const marker = openRunMarker(home, isKept);
  const valueOf = (name: string): string | undefined => firstFilled([environment[name], saved[name], dotenv[name]]);
  const userDir = pluginFolderOf(valueOf('AGENT_PLUGIN_DIR'), home);
  const development = createPluginDevelopment(userDir);
  const { locate, readClosely, also, onFault } = development;
  const trust = openPluginTrust(home, valueOf('AGENT_PLUGIN_ASK') !== '0');
  const watch = createPluginWatch({
    say: (plugin, what) => kernel.blame(plugin, what),
    heard: (plugin, kind, message) => quarantine.heard(plugin, kind, message),
    failed: (fault) => development.failed(fault),
  });
  const userPlugins: UserPlugins = {
    dir: userDir,
    reload: () => reloadUserPlugins(),
    ...{ locate, readClosely, also, onFault },
    inspect: (path) => loader.inspect(path),
    lockFault: (name) => createLockCheck(home, userDir).faultOf(name),
    forget(name) {
      quarantine.forget(name);
      trust.forget(name);
      cache.prune();
    },
    trust,
    again: (name) => quarantine.again(name),
  };
  const bundlePlugins: BundlePlugins = { load: (dir) => loadBundle(dir, true), unload: (dir) => loadBundle(dir, false) };
  const dataDir = join(home, 'plugin-data');
  const mark = (plugin: string): void => marker.at(plugin, quarantine.stampOf(plugin));
  /** Names of plugins whose files were imported in this process. */
  const inProcess = new Set<string>();
  const kernel = createKernel({
    config: createConfigStore({ environment, preferences: saved, dotenv }, kernelError),
    dataDir,
    services: { product, userPlugins, bundlePlugins },
    interceptors: [noteLoads(marker, (plugin) => (inProcess.has(plugin) ? mark(plugin) : undefined)), watch.intercept],
    onFault(plugin, code, message) {
      if (code === 'KRN_ERR_HOOK_TIMEOUT') quarantine.heard(plugin, 'slow', message);
    },
    closest: closestNames,
    log,
  });
  const folders = createPluginFolders(kernel);
  const loader = createUserPluginLoader({
    ...{ dataDir, cache, searchPath: environment['PATH'] ?? '', server: serverNames(kernel), trust },
    stampOf: ({ name, path }) => `${trust.stampOf(name)}${cache.changesOf(path)}${development.stampOf(path)}`,
    willRun(plugin) {
      inProcess.add(plugin);
      mark(plugin);
    },
    blame(plugin, what, kind) {
      quarantine.heard(plugin, kind, what);
      kernel.blame(plugin, what);
    },
  });
  const quarantine = createQuarantine({
    home,
    say: (plugin, what) => kernel.blame(plugin, what),
    load: (source, name) => marker.during(() => folders.load([source.dir === userDir ? openUserSource() : source], { only: [name] })),
    died: marker.died,
    isSafe: options.isSafe === true || marker.unsafe !== undefined,
  });
  quarantineRejections(kernel, quarantine);
  const sources = [...(options.sources ?? (await builtSources(distribution))), ...(distribution.sources ?? [])];
  await loadProduct(kernel, sources, disabledOf(preferences));
  for (const message of misfitsOf(preferences)) {
    if (options.log) log('warn', 'settings', message);
    kernel.emitter.emit('error', { source: 'settings', code: 'SETTINGS_ERR_INVALID_REQUEST', message });
  }
  return { kernel, product, ready: loadUser(), watch, quarantine, marker };

  /** Creates a source for each load, because its lookups are cached. */
  function openUserSource(): FolderSource {
    return quarantine.guard(loader.source(userDir, { lock: createLockCheck(home, userDir) }));
  }

  async function loadUser(): Promise<LoadReport> {
    const isReady = kernel.plugins.ready();
    const load = async (): Promise<LoadReport> => {
      await isReady;
      return loadUserPlugins(kernel, () => folders.load([openUserSource()]), userDir);
    };
    const report = await kernel.plugins.later(() => marker.during(load), options.userPluginsAfter);
    const { died, unsafe } = marker;
    if (died && report.plugins.some(({ name }) => name === died.plugin)) kernel.blame(died.plugin, `was quarantined, because it ${diedReason}`);
    if (unsafe !== undefined) {
      log('warn', 'plugins', unsafe);
      kernel.emitter.emit('error', { source: 'plugin', code: 'KRN_ERR_PLUGIN_FAULT', message: unsafe });
    }
    return report;
  }

  function loadBundle(dir: string, isWanted: boolean): Promise<LoadReport> {
    const source = quarantine.guard(loader.source(dir, { origin: 'bundle', isWanted: () => isWanted }));
    return marker.during(() => folders.load([source]));
  }

  /** Loads the user's plugins again, including quarantined ones whose files changed. */
  async function reloadUserPlugins(): Promise<LoadReport> {
    quarantine.forget();
    const disabled = disabledOf(await readPreferences(join(home, '.agent_runtime_prefs.json')));
    const others = development.elsewhere.map((place) =>
      quarantine.guard(loader.source(dirname(place), { isWanted: ({ path }) => [path, dirname(path)].includes(place) })),
    );
    return marker.during(() => folders.load([openUserSource(), ...others], { disabled }));
  }
}

function productOf(distribution: Distribution, home: string, startFolder = process.cwd()): Product {
  return {
    name: distribution.name,
    title: distribution.title,
    ...(distribution.command === undefined ? {} : { command: distribution.command }),
    ...(distribution.setBy === undefined ? {} : { setBy: distribution.setBy }),
    programs: Object.entries(distribution.programs ?? {}).map(([name, { summary }]) => ({ name, summary })),
    version,
    home,
    startFolder,
    readDotenv: () => Promise.resolve(readDotenv(join(home, '.env'))),
  };
}

/** Creates the home folder. */
async function openHome(distribution: Distribution, given: string | undefined, environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  const home = given === undefined ? homeOf(distribution, environment) : resolve(given);
  await mkdir(home, { recursive: true, mode: 0o700 }).catch((fault: unknown) => {
    throw homeError(`The home folder ${home} cannot be created: ${fileRefusalOf(fault)?.reason ?? messageOf(fault)}`, fault);
  });
  return home;
}

/** Ignores a relative path, because it would depend on the working directory. */
function pluginFolderOf(named = '', home: string): string {
  return resolve(isAbsolute(named) ? named : join(home, 'plugins'));
}

function firstFilled(values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && value !== '');
}

/** Loads the product's plugins; closes the kernel if that fails. */
async function loadProduct(kernel: Kernel, sources: readonly PluginSource[], disabled: readonly string[]): Promise<void> {
  try {
    await kernel.plugins.load({ sources, disabled });
  } catch (fault) {
    await kernel.close();
    throw fault;
  }
}

/** Quarantines third-party plugins that cause unhandled rejections. */
function quarantineRejections(kernel: Kernel, quarantine: Quarantine): void {
  kernel.emitter.on('error', ({ plugin = '', code, message }) => {
    const row = code === 'KRN_ERR_LISTENER_REJECTED' && kernel.control.report().plugins.find(({ name }) => name === plugin);
    if (row && isOutside(row)) quarantine.record(plugin, `would have ended the program: ${message}`);
  });
}

function serverNames({ control }: Kernel): ServerNames {
  return {
    plugins: () => control.report().plugins.map(({ name }) => name),
    segments: () =>
      new Set(
        control
          .report()
          .plugins.filter((plugin) => !isOutside(plugin))
          .flatMap(({ adds }) => adds.flatMap((label) => (label.startsWith('route:') ? [segmentOf(label.slice('route:'.length))] : []))),
      ),
  };
}

/** Loads the user's plugins. An unreadable folder is reported like a failing plugin and does not prevent the start. */
async function loadUserPlugins(kernel: Kernel, load: () => Promise<LoadReport>, dir: string): Promise<LoadReport> {
  try {
    return await load();
  } catch (fault) {
    const message = `The plugin folder ${dir} cannot be read: ${messageOf(fault)}`;
    kernel.emitter.emit('error', { source: 'plugin', code: codeOf(fault) ?? 'KRN_ERR_PLUGIN_IMPORT', message });
    return kernel.control.report();
  }
}

/** Returns the sources of the built plugins. The complete stock list is loaded from one file, in a third of the time. */
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
