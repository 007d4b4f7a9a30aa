// The options of a kernel, the steps of loading plugins, and the kernel itself.
import type { Emitter, KernelError, PluginModule, PluginOrigin, ServiceKey, Services } from './contracts.ts';
import type { ConfigStore, KernelControl, LoadReport, LogSink } from './host-types.ts';

/** A directory, modules by name (tests, embedding), or entries that the host has found itself. */
export type PluginSource = { readonly origin: PluginOrigin } & (
  DirectorySource | { readonly modules: Readonly<Record<string, PluginModule<never>>> } | { readonly entries: readonly PluginEntry[] }
);

/** Files `.mjs` and `.js`, and folders with such an index; the name in kebab-case is the plugin's. */
export interface DirectorySource {
  readonly dir: string;
  /** Only these names; others are not imported. One that is not there rejects with `KRN_ERR_PLUGIN_MISSING`. */
  readonly include?: readonly string[];
}

export interface PluginFile {
  readonly name: string;
  readonly path: string;
  /** Why it cannot be a plugin. */
  readonly why?: string;
}

/** A plugin that was found, and how it is read. */
export interface PluginEntry {
  readonly name: string;
  /** For messages: a path, or words. */
  readonly place: string;
  /** Returns what the plugin's file exports. */
  load(): Promise<unknown>;
  /** Why it is off; it is not even loaded then. */
  readonly off?: string;
  /** The module is the host's own: no code of the plugin runs in `load` and `register`. */
  readonly isKnown?: boolean;
}

/** An imported plugin, which a change adds or removes. */
export interface PreparedPlugin {
  readonly name: string;
  readonly place: string;
  /** Why its code cannot be used. */
  readonly fault?: KernelError;
  /** A sentence among the warnings of its row, from the next change on. */
  note?: string;
}

/** Names, some perhaps with a reason of their own. Platform plugins stay on. */
export type DisabledPlugins = readonly (string | readonly [name: string, reason: string])[];

export interface LoadOptions {
  readonly sources: readonly PluginSource[];
  readonly disabled?: DisabledPlugins;
  /** Limit for the import and for `register` of a third-party plugin, in milliseconds in which the event loop was free; 5,000 when left out. */
  readonly timeoutMs?: number;
}

export interface PluginChange {
  readonly add: readonly PreparedPlugin[];
  readonly remove?: readonly PreparedPlugin[];
  readonly disabled?: DisabledPlugins;
}

/** The steps of loading, for a host that does more than {@link loadPlugins}. */
export interface PluginLoader {
  /** Imports and registers. Resolves when all plugins of these sources are settled, the slow ones included. */
  load(options: LoadOptions): Promise<LoadReport>;
  /** Imports; nothing is registered, and what runs is not touched. */
  prepare(source: PluginSource): Promise<readonly PreparedPlugin[]>;
  /** Unloads and registers in one step. Failures stand in the report alone. */
  reload(change: PluginChange): Promise<LoadReport>;
  /** Waits for the entitlements and emits `kernel_ready`. Plugins that come later get the event when they are active. */
  ready(): Promise<LoadReport>;
  /** Runs work that loads plugins once `when` resolves, at once without it, and as soon as `idle()` is called. */
  later<T>(work: () => Promise<T>, when?: Promise<unknown>): Promise<T>;
}

/** Which code of a plugin runs: its file, `register`, a tap, a listener, what it deferred, what a service makes; or the text given to {@link KernelControl.runAs}. */
export type PluginCode = 'load' | 'register' | 'hook' | 'listener' | 'end' | 'service' | (string & {});

/** Runs a call into the code of a third-party plugin. What it throws is that plugin's fault. */
export type Interceptor = <T>(call: { readonly plugin: string; readonly what: PluginCode }, work: () => T) => T;

export interface KernelOptions {
  /** The values of settings; every setting has its default when left out. */
  readonly config?: ConfigStore;
  /** Parent of each plugin's `dataDir`; absolute. Where it is left out, a plugin that asks for its own gets `KRN_ERR_DATA_DIR_MISSING`. */
  readonly dataDir?: string;
  /** Ready-made services of the host. */
  readonly services?: Partial<Services>;
  /** Instrument the code of third-party plugins (bundles, a user's own); the first one is the outermost. */
  readonly interceptors?: readonly Interceptor[];
  /** Called for each fault of a plugin; the `error` event of the same fault is emitted once. Contract: must not throw. */
  readonly onFault?: (plugin: string, code: string, message: string) => void;
  /** The names that a misspelt one may have meant, best first; without it a fault names none. */
  readonly closest?: (wanted: string, names: readonly string[]) => readonly string[];
  /** Takes every log line; standard error when left out. */
  readonly log?: LogSink;
}

/** What {@link Kernel.registry} is to `loadPlugins`; opaque otherwise. */
export interface RootRegistry {
  readonly origin: 'kernel-registry';
}
/** What {@link Kernel.emitter} is to `loadPlugins`: also an {@link Emitter} for the host. */
export interface RootEmitter extends Emitter {
  readonly origin: 'kernel-emitter';
}

export interface Kernel {
  readonly registry: RootRegistry;
  readonly emitter: RootEmitter;
  readonly control: KernelControl;
  readonly plugins: PluginLoader;
  readonly log: LogSink;
  /** A service, for the host. Throws `KRN_ERR_SERVICE_MISSING`. */
  resolve<K extends ServiceKey>(key: K): Services[K];
  /** Reports, by log and `error` event, what a plugin did (`failed in a timer: …`); the same event is emitted once. */
  blame(plugin: string, what: string): void;
  /** Everything registered now, as sorted labels; an empty kernel returns `[]`. */
  trace(): readonly string[];
  /** Unloads every plugin, last first. Never rejects; returns the faults. */
  close(): Promise<readonly unknown[]>;
}
