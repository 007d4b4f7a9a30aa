// The preferences file of the home folder. What it holds may have been edited by hand, so nothing in it is trusted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from 'agent-harness/kernel';
import { isRecord } from 'agent-harness/lib/values';
import type { PreferencesFile } from './contract.ts';
import type { manifest } from './manifest.ts';

export type InferenceMode = 'byok' | 'managed' | 'auto';

export interface Preferences {
  /** A file that does not parse, or is no object, is moved aside and reported by the storage; then this answers an empty one. */
  read(): Promise<PreferencesFile>;
  /** Changes the file with nobody between; answers what was written. */
  update(change: (current: PreferencesFile) => PreferencesFile): Promise<PreferencesFile>;
  /** In force. */
  inferenceMode(): InferenceMode;
  /** What is in force stays so, whatever is written, until {@link Preferences.release}. */
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

/** The saved variables. Numbers and switches that somebody wrote without quotes count as their text; anything else is left out. */
export function variablesOf(file: PreferencesFile): Record<string, string> {
  const entries = Object.entries(toRecord(toRecord(file.harness)['env']));
  return Object.fromEntries(entries.flatMap(([key, value]) => (isText(value) ? [[key, String(value)]] : [])));
}

/** What in the file is of a shape that cannot be used, as sentences that name the place. */
export function misfitsOf(file: PreferencesFile): string[] {
  const left = (where: string, wanted: string): string => `.agent_runtime_prefs.json: ${where} must be ${wanted}; it was left out.`;
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

export function disabledOf(file: PreferencesFile): string[] {
  const names: unknown = toRecord(file.plugins)['disabled'];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** `null` removes a variable; everything else in the file stays as it is. */
export function withVariables(file: PreferencesFile, changes: ReadonlyMap<string, string | null>): PreferencesFile {
  // With what cannot be used as it stands there: only its owner knows what it was to be.
  const env = { ...toRecord(toRecord(file.harness)['env']), ...variablesOf(file) };
  for (const [key, text] of changes) {
    if (text === null) delete env[key];
    else env[key] = text;
  }
  return changes.size === 0 ? file : { ...file, harness: { ...toRecord(file.harness), env: env as Record<string, string> } };
}

/** The mode is asked for synchronously in the middle of a turn, perhaps before anybody read the file. */
function peek(path: string): PreferencesFile {
  try {
    return toFile(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {}; // missing or broken: the first asynchronous read reports a broken one
  }
}

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
