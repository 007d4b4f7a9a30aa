// Validates the exports of a plugin module; supplies a default manifest.
import type { PluginManifest, PluginModule } from './types.ts';
import { kernelError } from './errors.ts';

const stringLists = ['requires', 'optional', 'provides', 'events'] as const;
const knownKeys = new Set<string>(['name', 'api', 'entitlement', 'fixed', 'config', 'errors', 'isolation', 'capabilities', ...stringLists]);

const isolations = new Set<unknown>([undefined, 'process', 'worker', 'child']);

/** Returns module and manifest; throws `KRN_ERR_PLUGIN_INVALID`. Accepts the exports of a CommonJS file, too. */
export function checkModule(name: string, imported: unknown): { module: PluginModule<never>; manifest: PluginManifest } {
  const invalid = (why: string): Error => kernelError('PLUGIN_INVALID', { plugin: name, why });
  const module = withRegister(imported);
  if (!module) throw invalid('it must export a function `register(registry, emitter)`.');
  if (module.manifest === undefined) return { module, manifest: { name } };
  const why = faultOf(name, module.manifest);
  if (why !== undefined) throw invalid(why);
  return { module, manifest: module.manifest };
}

function withRegister(imported: unknown): PluginModule<never> | undefined {
  for (const one of [imported, isObject(imported) ? imported['default'] : undefined]) {
    if (isObject(one) && typeof one['register'] === 'function') return one as unknown as PluginModule<never>;
  }
  return undefined;
}

function faultOf(name: string, manifest: unknown): string | undefined {
  if (!isObject(manifest)) return '`manifest` must be an object.';
  if (manifest['name'] !== name) return `manifest.name is ${JSON.stringify(manifest['name'])} but the file is named '${name}'; make them equal.`;
  if (manifest['api'] !== undefined && manifest['api'] !== 1)
    return `it was made for plugin contract ${JSON.stringify(manifest['api'])}; this kernel speaks 1.`;
  const unknown = Object.keys(manifest).find((key) => !knownKeys.has(key));
  if (unknown !== undefined) return `manifest.${unknown} is not known; check its spelling.`;
  for (const key of stringLists) {
    const list = manifest[key];
    if (list !== undefined && !(Array.isArray(list) && list.every((one) => typeof one === 'string'))) return `manifest.${key} must be a list of strings.`;
  }
  if (manifest['entitlement'] !== undefined && typeof manifest['entitlement'] !== 'string') return 'manifest.entitlement must be a string.';
  if (manifest['fixed'] !== undefined && manifest['fixed'] !== true) return 'manifest.fixed must be true, or left out.';
  if (!isolations.has(manifest['isolation'])) return "manifest.isolation must be 'process', 'worker' or 'child'.";
  if (manifest['capabilities'] !== undefined && !isObject(manifest['capabilities'])) return 'manifest.capabilities must be an object.';
  if (manifest['config'] !== undefined && !(isObject(manifest['config']) && isObject(manifest['config']['properties']))) {
    return 'manifest.config must be a JSON Schema with properties.';
  }
  if (manifest['errors'] !== undefined && !isErrorTable(manifest['errors'])) return 'manifest.errors must map UPPER_SNAKE reasons to { message, status? }.';
  return undefined;
}

function isErrorTable(table: unknown): boolean {
  if (!isObject(table)) return false;
  return Object.entries(table).every(([reason, spec]) => /^[A-Z][A-Z0-9_]*$/.test(reason) && isObject(spec) && typeof spec['message'] === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
