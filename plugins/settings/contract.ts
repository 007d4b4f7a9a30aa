// The contract of user-visible settings: fields, tabs, stored preferences; and the configuration summary for clients.
import type { Bail, Disposable, LoadReport, PluginIsolation, PluginManifest, PluginReport, Series, Waterfall } from 'agent-harness/kernel';

export type * from './keywords.ts';

export interface SettingsTab {
  readonly id: string;
  readonly title: string;
}

/**
 * Contribution point `settings_layer`: values imposed by an administrator (a team for all its machines). They override the preferences and
 * `.env`; the environment overrides them. Only variables that have a tab, are no secret and last can be set; others are ignored. A
 * change waits until no turn runs: to change one, dispose it and add the next.
 */
export interface SettingsLayer {
  /** Variable → text. If two layers set the same variable, the one added last wins. */
  readonly env: Readonly<Record<string, string>>;
  /** Called once it is applied, and again with each other layer. Contract: must not throw. */
  inForce?(): void;
}

export type SettingKind = 'boolean' | 'integer' | 'number' | 'string' | 'enum';

export interface SettingField {
  readonly key: string;
  readonly tab: string;
  /** The declaring plugin. */
  readonly group: string;
  readonly label: string;
  readonly description: string;
  /** Additional search terms. */
  readonly words?: string;
  /** Listed among the first search results; smaller numbers come first. */
  readonly rank?: number;
  readonly kind: SettingKind;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default: boolean | number | string | null;
  /** `null` if unset, and for all sensitive values. */
  readonly value: boolean | number | string | null;
  /** The value after a reset if it is not the default: set by the `.env` file. */
  readonly resetsTo?: boolean | number | string | null;
  /** `fleet`: set by a {@link SettingsLayer}, and locked. */
  readonly source: 'environment' | 'fleet' | 'preferences' | 'default';
  readonly locked: boolean;
  readonly sensitive: boolean;
  readonly restart: boolean;
  /** The error of the current value, and the value used instead. */
  readonly warning?: string;
}

export interface ProviderSummary {
  readonly model: string;
  readonly baseURL: string;
  readonly apiKeyConfigured: boolean;
  readonly inferenceMode: 'byok' | 'managed' | 'auto';
  /** The current adapter: `chat-completions`, `messages`, `demo`, … */
  readonly route: string;
}

export interface SettingsPatch {
  readonly harness?: { readonly env?: Readonly<Record<string, string | null>> };
  readonly provider?: { readonly model?: string; readonly baseURL?: string; readonly inferenceMode?: 'byok' | 'managed' | 'auto' };
}

/** Content of `.agent_runtime_prefs.json`. */
export interface PreferencesFile {
  readonly harness?: { readonly env?: Readonly<Record<string, string>> };
  readonly provider?: { readonly inferenceMode?: 'byok' | 'managed' | 'auto' };
  readonly plugins?: { readonly disabled?: readonly string[] };
}

/** Handling of a change while a turn runs: reject it, or save it and apply it once no turn runs. */
export type WhenBusy = 'reject' | 'queue';

/** Changes that are saved but not applied yet, because a turn runs. */
export interface PendingChanges {
  /** Variable → text; `null` resets to the default. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly inferenceMode?: 'byok' | 'managed' | 'auto';
  readonly plugins: readonly { readonly name: string; readonly disabled: boolean }[];
  /** The folder of the user's own plugins will be read again. */
  readonly reload: boolean;
}

export interface Settings {
  read(): Promise<{ tabs: SettingsTab[]; fields: SettingField[]; provider: ProviderSummary; pending: PendingChanges }>;
  /**
   * Applies all changes or none. Rejects with `setting_locked`, `setting_unknown`, `invalid_request`, or the error of `settings.guard`. With `queue`,
   * changes that the guard refuses now are saved and returned as `pending`; they are applied once the guard permits, and after a restart.
   */
  patch(patch: SettingsPatch, whenBusy?: WhenBusy): Promise<{ applied: string[]; restartNeeded: string[]; pending?: string[] }>;
  /**
   * Switches a plugin off or on, persistently. Rejects with `not_found`, for a platform plugin with `invalid_request`, or the error of `settings.guard` (called
   * with an empty patch).
   */
  switchPlugin(
    name: string,
    change: { readonly disabled: boolean },
    whenBusy?: WhenBusy,
  ): Promise<{ readonly plugin: PluginReport; readonly isPending: boolean }>;
  /** Stores the user's decision about a third-party plugin, and reloads it. Rejects like {@link switchPlugin}. */
  trustPlugin(
    name: string,
    decision: Parameters<PluginTrust['decide']>[1],
    whenBusy?: WhenBusy,
  ): Promise<{ readonly plugin: PluginReport; readonly isPending: boolean }>;
  /** Reloads the user's own plugins; returns their rows. Rejects like {@link switchPlugin}. */
  reloadPlugins(whenBusy?: WhenBusy): Promise<{ readonly plugins: PluginReport[]; readonly isPending: boolean }>;
  /**
   * Reloads the user's own plugins after each change in their folder, once no turn runs. Throws `invalid_request`
   * if no folder of plugins is loaded. The caller disposes the result.
   */
  watchPlugins(options?: PluginWatchOptions): Disposable & { readonly dir: string };
  inferenceMode(): 'byok' | 'managed' | 'auto';
  /**
   * Returns the saved values of the named settings, applied or pending; `null` if there is none. The inference mode has the
   * name `provider.inferenceMode`. Secrets are excluded.
   */
  saved(keys: readonly string[]): Promise<Record<string, string | null>>;
}

export interface PluginWatchOptions {
  /** Absolute path of a plugin outside of the folder: its folder or file. It is loaded as if it were in the folder, until the process ends. */
  readonly path?: string;
  /** Runs before the folder is read again, also when the watch starts. A rejection is logged, and the folder is read. */
  readonly before?: () => Promise<void>;
  /** Called with the plugins after that. */
  readonly after?: (plugins: readonly PluginReport[]) => void;
}

/** Provided by the distribution. */
export interface UserPlugins {
  /** Absolute; may not exist. */
  readonly dir: string;
  /**
   * Returns the absolute location of a plugin. Throws a sentence if there is none. @param named path of its folder or file, or its name in the folder; a path
   * takes precedence
   */
  locate(named: string): string;
  /** Reads the folder again: starts new plugins, restarts changed ones, removes deleted ones; a failing one keeps the running version. */
  reload(): Promise<LoadReport>;
  /**
   * From now on a change of any of its files reloads a plugin, including the files that it imports, also in this process. For plugin
   * development: it costs an additional thread in node below 22.15.
   */
  readClosely(): void;
  /** From the next {@link reload} on a plugin outside of the folder is included. @param path absolute, of its folder or its file */
  also(path: string): void;
  /** Subscribes to every fault thrown in the code of such a plugin. */
  onFault(hear: (fault: PluginFault) => void): Disposable;
  /** Reads a file's manifest in a process that may read the plugin only. Rejects with the fault. @param path absolute, of the file that would be loaded */
  inspect(path: string): Promise<InspectedPlugin>;
  /** Returns why an installed plugin differs from what was installed, with the fix; `undefined` also for the user's own plugins. */
  lockFault(name: string): string | undefined;
  /** Deletes the quarantine, decisions and cached registrations of a removed plugin. */
  forget(name: string): void;
  /** Retries the current version of a quarantined plugin. */
  again(name: string): Promise<void>;
  readonly trust: PluginTrust;
}

export interface PluginFault {
  readonly plugin: string;
  /** `load`, `register`, `tool`, `hook`, … */
  readonly what: string;
  readonly fault: unknown;
}

/** The user's decisions about third-party plugins. */
export interface PluginTrust {
  of(name: string): {
    /** Isolation chosen by the user; overrides its manifest. */
    readonly chosen?: Exclude<PluginIsolation, 'worker'>;
    /** Its access beyond its own folder, a sentence each; empty if it runs in the process, or was not read yet. */
    readonly capabilities: readonly string[];
    /** Capabilities that are not approved yet. */
    readonly asks: readonly string[];
  };
  /**
   * On the disk when it returns. Throws as the file system does. @param agree approves all current requests, or those of a manifest @param isolation `null`: as
   * in its manifest
   */
  decide(name: string, decision: { readonly isolation?: Exclude<PluginIsolation, 'worker'> | null; readonly agree?: true | PluginManifest }): void;
}

/** A plugin inspected without loading it. */
export interface InspectedPlugin {
  /** As declared; only the types of its values are validated. */
  readonly manifest: SaidManifest;
  /** Its requests, a sentence each. */
  readonly needs: readonly string[];
  /** Returns the requests that are new compared to an earlier version. */
  grownSince(before: Pick<SaidManifest, 'capabilities' | 'requires' | 'optional'>): readonly string[];
}

export type SaidManifest = Partial<PluginManifest> & { readonly capabilities?: Readonly<Record<string, unknown>> };

/** Plugins from bundle folders. Provided by the distribution. */
export interface BundlePlugins {
  /** Loads the folder (absolute) with the loader of the user's own plugins, replacing its earlier content; a missing folder is empty. */
  load(dir: string): Promise<LoadReport>;
  /** Unloads the plugins of the folder. */
  unload(dir: string): Promise<LoadReport>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    settings: Settings;
    userPlugins: UserPlugins;
    bundlePlugins: BundlePlugins;
  }
  interface Hooks {
    /** Builds the provider part of the settings. */
    'settings.provider': Waterfall<ProviderSummary>;
    /** Runs before variables are saved that are known, unlocked and valid. A tap that throws refuses the change. */
    'settings.before': Series<[{ readonly keys: readonly string[] }]>;
    /** Returns an error to refuse a change now (a turn is running). */
    'settings.guard': Bail<[SettingsPatch], Error>;
  }
  interface Events {
    /** Variables and plugins whose change waits for the end of a turn; empty once all are applied. */
    config_changed: Record<string, never>;
    settings_pending: { readonly keys: readonly string[]; readonly plugins: readonly string[] };
  }
  interface ContributionPoints {
    settings_tab: SettingsTab;
    settings_layer: SettingsLayer;
  }
}
