// Reports of a kernel and its controls: states, settings, entitlements.
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
  /** Faults that do not keep it from running: an unknown name, a setting that does not fit. */
  readonly warnings: readonly string[];
}

export interface LoadReport {
  readonly plugins: readonly PluginReport[];
  readonly warnings: readonly string[];
  readonly ms: number;
  /** Further plugins are being loaded, or will be. */
  readonly isLoading: boolean;
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
  /** The reason why the text cannot be the value, as a sentence. */
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
  /** The reason why `text` cannot be the value of `key`, as a sentence; `undefined` when it can, or when no plugin declares `key`. */
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
   * Runs the hook `app.start` for the first holder. A server, or a command that runs turns, holds the result meanwhile. After the last
   * holder, or when the kernel closes, `app.stop` runs. Rejects, with nothing started, where a tap does.
   */
  start(): Promise<Disposable>;
}

/** Says which entitlements are held. The kernel reads it from the service `entitlements`, where one is provided. */
export interface EntitlementSource {
  has(key: string): boolean;
  /** Resolves once the entitlements are known; the start waits for it. Contract: soon, and never rejects. */
  ready?(): Promise<unknown>;
  onChange(listener: () => void): Disposable;
}

export type LogSink = (level: LogLevel, plugin: string, message: string, fields?: Readonly<Record<string, unknown>>) => void;

declare module 'agent-harness/kernel' {
  interface Services {
    /** The kernel's own controls: report, settings, start and stop. Always there. */
    kernel: KernelControl;
  }
}
