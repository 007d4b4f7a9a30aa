// Implements a plugin's registry and emitter in its child process: collects registrations and sends them to the server.
import { messageOf, pluginError } from 'agent-harness/kernel';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { refuseEvent } from './capabilities.ts';
import type { Rpc } from './rpc.ts';
import type { Held } from './rpc-codec.ts';

/** Message that the server sends before the plugin registers. */
export interface Setting {
  readonly run: number;
  readonly dataDir: string | undefined;
  readonly config: Readonly<Record<string, unknown>>;
  /** Names of the available services. */
  readonly services: readonly string[];
}

/** One registration: `add` (point, item), `tap` (hook, function, options) or `on` (event, function), identified by `handle`. */
export interface Registration {
  readonly kind: 'add' | 'tap' | 'on';
  readonly handle: number;
  readonly args: readonly unknown[];
}

export type ChildRegistry = ReturnType<typeof createChildRegistry>;

export function createChildRegistry(manifest: PluginManifest, setting: Setting, server: Pick<Rpc, 'call' | 'notify'>) {
  const { name } = manifest;
  const config: Record<string, unknown> = { ...setting.config };
  const abort = new AbortController();
  const undos = new Set<() => unknown>();
  let handles = 1;
  let gathered: Registration[] | undefined = [];

  function register(kind: Registration['kind'], args: readonly unknown[]): { dispose(): void | Promise<void> } {
    const registration = { kind, handle: handles++, args };
    const early = gathered;
    if (early) early.push(registration);
    else server.notify('register', registration);
    return {
      dispose() {
        if (early && early === gathered) early.splice(early.indexOf(registration), 1);
        else return server.call('dispose', [registration.handle]) as Promise<void>;
      },
    };
  }

  const inProcess = (what: string) => (): never => {
    throw new Error(`it ${what}, which an isolated plugin cannot; set isolation: 'process' in its manifest.`);
  };
  const at =
    (level: string) =>
    (message: string, fields?: object): void =>
      server.notify('log', level, message, fields);

  const registry: Registry = {
    plugin: {
      name,
      get dataDir() {
        if (setting.dataDir === undefined) throw new Error('The server has no data folder for plugins.');
        return setting.dataDir;
      },
    },
    config,
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    services: servicesOf(manifest, setting.services, server),
    signal: abort.signal,
    add: (point, item) => register('add', [point, item]),
    defer(undo) {
      undos.add(undo);
      return { dispose: () => (undos.delete(undo) ? undo() : undefined) };
    },
    provide: inProcess('provides a service'),
    point: inProcess('owns a point'),
    child: inProcess('creates a child scope'),
    error: (reason, details, cause) => pluginError(name, manifest.errors ?? {}, reason, details, cause),
  };
  const emitter: Emitter = {
    on(event, listener) {
      refuseEvent(name, event, manifest);
      return register('on', [event, listener]);
    },
    emit: (event, payload) => server.notify('emit', event, payload),
    tap: (hook, fn, options) => register('tap', [hook, fn, options]),
    call: inProcess('calls a hook'),
    hook: inProcess('declares a hook'),
  };

  return {
    registry,
    emitter,
    /** Returns all registrations so far; later ones are sent individually as they are made. */
    take(): readonly Registration[] {
      const all = gathered ?? [];
      gathered = undefined;
      return all;
    },
    hasDeferred: () => undos.size > 0,
    setConfig: (values: Readonly<Record<string, unknown>>) => void Object.assign(config, values),
    /** Runs the deferred undos, last first. */
    async end(): Promise<void> {
      abort.abort();
      for (const undo of [...undos].reverse()) {
        try {
          await undo();
        } catch (fault) {
          server.notify('log', 'error', `a deferred undo failed: ${messageOf(fault)}`);
        }
      }
      undos.clear();
    },
  };
}

/** Creates the proxy of the services, whose methods return promises. */
function servicesOf({ requires = [], optional = [], name }: PluginManifest, present: readonly string[], server: Pick<Rpc, 'call'>): never {
  const declared = new Set<string>([...requires, ...optional]);
  const pathTo = (service: string, path: readonly string[]): Held =>
    new Proxy(() => undefined, {
      get: (_, key) => (typeof key === 'string' && key !== 'then' ? pathTo(service, [...path, key]) : undefined),
      apply: (_, __, args: unknown[]) => server.call('service', [service, path, args]),
    });
  return new Proxy(Object.freeze({}), {
    get(_, key) {
      if (typeof key !== 'string') return undefined;
      if (!declared.has(key)) throw new Error(`Plugin '${name}' reads service '${key}' without listing it in manifest.requires or manifest.optional.`);
      return present.includes(key) ? pathTo(key, []) : undefined;
    },
  }) as never;
}
