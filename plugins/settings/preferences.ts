// Reads and writes the preferences file of the home folder. Validates all content, because users may edit the file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from 'agent-harness/kernel';
import { isRecord } from '#lib/values';
import type { PreferencesFile } from './contract.ts';
import type { manifest } from './manifest.ts';

export type InferenceMode = 'byok' | 'managed' | 'auto';

export interface Preferences {
  /** Returns the content; an empty object for an invalid file, which the storage quarantines and reports. */
  read(): Promise<PreferencesFile>;
  /** Changes the file atomically; returns the written content. */
  update(change: (current: PreferencesFile) => PreferencesFile): Promise<PreferencesFile>;
  inferenceMode(): InferenceMode;
  /** Freezes the current inference mode, despite later writes, until {@link Preferences.release}. */
  hold(): void;
  release(): void;
}

export function createPreferences(registry: Registry<typeof manifest>): Preferences {
  let mode: InferenceMode | undefined;
  let held: InferenceMode | undefined;
  const pathOf = (): string => join(registry.services.product.home, '.agent_runtime_prefs.json');

  function keep(file: PreferencesFile): PreferencesFile {
    mode = modeOf(file);
    return file;
  }

  return {
    read: async () => keep(toFile(await registry.services.storage.readJson(pathOf(), isRecord))),
    update: async (change) =>
      keep(await registry.services.storage.updateJson<PreferencesFile>(pathOf(), (current) => change(toFile(current)), { shape: isRecord })),
    inferenceMode: () => held ?? (mode ??= modeOf(peek(pathOf()))),
    hold: () => void (held ??= mode ??= modeOf(peek(pathOf()))),
    release: () => void (held = undefined),
  };
}

/** Returns the saved variables. Converts unquoted numbers and booleans to text; omits other values. */
export function variablesOf(file: PreferencesFile): Record<string, string> {
  const entries = Object.entries(toRecord(toRecord(file.harness)['env']));
  return Object.fromEntries(entries.flatMap(([key, value]) => (isText(value) ? [[key, String(value)]] : [])));
}

/** Returns the invalid parts of the file, as sentences with their location. */
export function misfitsOf(file: PreferencesFile): string[] {
  const left = (where: string, wanted: string): string => `.agent_runtime_prefs.json: ${where} must be ${wanted} and was ignored.`;
  const { harness, plugins } = toRecord(file);
  const env = toRecord(harness)['env'];
  const disabled = toRecord(plugins)['disabled'];
  const shapes: [string, unknown][] = [
    ['harness', harness],
    ['harness.env', env],
    ['plugins', plugins],
  ];
  return [
    ...shapes.flatMap(([where, value]) => (value === undefined || isRecord(value) ? [] : [left(where, 'an object')])),
    ...Object.entries(toRecord(env)).flatMap(([key, value]) => (isText(value) ? [] : [left(`harness.env.${key}`, 'text')])),
    ...(disabled === undefined || (Array.isArray(disabled) && disabled.every((name) => typeof name === 'string'))
      ? []
      : [left('plugins.disabled', 'a list of names')]),
  ];
}

function isText(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Returns the names of the plugins that the file disables. */
export function disabledOf(file: PreferencesFile): string[] {
  const names: unknown = toRecord(file.plugins)['disabled'];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** Returns the file with changed variables (`null` removes one); everything else stays unchanged. */
export function withVariables(file: PreferencesFile, changes: ReadonlyMap<string, string | null>): PreferencesFile {
  // Keeps invalid values unchanged, because their intended content is unknown.
  const env = { ...toRecord(toRecord(file.harness)['env']), ...variablesOf(file) };
  for (const [key, text] of changes) {
    if (text === null) delete env[key];
    else env[key] = text;
  }
  return changes.size === 0 ? file : { ...file, harness: { ...toRecord(file.harness), env: env as Record<string, string> } };
}

/** Reads the file synchronously, because the inference mode may be needed during a turn before the file has been read. */
function peek(path: string): PreferencesFile {
  try {
    return toFile(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {}; // missing or broken: the first asynchronous read reports a broken file
  }
}

/** Returns the saved inference mode; the default for an invalid value. */
export function modeOf(file: PreferencesFile): InferenceMode {
  const mode: unknown = toRecord(file.provider)['inferenceMode'];
  return mode === 'byok' || mode === 'managed' ? mode : 'auto';
}

function toFile(raw: unknown): PreferencesFile {
  return toRecord(raw);
}

function toRecord(raw: unknown): Record<string, unknown> {
  return isRecord(raw) ? raw : {};
}
