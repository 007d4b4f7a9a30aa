// Creates a plugin's registry and emitter; everything that it registers belongs to its scope.
import { join } from 'node:path';
import type { ChildScope, Emitter, Logger, LogLevel, PluginManifest, Registry } from './types.ts';
import type { Container } from './container.ts';
import { kernelError, pluginError } from './errors.ts';
import { sharedEvent } from './events.ts';
import { nameOf } from './points.ts';
import type { KernelParts } from './parts.ts';
import type { Run } from './record.ts';
import type { Scope } from './scope.ts';

/** Creates the registry of one run of a plugin. @param servicesChanged called when the plugin adds or removes a service */
export function createRegistry(manifest: PluginManifest, { scope, slice, provided }: Run, parts: KernelParts, servicesChanged: () => void): Registry {
  const plugin = manifest.name;
  const services = createCradle(manifest, parts.container);
  const logAt = (level: LogLevel): Logger[LogLevel] => parts.log.bind(undefined, level, plugin);

  return Object.assign(createPart(plugin, scope, parts), {
    plugin: {
      name: plugin,
      get dataDir() {
        // A relative path would depend on the working directory.
        if (parts.dataDir === undefined) throw kernelError('DATA_DIR_MISSING', { plugin });
        return join(parts.dataDir, plugin);
      },
    },
    config: slice.values,
    log: { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') },
    services,

    provide(key, factory, options) {
      return scope.keep(`service:${key}`, () => {
        if (!manifest.provides?.includes(key)) throw kernelError('SERVICE_UNPROVIDED', { plugin, key });
        const make = parts.intercept(plugin, 'service', () => factory(services));
        const provision = parts.container.provide(plugin, key, make, options?.dispose);
        provided.add(key);
        servicesChanged();
        return {
          dispose() {
            provided.delete(key);
            servicesChanged();
            return provision.dispose();
          },
        };
      });
    },
    point: (point, handler) => scope.keep(`point:${point}`, () => parts.points.own(plugin, point, handler)),
    error: (reason, details, cause) => pluginError(plugin, manifest.errors ?? {}, reason, details, cause),
  } satisfies Omit<Registry, keyof ChildScope>);
}

export function createEmitter(plugin: string, scope: Scope, { events, hooks, table }: Pick<KernelParts, 'events' | 'hooks' | 'table'>): Emitter {
  /** Fills in the plugin of an error. A third-party plugin can name only itself. */
  const withPlugin = (error: object): object => ({ plugin, ...error, ...(table.isThirdParty(plugin) ? { plugin } : {}) });
  return {
    on: (event, listener) => scope.keep(`on:${event}`, () => events.on(plugin, event, listener)),
    emit: (event, payload) => events.emit(plugin, event, event === sharedEvent ? withPlugin(payload) : payload),
    tap: (hook, fn, options) => scope.keep(`tap:${hook}`, () => hooks.tap(plugin, hook, fn as never, scope.signal, options?.order)),
    call: (hook, args, options) => hooks.call(plugin, hook, args, options) as never,
    hook: (name, kind, options) => scope.keep(`hook:${name}`, () => hooks.declare(plugin, name, kind, options)),
  };
}

/** Creates the operations that a plugin shares with its child scopes. */
function createPart(plugin: string, scope: Scope, parts: KernelParts): Omit<ChildScope, 'dispose'> {
  return {
    get signal() {
      return scope.signal;
    },
    add: (point, item) => scope.keep(`${point}:${nameOf(item)}`, () => parts.points.add(plugin, point, item)),
    defer: (undo, label = 'undo') => scope.add(`defer:${label}`, parts.intercept(plugin, 'end', undo)),
    child(label) {
      const { scope: inner, dispose } = scope.child(label);
      return Object.assign(createPart(plugin, inner, parts), { dispose });
    },
  };
}

/** Creates an object with one getter per declared service, so that only declared services can be read, as in the types. */
function createCradle({ name, requires = [], optional = [] }: PluginManifest, container: Container): Readonly<Record<string, never>> {
  const isPresent = (key: string): boolean => container.has(key) && [...requires, ...optional].includes(key as never);
  return new Proxy(Object.freeze({}), {
    get(_, key) {
      if (typeof key !== 'string') return undefined;
      if (requires.includes(key as never)) return container.resolve(key);
      if (optional.includes(key as never)) return container.has(key) ? container.resolve(key) : undefined;
      throw kernelError('SERVICE_UNDECLARED', { plugin: name, key });
    },
    has: (_, key) => typeof key === 'string' && isPresent(key),
    ownKeys: () => [...requires, ...optional].filter(isPresent),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}
