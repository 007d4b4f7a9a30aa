// Defines the types of a kernel's reports and controls: plugin states, settings, entitlements.
import type { Disposable, KernelError, LogLevel, PluginIsolation, PluginOrigin, PluginState, PropertySchema } from './contracts.ts';
import type { RunningTap } from './hook-types.ts';

export interface PluginReport {
  readonly name: string;
  readonly origin: PluginOrigin;
  readonly state: PluginState;
  readonly reason?: string;
  readonly code?: string;
  readonly entitlement?: string;
  /** It cannot be switched off. */
  readonly isFixed?: true;
  /** Isolation of a plugin that does not run in the server's own process. */
  readonly isolation?: Exclude<PluginIsolation, 'process'>;
  /** Path or description of its origin. */
  readonly place: string;
  /** Milliseconds spent in import and `register`. */
  readonly bootMs: number;
  /** What it registered, as labels: `tool:read_file`, `tap:prompt.build`, … */
  readonly adds: readonly string[];
  /** Its taps that have begun and not ended. */
  readonly runningTaps: readonly RunningTap[];
  /** Non-fatal faults: an unknown name, an invalid setting. */
  readonly warnings: readonly string[];
}

export interface LoadReport {
  readonly plugins: readonly PluginReport[];
  readonly warnings: readonly string[];
  readonly ms: number;
  /** Further plugins are being loaded, or will be. */
  readonly isLoading: boolean;
}

/** One variable that a plugin declares. Open: the config store that creates it declares its further properties. */
export interface ConfigField {
  readonly key: string;
  readonly plugin: string;
  /** The JSON Schema of the property, including our keywords. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value?: unknown;
  /** The error of the current value. */
  readonly warning?: string;
}

/** The settings of one plugin. */
export interface ConfigSlice {
  /** The object that the plugin gets; `live` keys are replaced in place. Reading an invalid value throws. */
  readonly values: Record<string, unknown>;
  readonly fields: readonly ConfigField[];
  /** A value is invalid and the schema has no default; the plugin fails. */
  readonly fault?: KernelError;
}

/** Supplies the values of settings. */
export interface ConfigStore {
  slice(plugin: string, schema: unknown): ConfigSlice;
  /**
   * Replaces changed `live` values in a slice that is in use; if `fault` is set, it replaces none. Without it, each change registers every plugin again.
   * @returns whether any value differs, and whether the plugin must register again for it
   */
  refresh?(slice: ConfigSlice, plugin: string, schema: unknown): { readonly isChanged: boolean; readonly mustReload: boolean; readonly fault?: KernelError };
  /** Returns why the text is not a valid value, as a sentence; otherwise `undefined`. */
  check(property: PropertySchema, text: string): string | undefined;
  replacePreferences(...texts: Parameters<KernelControl['setPreferences']>): void;
}

/** Variable → text. */
export type Texts = Readonly<Record<string, string>>;

/** The kernel as a service. */
export interface KernelControl {
  /** The same object until something changes. */
  report(): LoadReport;
  /** `undefined` if there is no plugin of that name. */
  stateOf(name: string): PluginState | undefined;
  fields(): readonly ConfigField[];
  /** Returns why `text` is not a valid value of `key`, as a sentence; `undefined` if it is valid or no plugin declares `key`. */
  checkValue(key: string, text: string): string | undefined;
  /**
   * Replaces all preferences (variable → text), and the `.env` and imposed values if given, then applies them: in place, by reload, or at the
   * next start. Imposed values override preferences and `.env`; variables that have a tab and are no secret come last.
   */
  setPreferences(preferences: Texts, other?: { readonly dotenv?: Texts; readonly imposed?: Texts }): Promise<void>;
  /** Replaces the set of disabled plugins and reloads the plugins affected. Platform plugins stay on. */
  setDisabled(names: readonly string[]): Promise<void>;
  /** Runs code that a plugin contributed on behalf of that plugin; see {@link KernelOptions.interceptors}. @param what kind of contribution: `tool`, `route` */
  runAs<T>(plugin: string, work: () => T, what?: string): T;
  /** Resolves when no load and no reload is under way. */
  idle(): Promise<void>;
  /**
   * Runs the hook `app.start` for the first holder. A server, or a command that runs turns, holds the result meanwhile. After the last
   * holder, or when the kernel closes, `app.stop` runs. Rejects, with nothing started, if a tap does.
   */
  start(): Promise<Disposable>;
}

/** Reports the entitlements held. The kernel reads it from the service `entitlements`, if provided. */
export interface EntitlementSource {
  has(key: string): boolean;
  /** Resolves once the entitlements are known; the start waits for it. Contract: resolves soon and never rejects. */
  ready?(): Promise<unknown>;
  onChange(listener: () => void): Disposable;
}

export type LogSink = (level: LogLevel, plugin: string, message: string, fields?: Readonly<Record<string, unknown>>) => void;

declare module 'agent-harness/kernel' {
  interface Services {
    /** The kernel's own controls: report, settings, start and stop. Always present. */
    kernel: KernelControl;
  }
}
