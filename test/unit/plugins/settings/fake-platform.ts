// Small stand-ins for neighbouring plugins: routes without a server, wire events.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { createKernel, loadPlugins } from 'agent-harness/kernel';
import type { Kernel, PluginManifest, PluginModule } from 'agent-harness/kernel';
import type { WireEvent } from 'agent-harness/plugins/chats';
import type { Principal, Route } from 'agent-harness/plugins/http';
import * as storagePlugin from '../../../../plugins/storage/index.ts';
import type { ConfigTexts } from '../../../../plugins/settings/config-store.ts';
import { configOf } from '../../../helpers/config-of.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';

export interface Caller {
  /** Defaults to the owner. */
  readonly principal?: Principal | undefined;
  readonly isLocal?: boolean;
  readonly peer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Rig {
  readonly kernel: Kernel;
  readonly home: string;
  readonly logs: string[];
  readonly wireEvents: Map<string, WireEvent>;
  readonly routes: Map<string, Route>;
  call(method: string, path: string, body?: unknown, caller?: Caller): Promise<{ status: number; body: any; headers: Record<string, string> }>;
  close(): Promise<readonly unknown[]>;
}

const owner: Principal = { kind: 'owner', id: 'owner', role: 'owner' };

export type Modules = Record<string, PluginModule<never>>;

export interface RigOptions extends ConfigTexts {
  readonly platform: Modules;
  readonly builtins?: Modules;
  readonly disabled?: readonly string[];
  readonly home?: string;
  /** `undefined`: the server is not listening. */
  readonly port?: number | undefined;
}

export async function startRig(options: RigOptions): Promise<Rig> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'rig-home-')));
  const logs: string[] = [];
  const routes = new Map<string, Route>();
  const wireEvents = new Map<string, WireEvent>();
  const product = { name: 'app', title: 'Agent Harness', version: '9.9.9', home, startFolder: home };
  const kernel = createKernel({
    ...options,
    config: configOf(options),
    services: { product },
    log: (level, plugin, message) => logs.push(`${level} ${plugin}: ${message}`),
  });
  const fakes: Modules = {
    storage: storagePlugin as unknown as Modules[string],
    ...plugin('fake-http', { provides: ['http', 'webToken'] }, (registry) => {
      const port = 'port' in options ? options.port : 3001;
      const address = port === undefined ? undefined : { host: '127.0.0.1', port, url: `http://127.0.0.1:${port}` };
      registry.provide('http', () => ({ address: () => address }) as never);
      registry.provide('webToken', () => ({ current: () => Promise.resolve('secret-token'), rotate: () => Promise.reject(new Error()) }));
      registry.point('route', { added: (item) => void routes.set(item.key, item), removed: (item) => void routes.delete(item.key) });
    }),
    ...plugin('fake-chats', {}, (registry) => {
      registry.point('wire_event', { added: (item) => void wireEvents.set(item.name, item), removed: (item) => void wireEvents.delete(item.name) });
    }),
  };
  await loadPlugins(kernel.registry, kernel.emitter, {
    sources: [
      { origin: 'platform', modules: { ...fakes, ...options.platform } },
      { origin: 'builtin', modules: options.builtins ?? {} },
    ],
    disabled: options.disabled ?? [],
  });

  const rig: Rig = {
    kernel,
    home,
    logs,
    wireEvents,
    routes,
    call: (method, path, body, caller) => callRoute(routes, method, path, body, caller),
    async close() {
      const faults = await kernel.close();
      if (!options.home) await rm(home, { recursive: true, force: true });
      return faults;
    },
  };
  closeAfterTest(() => rig.close());
  return rig;
}

export function plugin(name: string, manifest: Omit<PluginManifest, 'name'>, register: PluginModule['register'] = () => undefined): Modules {
  return { [name]: { manifest: { name, ...manifest }, register } as unknown as PluginModule<never> };
}

async function callRoute(routes: Map<string, Route>, method: string, path: string, body: unknown, caller: Caller = {}): ReturnType<Rig['call']> {
  const url = new URL(path, 'http://127.0.0.1');
  const headers: Record<string, string> = {};
  for (const [key, route] of routes) {
    const pattern = new RegExp(`^${key.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    const match = pattern.exec(`${method} ${url.pathname}`);
    if (!match) continue;
    const query = Object.fromEntries(url.searchParams);
    const params = { ...match.groups };
    const wrong = checkAll([
      [route.schema.body, body],
      [route.schema.query, query],
    ]);
    if (wrong) return { status: 400, body: { error: { code: 'invalid_request', message: wrong } }, headers };
    let sent: unknown;
    const reply = {
      header: (name: string, value: string) => ((headers[name] = value), reply),
      type: (value: string) => ((headers['content-type'] = value), reply),
      send: (value: unknown) => ((sent = value), Promise.resolve()),
    };
    try {
      const context = { params, query, body, headers: {}, peer: '127.0.0.1', principal: owner, isLocal: true, reply, ...caller };
      const answered: unknown = await route.handle(context as never);
      const result = route.isRaw ? sent : JSON.parse(JSON.stringify(answered));
      if (route.mediaType !== undefined) headers['content-type'] = `${route.mediaType}; charset=utf-8`;
      const wrongReply = checkAll([[route.schema.reply, result]]);
      if (wrongReply) throw new Error(`reply of ${key}: ${wrongReply}`);
      return { status: route.status ?? 200, body: result, headers };
    } catch (fault) {
      const { code = '', status, message, details } = fault as { code?: string; status?: number; message: string; details?: object };
      if (status === undefined) throw fault;
      return { status, body: { error: { code: code.replace(/^.*_ERR_/, '').toLowerCase(), message, details } }, headers };
    }
  }
  return { status: 404, body: { error: { code: 'not_found' } }, headers };
}

function checkAll(pairs: readonly (readonly [object | undefined, unknown])[]): string | undefined {
  for (const [schema, value] of pairs) {
    if (!schema) continue;
    const ajv = new Ajv({ strict: false });
    if (!ajv.validate(schema, value)) return ajv.errorsText();
  }
  return undefined;
}
