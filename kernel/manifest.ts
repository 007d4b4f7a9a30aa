// Validates the exports of a plugin module, and supplies a default manifest.
import type { PluginManifest, PluginModule } from './types.ts';
import { kernelError } from './errors.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');
const isErrorSpec = ([reason, spec]: [string, unknown]): boolean => /^[A-Z][A-Z0-9_]*$/.test(reason) && isObject(spec) && typeof spec['message'] === 'string';

interface Rule {
  readonly isValid: (value: unknown) => boolean;
  /** End of the sentence "manifest.<key> must …". */
  readonly must: string;
}
const textList: Rule = { isValid: isTextList, must: 'be a list of strings.' };

/** Rules for the optional keys of a manifest. */
const rules: Readonly<Record<string, Rule>> = {
  requires: textList,
  optional: textList,
  provides: textList,
  events: textList,
  entitlement: { isValid: (value) => typeof value === 'string', must: 'be a string.' },
  fixed: { isValid: (value) => value === true, must: 'be true, or left out.' },
  isolation: { isValid: (value) => ['process', 'worker', 'child'].includes(value as string), must: "be 'process', 'worker' or 'child'." },
  capabilities: { isValid: isObject, must: 'be an object.' },
  config: { isValid: (value) => isObject(value) && isObject(value['properties']), must: 'be a JSON Schema with properties.' },
  errors: { isValid: (value) => isObject(value) && Object.entries(value).every(isErrorSpec), must: 'map UPPER_SNAKE reasons to { message, status? }.' },
};

/** Returns module and manifest; throws `KRN_ERR_PLUGIN_INVALID`. Also accepts the exports of a CommonJS file. */
export function checkModule(name: string, imported: unknown): { module: PluginModule<never>; manifest: PluginManifest } {
  const candidates = [imported, isObject(imported) ? imported['default'] : undefined];
  const module = candidates.find((one) => isObject(one) && typeof one['register'] === 'function') as PluginModule<never> | undefined;
  const { manifest = { name } } = module ?? {};
  const why = module ? faultOf(name, manifest) : 'it must export a function `register(registry, emitter)`.';
  if (!module || why !== undefined) throw kernelError('PLUGIN_INVALID', { plugin: name, why });
  return { module, manifest };
}

function faultOf(name: string, manifest: unknown): string | undefined {
  if (!isObject(manifest)) return '`manifest` must be an object.';
  const { name: named, api = 1, ...others } = manifest;
  if (named !== name) return `manifest.name is ${JSON.stringify(named)} but the file is named '${name}'; make them equal.`;
  if (api !== 1) return `it requires version ${JSON.stringify(api)} of the plugin contract; this kernel supports version 1.`;
  for (const [key, value] of Object.entries(others)) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (!rule) return `manifest.${key} is unknown; check its spelling.`;
    if (value !== undefined && !rule.isValid(value)) return `manifest.${key} must ${rule.must}`;
  }
  return undefined;
}
