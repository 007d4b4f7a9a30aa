// Implements the service `settings`: returns the fields, and applies changes to settings and plugins sequentially.
import { isDeepStrictEqual } from 'node:util';
import type { ConfigField, PluginReport, Registry } from 'agent-harness/kernel';
import { createSerialQueue } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { PendingChanges, PreferencesFile, ProviderSummary, Settings, SettingsLayer, SettingsPatch, WhenBusy } from './contract.ts';
import { isEphemeral, isSettable, needsRestart } from './fields.ts';
import { createPending } from './pending.ts';
import { checkChange, type CheckedChange } from './settings-change.ts';
import { disabledOf, modeOf, variablesOf, withVariables, type Preferences } from './preferences.ts';
import { readSettings, type SettingsParts } from './read-settings.ts';
import type { manifest } from './manifest.ts';
import { watchPluginFolder } from './watch-plugins.ts';

export interface OwnedSettings extends Settings {
  /** Applies the layers when no turn is running. */
  impose(layers: readonly SettingsLayer[]): Promise<void>;
  /** Applies the variables of the `.env` file. */
  replaceDotenv(dotenv: Readonly<Record<string, string>>): Promise<void>;
  /** Applies pending changes if no turn is running. */
  catchUp(): Promise<void>;
  pending(): PendingChanges;
}

/** Key of the inference mode among the variables. */
const modeKey = 'provider.inferenceMode';

export function createSettings(parts: SettingsParts): OwnedSettings {
  const { registry, emitter, preferences } = parts;
  const { run: inOrder } = createSerialQueue();
  /** Values of variables that apply to this process only and are never written. */
  const ephemeral = new Map<string, string>();
  const pending = createPending();
  /** Layers that are not applied yet. */
  let waitingLayers: readonly SettingsLayer[] | undefined;

  async function patchNow(patch: SettingsPatch, whenBusy: WhenBusy): ReturnType<Settings['patch']> {
    const mustWait = await mustWaitFor(patch, whenBusy);
    const { kernel } = registry.services;
    const plan = checkChange(patch, kernel.fields(), (key, text) => kernel.checkValue(key, text));
    refuseBad(plan, registry);
    const mode = patch.provider?.inferenceMode;
    const named = [...plan.changes.keys(), ...(mode === undefined ? [] : [modeKey])];
    await emitter.call('settings.before', [{ keys: named.filter((key) => !isEphemeralIn(plan, key)) }]);
    if (mustWait) await hold();
    await save(preferences, plan, mode);
    for (const [key, text] of plan.changes) {
      if (!isEphemeralIn(plan, key)) continue;
      if (text === null) ephemeral.delete(key);
      else ephemeral.set(key, text);
    }
    const slow = kernel.fields().filter((field) => plan.changes.has(field.key) && needsRestart(field));
    pending.addVariables(plan.changes, mode);
    if (mustWait) {
      emitPending();
      return { applied: [], restartNeeded: slow.map((field) => field.key), pending: named };
    }
    const before = new Map(slow.map((field) => [field.key, field.value]));
    await applySaved();
    const restarting = kernel.fields().filter((field) => before.has(field.key) && field.value !== before.get(field.key));
    return { applied: named, restartNeeded: restarting.map((field) => field.key) };
  }

  /** Returns whether a change must wait for the end of a turn. Throws if it must and `whenBusy` is `reject`. */
  async function mustWaitFor(patch: SettingsPatch, whenBusy: WhenBusy): Promise<boolean> {
    const refusal = await emitter.call('settings.guard', [patch]);
    if (refusal && whenBusy === 'reject') throw refusal;
    return refusal !== undefined;
  }

  /** Stops applying saved changes. */
  async function hold(): Promise<void> {
    preferences.hold();
    pending.begin(await savedVariables());
  }

  async function savedVariables(): Promise<Record<string, string>> {
    return { ...lastingOf(await preferences.read(), registry.services.kernel.fields()), ...Object.fromEntries(ephemeral) };
  }

  function emitPending(): void {
    const { env, inferenceMode, plugins } = pending.list();
    const keys = [...Object.keys(env), ...(inferenceMode === undefined ? [] : [modeKey])];
    emitter.emit('settings_pending', { keys, plugins: plugins.map(({ name }) => name) });
  }

  /** Applies all saved changes, including pending ones. */
  async function applySaved(): Promise<void> {
    const hadPending = !pending.isEmpty;
    const { env, inferenceMode, plugins, reload } = pending.take();
    preferences.release();
    if (Object.keys(env).length > 0 || inferenceMode !== undefined) await registry.services.kernel.setPreferences(await savedVariables());
    if (plugins.length > 0) await applySwitches(plugins);
    if (reload) await registry.services.userPlugins?.reload();
    if (hadPending) emitPending();
  }

  async function catchUpNow(): Promise<void> {
    if (nothingWaits() || (await mustWaitFor({}, 'queue'))) return;
    try {
      if (waitingLayers) await imposeNow(waitingLayers);
      if (!pending.isEmpty) await applySaved();
    } catch (fault) {
      // Reported as an event, because the client already has its reply.
      const { code, message } = registry.error('NOT_IN_FORCE', { why: messageOf(fault) });
      emitter.emit('error', { source: 'settings', code, message });
    }
  }

  async function switchPluginNow(name: string, disabled: boolean, whenBusy: WhenBusy): ReturnType<Settings['switchPlugin']> {
    const { kernel } = registry.services;
    const rowOf = (): PluginReport | undefined => kernel.report().plugins.find((plugin) => plugin.name === name);
    const row = rowOf();
    if (!row) throw registry.error('NOT_FOUND', { name });
    if (row.isFixed) {
      const why = row.origin === 'platform' ? 'is part of the platform' : 'enforces the policy of your organisation';
      throw registry.error('INVALID_REQUEST', { why: `'${name}' ${why} and cannot be switched off.` });
    }
    const mustWait = await mustWaitFor({}, whenBusy);
    if (mustWait) await hold();
    await preferences.update((current) => {
      const others = disabledOf(current).filter((one) => one !== name);
      return { ...current, plugins: { ...current.plugins, disabled: disabled ? [...others, name] : others } };
    });
    pending.addPlugin(name, disabled);
    if (mustWait) emitPending();
    else await applySaved();
    return { plugin: rowOf() ?? row, isPending: mustWait };
  }

  async function applySwitches(switches: PendingChanges['plugins']): Promise<void> {
    const { kernel } = registry.services;
    const switched = new Set(switches.map(({ name }) => name));
    // The host may have disabled more plugins than the file lists.
    const alreadyOff = kernel.report().plugins.flatMap((plugin) => (plugin.state === 'disabled' && !switched.has(plugin.name) ? [plugin.name] : []));
    await kernel.setDisabled([...new Set([...alreadyOff, ...disabledOf(await preferences.read())])]);
    for (const { name, disabled } of switches) if (!disabled) await registry.services.userPlugins?.again(name);
    for (const { name, state, code = 'KRN_ERR_PLUGIN_REGISTER', reason = 'failed' } of kernel.report().plugins) {
      const wasTried = switches.some((one) => one.name === name && !one.disabled);
      if (wasTried && state === 'failed') emitter.emit('error', { source: 'plugin', plugin: name, code, message: reason });
    }
  }

  const nothingWaits = (): boolean => pending.isEmpty && waitingLayers === undefined;

  async function imposeNow(layers: readonly SettingsLayer[]): Promise<void> {
    waitingLayers = undefined;
    const imposed = Object.assign({}, ...layers.map(({ env }) => env)) as Record<string, string>;
    await registry.services.kernel.setPreferences(pending.inForce ?? (await savedVariables()), { imposed });
    for (const layer of layers) layer.inForce?.();
  }

  async function replaceDotenvNow(dotenv: Readonly<Record<string, string>>): Promise<void> {
    await registry.services.kernel.setPreferences(pending.inForce ?? (await savedVariables()), { dotenv });
  }

  function noFolder(): Error {
    return registry.error('INVALID_REQUEST', { why: 'this program was started without a plugin folder.' });
  }

  async function reloadNow(whenBusy: WhenBusy): ReturnType<Settings['reloadPlugins']> {
    const { kernel, userPlugins } = registry.services;
    if (!userPlugins) throw noFolder();
    const mustWait = await mustWaitFor({}, whenBusy);
    if (mustWait) await hold();
    pending.addReload();
    if (mustWait) emitPending();
    else await applySaved();
    return { plugins: kernel.report().plugins.filter(({ origin }) => origin === 'user'), isPending: mustWait };
  }

  return {
    async read() {
      await preferences.read();
      return readSettings(parts, pending.list);
    },
    replaceDotenv: (dotenv) => inOrder(() => replaceDotenvNow(dotenv)),
    impose(layers) {
      waitingLayers = [...layers];
      return inOrder(catchUpNow);
    },
    catchUp: () => (nothingWaits() ? Promise.resolve() : inOrder(catchUpNow)),
    pending: () => pending.list(),
    patch: (patch, whenBusy = 'reject') => inOrder(() => patchNow(patch, whenBusy)),
    switchPlugin: (name, { disabled }, whenBusy = 'reject') => inOrder(() => switchPluginNow(name, disabled, whenBusy)),
    trustPlugin: (name, decision, whenBusy = 'reject') =>
      inOrder(async () => {
        const { kernel, userPlugins } = registry.services;
        const rowOf = (): PluginReport | undefined => kernel.report().plugins.find((plugin) => plugin.name === name);
        const row = rowOf();
        if (!row) throw registry.error('NOT_FOUND', { name });
        if (!userPlugins || (row.origin !== 'user' && row.origin !== 'bundle')) {
          throw registry.error('INVALID_REQUEST', { why: `'${name}' is part of the program and runs in its process.` });
        }
        const mustWait = await mustWaitFor({}, whenBusy);
        userPlugins.trust.decide(name, decision);
        const { isPending } = await reloadNow(mustWait ? 'queue' : whenBusy);
        return { plugin: rowOf() ?? row, isPending };
      }),
    reloadPlugins: (whenBusy = 'reject') => inOrder(() => reloadNow(whenBusy)),
    watchPlugins({ path, before, after } = {}) {
      const { userPlugins, kernel } = registry.services;
      if (!userPlugins) throw noFolder();
      const onFault = (fault: unknown): void => registry.log.warn(`the plugin folder could not be watched or reloaded: ${messageOf(fault)}`);
      const reload = async (): Promise<void> => {
        await before?.().catch(onFault);
        await inOrder(() => reloadNow('queue'));
        after?.(kernel.report().plugins);
      };
      userPlugins.readClosely();
      if (path !== undefined) userPlugins.also(path);
      if (before !== undefined || path !== undefined) void reload().catch(onFault);
      return { dir: userPlugins.dir, ...watchPluginFolder(userPlugins.dir, path === undefined ? [] : [path], reload, onFault) };
    },
    inferenceMode: () => preferences.inferenceMode(),
    async saved(keys) {
      const file = await preferences.read();
      const fields = registry.services.kernel.fields();
      const texts: Record<string, string> = { ...lastingOf(file, fields), [modeKey]: modeOf(file) };
      const known = new Set([modeKey, ...fields.filter(isSettable).map(({ key }) => key)]);
      return Object.fromEntries(keys.map((key) => [key, known.has(key) ? (texts[key] ?? null) : null]));
    },
  };
}

/** Returns the saved variables without those that apply to the running process only, which users may have added to the file. */
function lastingOf(file: PreferencesFile, fields: readonly ConfigField[]): Record<string, string> {
  const passing = new Set(fields.filter(isEphemeral).map(({ key }) => key));
  return Object.fromEntries(Object.entries(variablesOf(file)).filter(([key]) => !passing.has(key)));
}

function isEphemeralIn(plan: CheckedChange, key: string): boolean {
  const field = plan.fields.get(key);
  return field !== undefined && isEphemeral(field);
}

function refuseBad({ unknown, locked, invalid }: CheckedChange, { error }: Pick<Registry<typeof manifest>, 'error'>): void {
  if (unknown.length > 0) throw error('SETTING_UNKNOWN', { keys: unknown });
  if (locked.length > 0) throw error('SETTING_LOCKED', { keys: locked });
  const [first] = invalid;
  if (first) throw error('INVALID_REQUEST', { ...first, rule: 'value', why: `${first.pointer} ${first.why}`, errors: invalid });
}

async function save(preferences: Preferences, plan: CheckedChange, mode: ProviderSummary['inferenceMode'] | undefined): Promise<PreferencesFile> {
  const saved = new Map([...plan.changes].map(([key, text]) => [key, isEphemeralIn(plan, key) ? null : text]));
  const change = (file: PreferencesFile): PreferencesFile => {
    const next = withVariables(file, saved);
    return mode === undefined ? next : { ...next, provider: { ...next.provider, inferenceMode: mode } };
  };
  const current = await preferences.read();
  const isSame = mode === undefined && isDeepStrictEqual(variablesOf(change(current)), variablesOf(current));
  return isSame ? current : preferences.update(change);
}
