// Defines the types of the kernel, its options, and the steps of loading plugins.
import type { Emitter, KernelError, PluginModule, PluginOrigin, ServiceKey, Services } from './contracts.ts';
import type { ConfigStore, KernelControl, LoadReport, LogSink } from './host-types.ts';

/** A source of plugins: a directory, modules by name (for tests and embedding), or entries that the host found. */
export type PluginSource = { readonly origin: PluginOrigin } & (
  DirectorySource | { readonly modules: Readonly<Record<string, PluginModule<never>>> } | { readonly entries: readonly PluginEntry[] }
);

/**
 * A directory of plugins: `.mjs` and `.js` files, and folders that contain such an index file. The kebab-case name of the file or folder is the name of the
 * plugin.
 */
export interface DirectorySource {
  readonly dir: string;
  /** Imports only plugins with these names. If one is missing, loading rejects with `KRN_ERR_PLUGIN_MISSING`. */
  readonly include?: readonly string[];
}

export interface PluginFile {
  readonly name: string;
  readonly path: string;
  /** Reason why the file cannot be a plugin. */
  readonly why?: string;
}

/** A plugin found in a source, and how to load it. */
export interface PluginEntry {
  readonly name: string;
  /** Path or description, for messages. */
  readonly place: string;
  /** Returns the exports of the plugin's file. */
  load(): Promise<unknown>;
  /** Reason why the plugin is disabled; its file is then not loaded. */
  readonly off?: string;
}

/** An imported plugin that a change can add or remove. */
export interface PreparedPlugin {
  readonly name: string;
  readonly place: string;
  /** Reason why the plugin's code cannot be used. */
  readonly fault?: KernelError;
  /** Sentence that the plugin's row lists among its warnings from the next change on. */
  note?: string;
}

/** Names of disabled plugins, optionally with a reason. Platform plugins stay enabled. */
export type DisabledPlugins = readonly (string | readonly [name: string, reason: string])[];

export interface LoadOptions {
  readonly sources: readonly PluginSource[];
  readonly disabled?: DisabledPlugins;
  /** Time limit for the import and for `register` of a third-party plugin, in milliseconds during which the event loop was free; default: 5,000. */
  readonly timeoutMs?: number;
}

export interface PluginChange {
  readonly add: readonly PreparedPlugin[];
  readonly remove?: readonly PreparedPlugin[];
  readonly disabled?: DisabledPlugins;
}

/** The steps of loading, for hosts that need more than {@link loadPlugins}. */
export interface PluginLoader {
  /** Imports and registers plugins. Resolves when all plugins of these sources have started or failed, including slow ones. */
  load(options: LoadOptions): Promise<LoadReport>;
  /** Imports plugins without registering them; running plugins stay unchanged. */
  prepare(source: PluginSource): Promise<readonly PreparedPlugin[]>;
  /** Unloads and registers plugins in one step. Failures appear only in the report. */
  reload(change: PluginChange): Promise<LoadReport>;
  /** Waits for the entitlements, then emits `kernel_ready`. Plugins that become active later receive the event at that time. */
  ready(): Promise<LoadReport>;
  /** Runs work that loads plugins once `when` resolves (immediately if it is omitted), or as soon as `idle()` is called. */
  later<T>(work: () => Promise<T>, when?: Promise<unknown>): Promise<T>;
}

/** Kind of plugin code: its file, `register`, a tap, a listener, a deferred undo, a service factory; or the text passed to {@link KernelControl.runAs}. */
export type PluginCode = 'load' | 'register' | 'hook' | 'listener' | 'end' | 'service' | (string & {});

/** Runs a call into the code of a third-party plugin. An error that it throws is attributed to that plugin. */
export type Interceptor = <T>(call: { readonly plugin: string; readonly what: PluginCode }, work: () => T) => T;

export interface KernelOptions {
  /** Provides the values of settings; default: the schema defaults. */
  readonly config?: ConfigStore;
  /** Absolute path of the folder that contains each plugin's `dataDir`. Without it, reading `dataDir` throws `KRN_ERR_DATA_DIR_MISSING`. */
  readonly dataDir?: string;
  /** Services that the host provides. */
  readonly services?: Partial<Services>;
  /** Wrap the code of third-party plugins; the first interceptor is the outermost. */
  readonly interceptors?: readonly Interceptor[];
  /** Called for each error of a plugin; the `error` event of an equal error is emitted once. Contract: must not throw. */
  readonly onFault?: (plugin: string, code: string, message: string) => void;
  /** Returns suggestions for a misspelt name, best first; without it, messages contain no suggestions. */
  readonly closest?: (wanted: string, names: readonly string[]) => readonly string[];
  /** Receives every log line; default: standard error. */
  readonly log?: LogSink;
}

/** Type of {@link Kernel.registry}, to be passed to `loadPlugins`; otherwise opaque. */
export interface RootRegistry {
  readonly origin: 'kernel-registry';
}
/** Type of {@link Kernel.emitter}, to be passed to `loadPlugins`; also an {@link Emitter} for the host. */
export interface RootEmitter extends Emitter {
  readonly origin: 'kernel-emitter';
}

export interface Kernel {
  readonly registry: RootRegistry;
  readonly emitter: RootEmitter;
  readonly control: KernelControl;
  readonly plugins: PluginLoader;
  readonly log: LogSink;
  /** Returns a service for the host. Throws `KRN_ERR_SERVICE_MISSING`. */
  resolve<K extends ServiceKey>(key: K): Services[K];
  /** Reports an error of a plugin (`failed in a timer: …`) to the log and as an `error` event; emits an equal event only once. */
  blame(plugin: string, what: string): void;
  /** Returns all current registrations as sorted labels; `[]` for an empty kernel. */
  trace(): readonly string[];
  /** Unloads every plugin in reverse order. Never rejects; returns the faults. */
  close(): Promise<readonly unknown[]>;
}
