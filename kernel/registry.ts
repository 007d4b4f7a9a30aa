// One plugin's view of container and points; everything it registers lands in its scope.
import { join } from 'node:path';
import type { ChildScope, Logger, LogLevel, LogSink, PluginManifest, Registry } from './types.ts';
import type { Container } from './container.ts';
import { kernelError, pluginError } from './errors.ts';
import { nameOf } from './points.ts';
import type { KernelParts } from './parts.ts';
import type { Run } from './record.ts';
import type { Scope } from './scope.ts';

export function createRegistry(manifest: PluginManifest, { scope, slice, provided }: Run, parts: KernelParts): Registry {
  const plugin = manifest.name;
  const services = createCradle(manifest, parts.container);

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
    log: createLogger(plugin, parts.log),
    services,

    provide(key, factory, options) {
      return scope.keep(`service:${key}`, () => {
        if (!manifest.provides?.includes(key)) throw kernelError('SERVICE_UNPROVIDED', { plugin, key });
        const make = parts.intercept(plugin, 'service', () => factory(services));
        const provision = parts.container.provide(plugin, key, make, options);
        provided.add(key);
        parts.servicesChanged();
        return {
          dispose() {
            provided.delete(key);
            parts.servicesChanged();
            return provision.dispose();
          },
        };
      });
    },
    point: (point, handler) => scope.keep(`point:${point}`, () => parts.points.own(plugin, point, handler)),
    error: (reason, details, cause) => pluginError(plugin, manifest.errors ?? {}, reason, details, cause),
  } satisfies Omit<Registry, keyof ChildScope>);
}

/** The operations shared by a plugin and its child scopes. */
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

/** Creates an object with one getter per declared service, so type and run time allow the same reads. */
function createCradle(manifest: PluginManifest, container: Container): Readonly<Record<string, never>> {
  const requires = new Set<string>(manifest.requires ?? []);
  const optional = new Set<string>(manifest.optional ?? []);
  return new Proxy(Object.freeze({}), {
    get(_, key) {
      if (typeof key !== 'string') return undefined;
      if (requires.has(key)) return container.resolve(key);
      if (optional.has(key)) return container.has(key) ? container.resolve(key) : undefined;
      throw kernelError('SERVICE_UNDECLARED', { plugin: manifest.name, key });
    },
    has: (_, key) => typeof key === 'string' && (requires.has(key) || (optional.has(key) && container.has(key))),
    ownKeys: () => [...requires, ...optional].filter((key) => container.has(key)),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

function createLogger(plugin: string, sink: LogSink): Logger {
  const at = (level: LogLevel): Logger[LogLevel] => sink.bind(undefined, level, plugin);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
