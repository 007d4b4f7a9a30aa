// Defines the types of the kernel's reports and controls: plugin states, settings, entitlements.
import type { Disposable, KernelError, LogLevel, PluginIsolation, PluginOrigin, PluginState, PropertySchema } from './contracts.ts';
import type { RunningTap } from './hook-types.ts';

export interface PluginReport {
  readonly name: string;
  readonly origin: PluginOrigin;
  readonly state: PluginState;
  readonly reason?: string;
  readonly code?: string;
  readonly entitlement?: string;
  /** The plugin cannot be switched off. */
  readonly isFixed?: true;
  /** Isolation of a plugin that does not run in the server's own process. */
  readonly isolation?: Exclude<PluginIsolation, 'process'>;
  /** Path or description of the plugin's origin. */
  readonly place: string;
  /** Milliseconds spent in import and `register`. */
  readonly bootMs: number;
  /** Labels of the registrations: `tool:read_file`, `tap:prompt.build`, … */
  readonly adds: readonly string[];
  /** Taps that are currently running. */
  readonly runningTaps: readonly RunningTap[];
  /** Non-fatal faults: an unknown name, an invalid setting. */
  readonly warnings: readonly string[];
}

export interface LoadReport {
  readonly plugins: readonly PluginReport[];
  readonly warnings: readonly string[];
  readonly ms: number;
  /** Whether more plugins are loading or will be loaded. */
  readonly isLoading: boolean;
}

/** A variable that a plugin declares. Open: the config store that creates it declares its further properties. */
export interface ConfigField {
  readonly key: string;
  readonly plugin: string;
  /** JSON Schema of the property, including the additional keywords. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value?: unknown;
  /** Reason why the current value is invalid. */
  readonly warning?: string;
}

/** The settings of one plugin. */
export interface ConfigSlice {
  /** The object passed to the plugin; `live` keys are updated in place. Reading an invalid value throws. */
  readonly values: Record<string, unknown>;
  readonly fields: readonly ConfigField[];
  /** Set if a value is invalid and has no default; the plugin then fails. */
  readonly fault?: KernelError;
}

/** Provides the values of settings. */
export interface ConfigStore {
  slice(plugin: string, schema: unknown): ConfigSlice;
  /**
   * Updates changed `live` values of the settings in use, unless `fault` is set. Without this method, every plugin registers again on each change.
   * @returns whether a value changed, and whether the plugin must register again
   */
  refresh?(slice: ConfigSlice, plugin: string, schema: unknown): { readonly isChanged: boolean; readonly mustReload: boolean; readonly fault?: KernelError };
  /** Returns a sentence that states why the text is not a valid value; `undefined` if it is valid. */
  check(property: PropertySchema, text: string): string | undefined;
  replacePreferences(...texts: Parameters<KernelControl['setPreferences']>): void;
}

/** Values of settings as text, by variable. */
export type Texts = Readonly<Record<string, string>>;

/** The kernel as a service. */
export interface KernelControl {
  /** Returns the report on all plugins; the same object until the report changes. */
  report(): LoadReport;
  /** Returns the state of a plugin; `undefined` for an unknown plugin. */
  stateOf(name: string): PluginState | undefined;
  fields(): readonly ConfigField[];
  /** Returns a sentence that states why `text` is not a valid value of `key`; `undefined` if it is valid or no plugin declares `key`. */
  checkValue(key: string, text: string): string | undefined;
  /**
   * Replaces all preferences (text by variable), and the `.env` values and imposed values if they are given. Then applies them: in place, by a reload, or at
   * the next start. Imposed values override preferences and `.env`, but apply only to variables that have a tab and are not secret.
   */
  setPreferences(preferences: Texts, other?: { readonly dotenv?: Texts; readonly imposed?: Texts }): Promise<void>;
  /** Replaces the set of disabled plugins, and reloads affected plugins. Platform plugins stay enabled. */
  setDisabled(names: readonly string[]): Promise<void>;
  /** Runs contributed code on behalf of its plugin; see {@link KernelOptions.interceptors}. @param what kind of contribution, such as `tool` or `route` */
  runAs<T>(plugin: string, work: () => T, what?: string): T;
  /** Resolves when no load and no reload is running. */
  idle(): Promise<void>;
  /**
   * Starts the app for one more holder (a server, or a command that runs turns), which must dispose the result when it ends. The first call runs the hook
   * `app.start`. After the last dispose, or when the kernel closes, `app.stop` runs. If a tap rejects, this rejects and nothing is started.
   */
  start(): Promise<Disposable>;
}

/** Reports the active entitlements. The kernel reads it from the service `entitlements`, if provided. */
export interface EntitlementSource {
  has(key: string): boolean;
  /** Resolves once the entitlements are known; the start waits for this. Contract: resolves quickly and never rejects. */
  ready?(): Promise<unknown>;
  onChange(listener: () => void): Disposable;
}

export type LogSink = (level: LogLevel, plugin: string, message: string, fields?: Readonly<Record<string, unknown>>) => void;

declare module 'agent-harness/kernel' {
  interface Services {
    /** The kernel's own controls: report, settings, start and stop. Always available. */
    kernel: KernelControl;
  }
}
