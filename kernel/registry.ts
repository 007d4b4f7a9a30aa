// One plugin's view of container and points; everything it registers lands in its scope.
import { join } from 'node:path';
import type { Logger, LogSink, PluginManifest, Registry } from './contracts.ts';
import type { Container } from './container.ts';
import { kernelError, pluginError } from './errors.ts';
import { nameOf, type PointBoard } from './points.ts';
import type { Scope } from './scope.ts';

export interface RegistryParts {
  readonly container: Container;
  readonly points: PointBoard;
  readonly log: LogSink;
}

export function createRegistry(
  manifest: PluginManifest,
  values: Readonly<Record<string, unknown>>,
  scope: Scope,
  dataDir: string | undefined,
  parts: RegistryParts,
): Registry<PluginManifest> {
  const plugin = manifest.name;
  const services = createCradle(manifest, parts.container);

  return {
    plugin: {
      name: plugin,
      get dataDir() {
        // A relative path would end up wherever the program was started.
        if (dataDir === undefined) throw kernelError('DATA_DIR_MISSING', { plugin });
        return join(dataDir, plugin);
      },
    },
    config: values,
    log: createLogger(plugin, parts.log),
    signal: scope.signal,
    services,

    provide(key, factory, options) {
      const label = `service:${key}`;
      scope.assertOpen(label);
      if (!manifest.provides?.includes(key)) throw kernelError('SERVICE_UNPROVIDED', { plugin, key });
      const provided = parts.container.provide(plugin, key, () => factory(services), options);
      return scope.add(label, () => provided.dispose());
    },
    add(point, item) {
      const label = `${point}:${nameOf(item)}`;
      scope.assertOpen(label);
      const added = parts.points.add(plugin, point, item);
      return scope.add(label, () => added.dispose());
    },
    point(point, handler) {
      const label = `point:${point}`;
      scope.assertOpen(label);
      const owned = parts.points.own(plugin, point, handler);
      return scope.add(label, () => owned.dispose());
    },
    error: (reason, details, cause) => pluginError(plugin, manifest.errors ?? {}, reason, details, cause),
    defer: (undo, label = 'undo') => scope.add(`defer:${label}`, undo),
  };
}

/** An object with one getter for each declared service, so that a type and the run time agree on what may be read. */
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
  return {
    debug: (message, fields) => sink('debug', plugin, message, fields),
    info: (message, fields) => sink('info', plugin, message, fields),
    warn: (message, fields) => sink('warn', plugin, message, fields),
    error: (message, fields) => sink('error', plugin, message, fields),
  };
}
