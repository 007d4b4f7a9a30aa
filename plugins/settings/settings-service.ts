// The settings service: reads fields, applies patches and plugin switches one at a time.
import { isDeepStrictEqual } from 'node:util';
import type { ConfigField, Emitter, PluginReport, Registry } from 'agent-harness/kernel';
import type { PreferencesFile, ProviderSummary, Settings, SettingsPatch } from './contract.ts';
import { isEphemeral, isListed, needsRestart, toSettingField } from './fields.ts';
import type { manifest } from './index.ts';
import { planPatch, type PatchPlan } from './plan-patch.ts';
import { disabledOf, variablesOf, withVariables, type Preferences } from './preferences.ts';
import type { Tabs } from './tabs.ts';

export interface SettingsParts {
  readonly registry: Registry<typeof manifest>;
  readonly emitter: Emitter;
  readonly preferences: Preferences;
  readonly tabs: Tabs;
}

export interface OwnedSettings extends Settings {
  /** Puts the variables of `.env` in force. */
  replaceDotenv(dotenv: Readonly<Record<string, string>>): Promise<void>;
}

export function createSettings({ registry, emitter, preferences, tabs }: SettingsParts): OwnedSettings {
  const inOrder = createQueue();
  /** Variables for this process only; never written. */
  const ephemeral = new Map<string, string>();

  async function read(): ReturnType<Settings['read']> {
    await preferences.read();
    const shown = tabs.list();
    const tabIds = new Set(shown.map((tab) => tab.id));
    const fields = registry.services.kernel.fields().filter(isListed);
    return { tabs: shown, fields: fields.map((field) => toSettingField(field, tabIds)), provider: await emitter.call('settings.provider', providerBase()) };
  }

  function providerBase(): ProviderSummary {
    const fields = registry.services.kernel.fields();
    const textOf = (key: string): string => {
      const value = fields.find((field) => field.key === key)?.value;
      return typeof value === 'string' ? value : '';
    };
    return {
      model: textOf('AGENT_MODEL'),
      baseURL: textOf('AGENT_API_BASE_URL'),
      apiKeyConfigured: fields.some((field) => field.key === 'AGENT_API_KEY' && field.isSet),
      inferenceMode: preferences.inferenceMode(),
      route: 'none',
    };
  }

  async function patchNow(patch: SettingsPatch): ReturnType<Settings['patch']> {
    await askGuard(patch);
    const { kernel } = registry.services;
    const plan = planPatch(patch, kernel.fields(), (key, text) => kernel.checkValue(key, text));
    refuseBad(plan);
    const file = await save(plan, patch.provider?.inferenceMode);
    for (const [key, text] of plan.changes) {
      if (!isEphemeralIn(plan, key)) continue;
      if (text === null) ephemeral.delete(key);
      else ephemeral.set(key, text);
    }
    const before = new Map(kernel.fields().map((field) => [field.key, field.value]));
    await kernel.setPreferences({ ...lastingOf(file, [...plan.fields.values()]), ...Object.fromEntries(ephemeral) });
    const restarting = kernel.fields().filter((field) => plan.changes.has(field.key) && needsRestart(field) && field.value !== before.get(field.key));
    return {
      applied: [...plan.changes.keys(), ...(patch.provider?.inferenceMode === undefined ? [] : ['provider.inferenceMode'])],
      restartNeeded: restarting.map((field) => field.key),
    };
  }

  async function askGuard(patch: SettingsPatch): Promise<void> {
    const refusal = await emitter.call('settings.guard', patch);
    if (refusal) throw refusal;
  }

  function refuseBad({ unknown, locked, invalid }: PatchPlan): void {
    if (unknown.length > 0) throw registry.error('SETTING_UNKNOWN', { keys: unknown });
    if (locked.length > 0) throw registry.error('SETTING_LOCKED', { keys: locked });
    const [first] = invalid;
    if (first) throw registry.error('INVALID_REQUEST', { ...first, rule: 'value', why: `${first.pointer} ${first.why}`, errors: invalid });
  }

  async function save(plan: PatchPlan, mode: ProviderSummary['inferenceMode'] | undefined): Promise<PreferencesFile> {
    const saved = new Map([...plan.changes].map(([key, text]) => [key, isEphemeralIn(plan, key) ? null : text]));
    const change = (file: PreferencesFile): PreferencesFile => {
      const next = withVariables(file, saved);
      return mode === undefined ? next : { ...next, provider: { ...next.provider, inferenceMode: mode } };
    };
    const current = await preferences.read();
    const isSame = mode === undefined && isDeepStrictEqual(variablesOf(change(current)), variablesOf(current));
    return isSame ? current : preferences.update(change);
  }

  async function switchPluginNow(name: string, disabled: boolean): Promise<PluginReport> {
    const { kernel } = registry.services;
    const rowOf = (): PluginReport | undefined => kernel.report().plugins.find((plugin) => plugin.name === name);
    const row = rowOf();
    if (!row) throw registry.error('NOT_FOUND', { name });
    if (row.origin === 'platform') throw registry.error('INVALID_REQUEST', { why: `'${name}' is part of the platform and cannot be switched off.` });
    await askGuard({});
    const file = await preferences.update((current) => {
      const others = disabledOf(current).filter((one) => one !== name);
      return { ...current, plugins: { ...current.plugins, disabled: disabled ? [...others, name] : others } };
    });
    // Whoever started the kernel may have switched off more than the file says.
    const alreadyOff = kernel.report().plugins.flatMap((plugin) => (plugin.state === 'disabled' && plugin.name !== name ? [plugin.name] : []));
    await kernel.setDisabled([...new Set([...alreadyOff, ...disabledOf(file)])]);
    const now = rowOf() ?? row;
    const { state, code = 'KRN_ERR_PLUGIN_REGISTER', reason = 'failed' } = now;
    // It was tried again.
    if (!disabled && state === 'failed') emitter.emit('error', { source: 'plugin', plugin: name, code, message: reason });
    return now;
  }

  async function replaceDotenvNow(dotenv: Readonly<Record<string, string>>): Promise<void> {
    const { kernel } = registry.services;
    const saved = lastingOf(await preferences.read(), kernel.fields());
    await kernel.setPreferences({ ...saved, ...Object.fromEntries(ephemeral) }, dotenv);
  }

  async function reloadNow(): Promise<PluginReport[]> {
    const { userPlugins } = registry.services;
    if (!userPlugins) throw registry.error('INVALID_REQUEST', { why: 'whoever started this program loads no plugins from a folder.' });
    await askGuard({});
    return (await userPlugins.reload()).plugins.filter(({ origin }) => origin === 'user');
  }

  return {
    read,
    replaceDotenv: (dotenv) => inOrder(() => replaceDotenvNow(dotenv)),
    patch: (patch) => inOrder(() => patchNow(patch)),
    switchPlugin: (name, { disabled }) => inOrder(() => switchPluginNow(name, disabled)),
    reloadPlugins: () => inOrder(reloadNow),
    inferenceMode: () => preferences.inferenceMode(),
  };
}

/** What somebody wrote into the file by hand must not hold for this process, where it may be set for the process only. */
function lastingOf(file: PreferencesFile, fields: readonly ConfigField[]): Record<string, string> {
  const passing = new Set(fields.filter(isEphemeral).map(({ key }) => key));
  return Object.fromEntries(Object.entries(variablesOf(file)).filter(([key]) => !passing.has(key)));
}

function isEphemeralIn(plan: PatchPlan, key: string): boolean {
  const field = plan.fields.get(key);
  return field !== undefined && isEphemeral(field);
}

/** Runs one piece of work after the other, whatever becomes of each. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = tail.then(work);
    tail = run.catch(() => undefined);
    return run;
  };
}
