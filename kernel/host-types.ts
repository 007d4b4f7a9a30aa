// What whoever starts a kernel deals with: errors, reports, settings, loading, the kernel itself.
import type {
  Disposable,
  Emitter,
  PluginIsolation,
  PluginLoader,
  PluginOrigin,
  PluginState,
  PropertySchema,
  RunningTap,
  ServiceKey,
  Services,
} from './contracts.ts';

/** An error with a code. Recognise it by `code`, never by `instanceof`. */
export interface KernelError extends Error {
  /** `<OWNER>_ERR_<REASON>`; never renamed, never reused. */
  readonly code: string;
  readonly plugin?: string;
  readonly hook?: string;
  readonly status?: number;
  /** Safe to show to a client. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ErrorEvent {
  /** `plugin`, `provider`, `storage`, … */
  readonly source: string;
  readonly plugin?: string;
  readonly code: string;
  readonly message: string;
}

export interface PluginReport {
  readonly name: string;
  readonly origin: PluginOrigin;
  readonly state: PluginState;
  readonly reason?: string;
  readonly code?: string;
  readonly entitlement?: string;
  /** Nobody can switch it off. */
  readonly isFixed?: true;
  /** Where it runs, where that is not the server's own process. */
  readonly isolation?: Exclude<PluginIsolation, 'process'>;
  /** Where it was found: a path, or words. */
  readonly place: string;
  /** Milliseconds spent in import and `register`. */
  readonly bootMs: number;
  /** What it registered, as labels: `tool:read_file`, `tap:prompt.build`, … */
  readonly adds: readonly string[];
  /** Its taps that have begun and not ended. */
  readonly runningTaps: readonly RunningTap[];
  /** What does not keep it from running, but is not as it was meant: a name that nobody knows, a setting that does not fit. */
  readonly warnings: readonly string[];
}

export interface LoadReport {
  readonly plugins: readonly PluginReport[];
  readonly warnings: readonly string[];
  readonly ms: number;
}

/** One variable that a plugin declares. Open: the store that makes it declares what else it holds. */
export interface ConfigField {
  readonly key: string;
  readonly plugin: string;
  /** The JSON Schema of the property, our keywords included. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value?: unknown;
  /** What is wrong with the set value. */
  readonly warning?: string;
}

/** The settings of one plugin. */
export interface ConfigSlice {
  /** The object that the plugin gets; `live` keys are replaced in place. Reading a value that cannot be used throws. */
  readonly values: Record<string, unknown>;
  readonly fields: readonly ConfigField[];
  /** A set value does not fit and the schema has no default; the plugin fails. */
  readonly fault?: KernelError;
}

/** Where the values of settings come from. */
export interface ConfigStore {
  slice(plugin: string, schema: unknown): ConfigSlice;
  /** The sentence that says why the text cannot be the value. */
  check(property: PropertySchema, text: string): string | undefined;
  replacePreferences(...texts: Parameters<KernelControl['setPreferences']>): void;
}

/** Variable → text. */
export type Texts = Readonly<Record<string, string>>;

/** The kernel as a service. */
export interface KernelControl {
  /** The same object until something changes. */
  report(): LoadReport;
  /** `undefined` where there is no plugin of that name. */
  stateOf(name: string): PluginState | undefined;
  fields(): readonly ConfigField[];
  /** The sentence that says why `text` cannot be the value of `key`; `undefined` when it can, or when nobody declares `key`. */
  checkValue(key: string, text: string): string | undefined;
  /**
   * Replaces all preferences (variable → text), and what `.env` says and what is imposed where given, then applies them: in place, by
   * reload, or at the next start. What is imposed beats preferences and `.env`, of variables that have a tab, are no secret and last.
   */
  setPreferences(preferences: Texts, other?: { readonly dotenv?: Texts; readonly imposed?: Texts }): Promise<void>;
  /** Replaces the set of switched-off plugins and reloads what that touches. Platform plugins stay on. */
  setDisabled(names: readonly string[]): Promise<void>;
  /** Runs code that a plugin contributed as that plugin's own; see {@link KernelOptions.interceptors}. @param what it contributed it as: `tool`, `route` */
  runAs<T>(plugin: string, work: () => T, what?: string): T;
  /** Resolves when no load and no reload is under way. */
  idle(): Promise<void>;
  /**
   * Runs the hook `app.start`, unless somebody else has. Whoever lets the app work (a server, a command that runs turns) holds
   * the answer meanwhile; once nobody does, or the kernel closes, `app.stop` runs. Rejects, with nothing started, where a tap does.
   */
  start(): Promise<Disposable>;
}

/** Says which entitlements are held. The kernel reads it from the service `entitlements`, where one is provided. */
export interface EntitlementSource {
  has(key: string): boolean;
  /** Resolves once it is known what is held: the start waits for it, so that what is held runs from the first moment on. Contract: soon, and never rejects. */
  ready?(): Promise<unknown>;
  onChange(listener: () => void): Disposable;
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
  /** Ready-made services of whoever starts the kernel. */
  readonly services?: Partial<Services>;
  /** Instrument the code of third-party plugins (bundles, a user's own); the first one is the outermost. */
  readonly interceptors?: readonly Interceptor[];
  /** Hears each fault of a plugin, each time; clients hear of the same one once. Contract: must not throw. */
  readonly onFault?: (plugin: string, code: string, message: string) => void;
  /** The names that a misspelt one may have meant, best first; without it a fault names none. */
  readonly closest?: (wanted: string, names: readonly string[]) => readonly string[];
  /** Takes every log line; standard error when left out. */
  readonly log?: LogSink;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogSink = (level: LogLevel, plugin: string, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** What {@link Kernel.registry} is to `loadPlugins`; opaque to everybody else. */
export interface RootRegistry {
  readonly origin: 'kernel-registry';
}
/** What {@link Kernel.emitter} is to `loadPlugins`: also an {@link Emitter} for whoever started the kernel. */
export interface RootEmitter extends Emitter {
  readonly origin: 'kernel-emitter';
}

export interface Kernel {
  readonly registry: RootRegistry;
  readonly emitter: RootEmitter;
  readonly control: KernelControl;
  readonly plugins: PluginLoader;
  readonly log: LogSink;
  /** A service, for whoever started the kernel. Throws `KRN_ERR_SERVICE_MISSING`. */
  resolve<K extends ServiceKey>(key: K): Services[K];
  /** Tells everybody, by log and `error` event, what a plugin did (`failed in a timer: …`). The same is told once. */
  blame(plugin: string, what: string): void;
  /** Everything registered now, as sorted labels; an empty kernel answers `[]`. */
  trace(): readonly string[];
  /** Unloads every plugin, last first. Never rejects; answers the faults. */
  close(): Promise<readonly unknown[]>;
}
