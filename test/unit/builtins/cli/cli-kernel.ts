// Starts the real commands and cli plugins with a scripted server and an empty home folder.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, loadPlugins } from 'agent-harness/kernel';
import type { Kernel, PluginModule } from 'agent-harness/kernel';
import type { Route } from 'agent-harness/plugins/http';
import * as cli from '../../../../builtins/clients/cli/index.ts';
import * as commands from '../../../../plugins/commands/index.ts';
import { readNotice } from '../../../../plugins/http/http-service.ts';
import { createFakeServer, type FakeServer } from './fake-server.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';
import { runCommandLine, type Terminal } from '../../../helpers/command-line.ts';
import { configOf } from '../../../helpers/config-of.ts';

type Modules = Record<string, PluginModule<never>>;

export interface CliKernel {
  readonly kernel: Kernel;
  readonly home: string;
  readonly server: FakeServer;
  readonly routes: Map<string, Route<any>>;
  readonly done: string[];
  runServer(): Promise<void>;
  run(argv: readonly string[], terminal?: Terminal): ReturnType<typeof runCommandLine>;
  close(): Promise<void>;
}

export interface CliKernelOptions {
  readonly modules?: Modules;
  readonly environment?: Record<string, string>;
  readonly dotenv?: Record<string, string>;
  readonly wire?: 'demo' | 'messages';
  readonly hasDemo?: boolean;
  readonly hasPage?: boolean;
  readonly token?: string;
  readonly parent?: string;
  readonly prepare?: (home: string) => Promise<void>;
}

/** Closed with a unit test; otherwise the caller closes it. */
export async function startCli(options: CliKernelOptions = {}): Promise<CliKernel> {
  const home = await mkdtemp(join(options.parent ?? tmpdir(), 'cli-home-'));
  await options.prepare?.(home);
  const token = options.token ?? '0123456789abcdef0123456789abcdef';
  const server = createFakeServer(token);
  const routes = new Map<string, Route<any>>();
  const done: string[] = [];
  const services = {
    product: {
      ...{ name: 'app', title: 'Test Program', version: '1.2.3', home, startFolder: home },
      readDotenv: () => Promise.resolve(options.dotenv ?? {}),
    },
    http: {
      listen: async (wanted: { port?: number } = {}) => {
        done.push(`listen ${JSON.stringify(wanted)}`);
        return server.listen(wanted.port);
      },
      running: () => readNotice(join(home, 'server.json')),
      has: (key: string) => key === 'GET /' && options.hasPage !== false,
      close: async () => {
        done.push('close');
        await server.close();
      },
    },
    webToken: { current: async () => token, rotate: async () => 'fresh-token' },
    models: {
      hasWire: () => options.hasDemo !== false,
      facts: () => ({ checkedOn: '2026-11-29', ageDays: 0 }),
      route: () => ({ wire: options.wire ?? 'messages', model: 'some-model', baseURL: 'https://models.example/v1' }),
      keepLine: ({ baseURL, model }: { baseURL?: string; model?: string }) =>
        [...(baseURL ? [`AGENT_API_BASE_URL=${baseURL}`] : []), ...(model ? [`AGENT_MODEL=${model}`] : []), 'SOME_API_KEY=<key>'].join('\n'),
    },
    chats: {},
    license: createFakeLicense(done),
  };
  const kernel = createKernel({ services: services as never, config: configOf({ environment: options.environment ?? {} }), log: () => undefined });
  const routeOwner: PluginModule<never> = {
    register(registry, emitter) {
      emitter.hook('turn.intercept', 'bail');
      registry.point('route', { added: (route) => void routes.set(route.key, route), removed: (route) => void routes.delete(route.key) });
    },
  };
  const platform = { commands: commands as unknown as PluginModule<never>, 'route-owner': routeOwner };
  await loadPlugins(kernel.registry, kernel.emitter, {
    sources: [
      { origin: 'platform', modules: platform },
      { origin: 'builtin', modules: { cli: cli as unknown as PluginModule<never> } },
      { origin: 'user', modules: options.modules ?? {} },
    ],
  });

  const started: CliKernel = {
    kernel,
    home,
    server,
    routes,
    done,
    async runServer() {
      const { port } = await server.listen();
      await writeFile(join(home, 'server.json'), JSON.stringify({ pid: process.pid, port, startedAt: '2026-01-01T00:00:00.000Z' }));
    },
    run: (argv, terminal) => runCommandLine(kernel, argv, terminal),
    async close() {
      await server.close();
      await kernel.close();
      await rm(home, { recursive: true, force: true });
    },
  };
  closeAfterTest(() => started.close());
  return started;
}

function createFakeLicense(done: string[]): object {
  let isSignedIn = false;
  const state = (): object =>
    isSignedIn ? { tier: 'pro', status: 'active', entitlements: ['pro.cloud_sync'] } : { tier: 'community', status: 'community', entitlements: [] };
  return {
    state,
    account: () => (isSignedIn ? { email: 'me@example.org', tier: 'pro', source: 'browser', connectedAt: '2026-01-02T00:00:00.000Z' } : null),
    apply: async (token: string) => {
      if (token !== 'good') throw Object.assign(new Error('License token is not valid'), { code: 'LICENSING_ERR_TOKEN_INVALID' });
      done.push(`apply ${token}`);
      isSignedIn = true;
      return state();
    },
    clear: async () => {
      done.push('clear');
      isSignedIn = false;
      return state();
    },
  };
}
