// Settings as people see them: fields, tabs, preferences on disk; and the configuration summary for clients.
import type { Bail, Disposable, LoadReport, PluginIsolation, PluginManifest, PluginReport, Series, Waterfall } from 'agent-harness/kernel';

export type * from './keywords.ts';

export interface SettingsTab {
  readonly id: string;
  readonly title: string;
}

/**
 * Contribution point `settings_layer`: values that somebody above the person sets (a team for all its machines). They beat the preferences and
 * `.env`, and the environment beats them. Only variables that have a tab, are no secret and last can be set; others stay as they are. A
 * change waits until no turn runs: to change one, dispose it and add the next.
 */
export interface SettingsLayer {
  /** Variable → text. Of two layers with the same variable, the one added last counts. */
  readonly env: Readonly<Record<string, string>>;
  /** Told once it is in force, and again with each other layer. Contract: must not throw. */
  inForce?(): void;
}

export type SettingKind = 'boolean' | 'integer' | 'number' | 'string' | 'enum';

export interface SettingField {
  readonly key: string;
  readonly tab: string;
  /** The plugin that declares it. */
  readonly group: string;
  readonly label: string;
  readonly description: string;
  /** Further words by which people look for it. */
  readonly words?: string;
  /** It is among what people look for first; smaller ones come first. */
  readonly rank?: number;
  readonly kind: SettingKind;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default: boolean | number | string | null;
  /** `null` where nothing is set, and for everything sensitive. */
  readonly value: boolean | number | string | null;
  /** What holds once the change is taken back, where that is not the default: the `.env` file says it. */
  readonly resetsTo?: boolean | number | string | null;
  /** `fleet`: given by a {@link SettingsLayer}, and locked. */
  readonly source: 'environment' | 'fleet' | 'preferences' | 'default';
  readonly locked: boolean;
  readonly sensitive: boolean;
  readonly restart: boolean;
  /** What is wrong with the set value, and what holds in its place. */
  readonly warning?: string;
}

export interface ProviderSummary {
  readonly model: string;
  readonly baseURL: string;
  readonly apiKeyConfigured: boolean;
  readonly inferenceMode: 'byok' | 'managed' | 'auto';
  /** Which adapter answers now: `chat-completions`, `messages`, `demo`, … */
  readonly route: string;
}

export interface SettingsPatch {
  readonly harness?: { readonly env?: Readonly<Record<string, string | null>> };
  readonly provider?: { readonly model?: string; readonly baseURL?: string; readonly inferenceMode?: 'byok' | 'managed' | 'auto' };
}

/** `.agent_runtime_prefs.json` */
export interface PreferencesFile {
  readonly harness?: { readonly env?: Readonly<Record<string, string>> };
  readonly provider?: { readonly inferenceMode?: 'byok' | 'managed' | 'auto' };
  readonly plugins?: { readonly disabled?: readonly string[] };
}

/** What to do with a change while a turn runs: refuse it, or save it and put it in force once no turn runs. */
export type WhenBusy = 'reject' | 'queue';

/** Changes that are saved and not in force yet, because a turn runs. */
export interface PendingChanges {
  /** Variable → text; `null` goes back to the default. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly inferenceMode?: 'byok' | 'managed' | 'auto';
  readonly plugins: readonly { readonly name: string; readonly disabled: boolean }[];
  /** The folder of the person's own plugins is read again. */
  readonly reload: boolean;
}

export interface Settings {
  read(): Promise<{ tabs: SettingsTab[]; fields: SettingField[]; provider: ProviderSummary; pending: PendingChanges }>;
  /**
   * All or nothing. Rejects with `setting_locked`, `setting_unknown`, `invalid_request`, or what `settings.guard` says. With `queue`,
   * what the guard refuses now is saved and named as `pending`; it is in force once the guard lets it, and after a restart.
   */
  patch(patch: SettingsPatch, whenBusy?: WhenBusy): Promise<{ applied: string[]; restartNeeded: string[]; pending?: string[] }>;
  /** Switches a plugin off or on, saved for later starts. Rejects with `not_found`, for a platform plugin with `invalid_request`, or what `settings.guard` says (asked with an empty patch). */
  switchPlugin(
    name: string,
    change: { readonly disabled: boolean },
    whenBusy?: WhenBusy,
  ): Promise<{ readonly plugin: PluginReport; readonly isPending: boolean }>;
  /** Keeps what a person decides about one from outside, and reads it again. Rejects like {@link switchPlugin}. */
  trustPlugin(
    name: string,
    decision: Parameters<PluginTrust['decide']>[1],
    whenBusy?: WhenBusy,
  ): Promise<{ readonly plugin: PluginReport; readonly isPending: boolean }>;
  /** Reads the person's own plugins again; answers their rows. Rejects like {@link switchPlugin}. */
  reloadPlugins(whenBusy?: WhenBusy): Promise<{ readonly plugins: PluginReport[]; readonly isPending: boolean }>;
  /**
   * Reloads the person's own plugins whenever something changes in their folder, once no turn runs. Throws `invalid_request`
   * where nobody loads plugins from a folder. Whoever calls it disposes the answer.
   */
  watchPlugins(options?: PluginWatchOptions): Disposable & { readonly dir: string };
  inferenceMode(): 'byok' | 'managed' | 'auto';
  /**
   * What is saved of the named settings, whether it is in force by now or waits for the end of a turn; `null` where nothing is. The mode of inference has the
   * name `provider.inferenceMode`. Secrets are none of them.
   */
  saved(keys: readonly string[]): Promise<Record<string, string | null>>;
}

export interface PluginWatchOptions {
  /** Of a plugin elsewhere, absolute: its folder or its file. It runs as if it were in the folder, for as long as the program does. */
  readonly path?: string;
  /** Before the folder is read again, also when the watch begins. A rejection is told in the log, and the folder is read. */
  readonly before?: () => Promise<void>;
  /** What there is after that. */
  readonly after?: (plugins: readonly PluginReport[]) => void;
}

/** Given by whoever opened the distribution. */
export interface UserPlugins {
  /** Absolute; perhaps not there. */
  readonly dir: string;
  /** Where a plugin is, absolute. Throws a sentence where there is none. @param named path of its folder or file, or its name in the folder; a path goes first */
  locate(named: string): string;
  /** Reads the folder again: new ones start, changed ones start anew, deleted ones are gone; one that fails keeps the running one. */
  reload(): Promise<LoadReport>;
  /**
   * From now on a plugin is new when any of its files is, and the files that it imports itself are read again with it, in this process, too. For whoever
   * writes one: it costs a further thread in node below 22.15.
   */
  readClosely(): void;
  /** From the next {@link reload} on a plugin elsewhere is one of the folder. @param path absolute, of its folder or its file */
  also(path: string): void;
  /** Hears whatever fails in the code of one, as it was thrown. */
  onFault(hear: (fault: PluginFault) => void): Disposable;
  /** What a file says about itself, read in a process that may read the plugin and nothing more. Rejects with what is wrong. @param path absolute, of the file that would be loaded */
  inspect(path: string): Promise<InspectedPlugin>;
  /** Why an installed plugin is not what was installed, with how to mend it; `undefined` also for the person's own. */
  lockFault(name: string): string | undefined;
  /** Forgets the quarantine, decisions and cached registrations of a plugin that is gone. */
  forget(name: string): void;
  /** Tries what a plugin holds now, where it was quarantined. */
  again(name: string): Promise<void>;
  readonly trust: PluginTrust;
}

export interface PluginFault {
  readonly plugin: string;
  /** `load`, `register`, `tool`, `hook`, … */
  readonly what: string;
  readonly fault: unknown;
}

/** What a person decides about plugins from outside. */
export interface PluginTrust {
  of(name: string): {
    /** Where the person wants it to run, whatever its manifest says. */
    readonly chosen?: Exclude<PluginIsolation, 'worker'>;
    /** What it may reach beyond its own folder, a sentence each; none of one that runs in the process, or was not read yet. */
    readonly capabilities: readonly string[];
    /** Those that nobody has agreed to. */
    readonly asks: readonly string[];
  };
  /** On the disk when it returns. Throws as the file system does. @param agree to all that it now asks for, or that a manifest asks for @param isolation `null`: as its manifest says */
  decide(name: string, decision: { readonly isolation?: Exclude<PluginIsolation, 'worker'> | null; readonly agree?: true | PluginManifest }): void;
}

/** A plugin of which nothing was loaded. */
export interface InspectedPlugin {
  /** As it says; only its kinds of values are known. */
  readonly manifest: SaidManifest;
  /** What it asks for, a sentence each. */
  readonly needs: readonly string[];
  /** Of that, what it did not ask for before. */
  grownSince(before: Pick<SaidManifest, 'capabilities' | 'requires' | 'optional'>): readonly string[];
}

export type SaidManifest = Partial<PluginManifest> & { readonly capabilities?: Readonly<Record<string, unknown>> };

/** Plugins that come after the product, as a folder. Given by whoever opened the distribution. */
export interface BundlePlugins {
  /** Reads the folder, absolute, by the loader of the person's own plugins, in place of what it held before; a folder that is not there holds nothing. */
  load(dir: string): Promise<LoadReport>;
  /** Ends what was loaded from it. */
  unload(dir: string): Promise<LoadReport>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    settings: Settings;
    userPlugins: UserPlugins;
    bundlePlugins: BundlePlugins;
  }
  interface Hooks {
    /** The provider part of the settings. */
    'settings.provider': Waterfall<ProviderSummary>;
    /** Before variables are saved that are known, free and valid: which. A tap that throws refuses the change. */
    'settings.before': Series<[{ readonly keys: readonly string[] }]>;
    /** Answers an error to refuse a change now (a turn is running). */
    'settings.guard': Bail<[SettingsPatch], Error>;
  }
  interface Events {
    /** Variables and plugins whose change waits for the end of a turn; none once all of it is in force. */
    config_changed: Record<string, never>;
    settings_pending: { readonly keys: readonly string[]; readonly plugins: readonly string[] };
  }
  interface ContributionPoints {
    settings_tab: SettingsTab;
    settings_layer: SettingsLayer;
  }
}
