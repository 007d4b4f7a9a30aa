// Starts the real platform and built-in plugins from their sources, in this process, on a free port and an empty home.
/// <reference types="vite/client" />
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Kernel, PluginModule, PluginSource } from 'agent-harness/kernel';
import { openDistribution, type OpenedDistribution } from '../../builtins/distribution/open.ts';
import { stockBuiltins } from '../../builtins/distribution/stock.ts';
import { closeAfterTest } from './close-after-test.ts';

type Modules = Record<string, PluginModule<never>>;

const platformModules = import.meta.glob<PluginModule<never>>('../../plugins/*/index.ts');
const builtinModules = import.meta.glob<PluginModule<never>>('../../builtins/**/index.ts');

export interface HarnessOptions {
  /** Names of built-ins; those of the stock server by default. */
  readonly builtins?: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  readonly workspace?: string;
  /** Additional plugins, loaded as user plugins. */
  readonly modules?: Modules;
  /** Whether to serve HTTP; true by default. */
  readonly listen?: boolean;
  readonly outlivesTest?: boolean;
}

export interface Harness extends OpenedDistribution {
  readonly url: string;
  readonly token: string;
  readonly home: string;
  readonly workspace: string;
  readonly logs: string[];
  /** Sends a request with the token and a JSON body. Returns status and parsed body. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<{ status: number; body: any; headers: Headers }>;
  /** Closes the harness, and returns the errors of unloading. A second call only deletes files. `keepFiles`: for a restart on the same home. */
  close(options?: { readonly keepFiles?: boolean }): Promise<readonly unknown[]>;
}

/** A harness started by a unit test is closed after the test; otherwise, the caller closes it. The home is deleted unless it was passed in. */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'harness-home-')));
  const workspace = options.workspace ?? (await mkdtemp(join(tmpdir(), 'harness-work-')));
  const logs: string[] = [];
  const sources: PluginSource[] = [
    { origin: 'platform', modules: await load(platformModules) },
    {
      origin: 'builtin',
      modules: await load(builtinModules, options.builtins ?? stockBuiltins),
    },
    ...(options.modules ? [{ origin: 'user' as const, modules: options.modules }] : []),
  ];
  const environment = {
    AGENT_PLUGIN_ASK: '0',
    AGENT_CHAT_TITLES: '0',
    AGENT_WORKSPACE_ROOT: workspace,
    AGENT_IMPORT_HOME: home,
    PORT: '0',
    ...options.environment,
  };
  const opened = await openDistribution(
    { name: 'app', title: 'Agent Harness' },
    {
      environment,
      home,
      startFolder: workspace,
      sources,
      log: (level, plugin, message) => logs.push(`${level} ${plugin}: ${message}`),
    },
  );
  await opened.ready;
  let isOpen = true;
  const serves = options.listen !== false;
  const url = serves ? (await opened.kernel.resolve('http').listen({ port: 0 })).url : '';
  const token = serves ? await opened.kernel.resolve('webToken').current() : '';

  const harness: Harness = {
    ...opened,
    url,
    token,
    home,
    workspace,
    logs,
    async call(method, path, body, headers = {}) {
      const reply = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return { status: reply.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text, headers: reply.headers };
    },
    async close({ keepFiles = false } = {}) {
      const faults = isOpen ? await closeAll(opened.kernel, serves) : [];
      isOpen = false;
      if (keepFiles) return faults;
      if (!options.workspace) await rm(workspace, { recursive: true, force: true });
      if (!options.home) await rm(home, { recursive: true, force: true });
      return faults;
    },
  };
  if (!options.outlivesTest) closeAfterTest(() => harness.close());
  return harness;
}

/** Closes the HTTP server and the kernel. Returns the errors of unloading. */
async function closeAll(kernel: Kernel, serves: boolean): Promise<readonly unknown[]> {
  if (serves) await kernel.resolve('http').close();
  return kernel.close();
}

/** Returns the modules by plugin name. Each test has its own kernel, so shared module objects are part of the test. */
export async function load(found: Record<string, () => Promise<PluginModule<never>>>, only?: readonly string[]): Promise<Modules> {
  const entries = Object.entries(found).map(([path, importModule]) => [basename(dirname(path)), importModule] as const);
  const wanted = entries.filter(([name]) => !only || only.includes(name));
  return Object.fromEntries(await Promise.all(wanted.map(async ([name, importModule]) => [name, await importModule()] as const)));
}
export const allModules = { platform: platformModules, builtin: builtinModules };
