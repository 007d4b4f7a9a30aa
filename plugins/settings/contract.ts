// Defines the contract of user-visible settings: fields, tabs and stored preferences, and the configuration summary for clients.
import type { Bail, Disposable, LoadReport, PluginIsolation, PluginManifest, PluginReport, Series, Waterfall } from 'agent-harness/kernel';

export type * from './keywords.ts';

export interface SettingsTab {
  readonly id: string;
  readonly title: string;
}

/**
 * Contribution point `settings_layer`: values that an administrator imposes, for example for all machines of a team. They override the preferences and `.env`;
 * the environment overrides them. Only persistent variables that have a tab and are not secret can be set; others are ignored. A change is applied when no turn
 * is running. To change a layer, dispose it and add a new one.
 */
export interface SettingsLayer {
  /** Values as text by variable. If two layers set a variable, the layer that was added last wins. */
  readonly env: Readonly<Record<string, string>>;
  /** Called after the layer was applied, and again whenever another layer is applied. Contract: must not throw. */
  inForce?(): void;
}

export type SettingKind = 'boolean' | 'integer' | 'number' | 'string' | 'enum';

export interface SettingField {
  readonly key: string;
  readonly tab: string;
  /** Name of the plugin that declares the setting. */
  readonly group: string;
  readonly label: string;
  readonly description: string;
  /** Additional search terms. */
  readonly words?: string;
  /** Lists the setting among the first search results; smaller numbers come first. */
  readonly rank?: number;
  readonly kind: SettingKind;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default: boolean | number | string | null;
  /** Current value; `null` if it is unset or secret. */
  readonly value: boolean | number | string | null;
  /** Value after a reset, if the `.env` file sets one that replaces the default. */
  readonly resetsTo?: boolean | number | string | null;
  /** Source of the value. `fleet`: a {@link SettingsLayer} set and locked it. */
  readonly source: 'environment' | 'fleet' | 'preferences' | 'default';
  readonly locked: boolean;
  readonly sensitive: boolean;
  readonly restart: boolean;
  /** Reason why the set value is invalid, with the value that is used instead. */
  readonly warning?: string;
}

export interface ProviderSummary {
  readonly model: string;
  readonly baseURL: string;
  readonly apiKeyConfigured: boolean;
  readonly inferenceMode: 'byok' | 'managed' | 'auto';
  /** Name of the current adapter: `chat-completions`, `messages`, `demo`, … */
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

/** Handling of a change during a turn: reject it, or save it and apply it when no turn is running. */
export type WhenBusy = 'reject' | 'queue';

/** Changes that are saved but not applied yet, because a turn is running. */
export interface PendingChanges {
  /** Changed values as text by variable; `null` resets to the default. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly inferenceMode?: 'byok' | 'managed' | 'auto';
  readonly plugins: readonly { readonly name: string; readonly disabled: boolean }[];
  /** Whether the folder of the user's own plugins will be read again. */
  readonly reload: boolean;
}

export interface Settings {
  read(): Promise<{ tabs: SettingsTab[]; fields: SettingField[]; provider: ProviderSummary; pending: PendingChanges }>;
  /**
   * Applies all changes or none. Rejects with `setting_locked`, `setting_unknown`, `invalid_request`, or the error of `settings.guard`. With `queue`,
   * changes that the guard rejects now are saved and returned as `pending`; they are applied when the guard allows it, and after a restart.
   */
  patch(patch: SettingsPatch, whenBusy?: WhenBusy): Promise<{ applied: string[]; restartNeeded: string[]; pending?: string[] }>;
  /**
   * Disables or enables a plugin, persistently. Rejects with `not_found`, with `invalid_request` for a platform plugin, or with the error of `settings.guard`
   * (called with an empty patch).
   */
  switchPlugin(
    name: string,
    change: { readonly disabled: boolean },
    whenBusy?: WhenBusy,
  ): Promise<{ readonly plugin: PluginReport; readonly isPending: boolean }>;
  /** Stores the user's decision about a third-party plugin, and reloads it. Rejects as {@link switchPlugin} does. */
  trustPlugin(
    name: string,
    decision: Parameters<PluginTrust['decide']>[1],
    whenBusy?: WhenBusy,
  ): Promise<{ readonly plugin: PluginReport; readonly isPending: boolean }>;
  /** Reloads the user's own plugins; returns their rows. Rejects as {@link switchPlugin} does. */
  reloadPlugins(whenBusy?: WhenBusy): Promise<{ readonly plugins: PluginReport[]; readonly isPending: boolean }>;
  /**
   * Reloads the user's own plugins after each change in their folder, when no turn is running. Throws `invalid_request` if no folder of plugins is loaded. The
   * caller must dispose the result.
   */
  watchPlugins(options?: PluginWatchOptions): Disposable & { readonly dir: string };
  inferenceMode(): 'byok' | 'managed' | 'auto';
  /**
   * Returns the saved values of the named settings, applied or pending; `null` for a setting without a saved value. The inference mode is named
   * `provider.inferenceMode`. Secrets are never saved.
   */
  saved(keys: readonly string[]): Promise<Record<string, string | null>>;
}

export interface PluginWatchOptions {
  /** Absolute path of the folder or file of a plugin outside the plugin folder. Until the process ends, it is loaded like a plugin in the folder. */
  readonly path?: string;
  /** Runs before the folder is read again, and when the watch starts. A rejection is logged, and the folder is read anyway. */
  readonly before?: () => Promise<void>;
  /** Runs after the folder was read, and receives its plugins. */
  readonly after?: (plugins: readonly PluginReport[]) => void;
}

/** Loads the user's own plugins from a folder. Provided by the distribution. */
export interface UserPlugins {
  /** Absolute path of the plugin folder, which may not exist. */
  readonly dir: string;
  /**
   * Returns the absolute path of a plugin. Throws an error with a message for the user if it is not found.
   * @param named path of its folder or file, or its name in the plugin folder; a path takes precedence
   */
  locate(named: string): string;
  /** Reads the folder again: starts new plugins, restarts changed ones, removes deleted ones. If a new version fails, the old one keeps running. */
  reload(): Promise<LoadReport>;
  /**
   * Makes {@link reload} detect changes to all files of a plugin from now on, including imported files. For plugin development; on Node before 22.15, this
   * needs an additional thread.
   */
  readClosely(): void;
  /** Includes a plugin outside the plugin folder from the next {@link reload} on. @param path absolute path of its folder or file */
  also(path: string): void;
  /** Subscribes to each error thrown in the code of the user's plugins. */
  onFault(listener: (fault: PluginFault) => void): Disposable;
  /** Reads the manifest of a file in a process that may read only the plugin. Rejects with its error. @param path absolute path of the file to load */
  inspect(path: string): Promise<InspectedPlugin>;
  /**
   * Returns a sentence, with the remedy, if the files of an installed plugin differ from the version that was installed; `undefined` without a difference, and
   * for plugins that were not installed.
   */
  lockFault(name: string): string | undefined;
  /** Deletes the quarantine, the decisions and the cached registrations of a removed plugin. */
  forget(name: string): void;
  /** Retries the current version of a quarantined plugin. */
  again(name: string): Promise<void>;
  readonly trust: PluginTrust;
}

export interface PluginFault {
  readonly plugin: string;
  /** Kind of code that failed: `load`, `register`, `tool`, `hook`, … */
  readonly what: string;
  readonly fault: unknown;
}

/** The user's decisions about third-party plugins. */
export interface PluginTrust {
  of(name: string): {
    /** Isolation that the user chose; overrides the manifest. */
    readonly chosen?: Exclude<PluginIsolation, 'worker'>;
    /** Permissions of the plugin beyond its own folder, one sentence each; empty if it runs in the server's process, or has not been read yet. */
    readonly capabilities: readonly string[];
    /** Capabilities that the user has not approved yet. */
    readonly asks: readonly string[];
  };
  /**
   * Stores a decision of the user, which is on disk when the call returns. Throws file-system errors. `agree` approves the requests of a manifest, or all
   * current requests (`true`); the isolation `null` selects the one in the manifest.
   */
  decide(name: string, decision: { readonly isolation?: Exclude<PluginIsolation, 'worker'> | null; readonly agree?: true | PluginManifest }): void;
}

/** A plugin that was inspected without loading it. */
export interface InspectedPlugin {
  /** The declared manifest; only the types of its values have been validated. */
  readonly manifest: SaidManifest;
  /** The capabilities that the plugin requests, one sentence each. */
  readonly needs: readonly string[];
  /** Returns the requested capabilities that an earlier version did not request, one sentence each. */
  grownSince(before: Pick<SaidManifest, 'capabilities' | 'requires' | 'optional'>): readonly string[];
}

export type SaidManifest = Partial<PluginManifest> & { readonly capabilities?: Readonly<Record<string, unknown>> };

/** Loads plugins from bundle folders. Provided by the distribution. */
export interface BundlePlugins {
  /** Loads the plugins of a folder (absolute path), and replaces those that were loaded from it before; a missing folder is treated as empty. */
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
    /** Runs before known, unlocked and valid variables are saved. A tap that throws rejects the change. */
    'settings.before': Series<[{ readonly keys: readonly string[] }]>;
    /** Returns an error if a change must be rejected for now, because a turn is running. */
    'settings.guard': Bail<[SettingsPatch], Error>;
  }
  interface Events {
    /**
     * The configuration may have changed. `settings_pending`: variables and plugins whose change waits for the end of a turn; empty when all have been applied.
     */
    config_changed: Record<string, never>;
    settings_pending: { readonly keys: readonly string[]; readonly plugins: readonly string[] };
  }
  interface ContributionPoints {
    settings_tab: SettingsTab;
    settings_layer: SettingsLayer;
  }
}
