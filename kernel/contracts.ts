// Defines the contract of a plugin: manifest, registry, emitter, and the five open maps that plugins augment.
import type { Static, TSchema } from 'typebox';
import type { CallOptions, HookArgs, HookFn, HookKind, HookOptions, HookResult, Series } from './hook-types.ts';

// Open maps: a plugin augments these with `declare module 'agent-harness/kernel' { interface Services { … } }`, and must not augment anything else.
/** Maps service keys to service types. */
export interface Services {}

/** Maps event names (snake_case, as on the wire) to payloads. */
export interface Events {
  /** An error for the user. This is the only event that every plugin may emit; the kernel fills in `plugin`. */
  error: ErrorEvent;
  /** The first load is complete, including contributions. */
  kernel_ready: { readonly ms: number };
  /** The state of a plugin changed. */
  plugin_changed: { readonly name: string; readonly state: PluginState; readonly reason?: string };
  /** Preferences were replaced, and every plugin has its new values. `keys`: the variables that changed. */
  settings_changed: { readonly keys: readonly string[] };
}

/** Maps hook names (`domain.when`) to one of {@link Series}, {@link Bail} and {@link Waterfall}. */
export interface Hooks {
  /** The app starts; turns can run afterwards. If a tap throws, the start is aborted. */
  'app.start': Series<[]>;
  /** The app stops; running work ends now. */
  'app.stop': Series<[]>;
}

/** Maps contribution points (singular nouns) to item types. */
export interface ContributionPoints {}

/** Maps entitlement keys (`feature.ability`) to `true`. */
export interface Entitlements {}

export type ServiceKey = keyof Services & string;

/** Undoes one registration. Calling it twice is harmless. */
export interface Disposable {
  dispose(): void | Promise<void>;
}

export type PluginOrigin = 'platform' | 'builtin' | 'bundle' | 'user';

/**
 * - `active`: registered.
 * - `disabled`: switched off in the settings.
 * - `locked`: its entitlement is missing.
 * - `unmet`: a required service is missing.
 * - `failed`: import, manifest, configuration or `register` failed.
 */
export type PluginState = 'active' | 'locked' | 'unmet' | 'failed' | 'disabled';

/** An error with a code. Identify it by `code`, never by `instanceof`. */
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
  /** Origin of the error: `plugin`, `provider`, `storage`, … */
  readonly source: string;
  readonly plugin?: string;
  readonly code: string;
  readonly message: string;
}

/** An error that a plugin can throw. `{name}` in the message is filled from the details. */
export interface ErrorSpec {
  /** Sentence with the problem and the remedy. */
  readonly message: string;
  /** HTTP status for clients; default 500. */
  readonly status?: number;
}

export interface PluginManifest {
  /** kebab-case; equals the file or folder name. */
  readonly name: string;
  /** Major version of this contract. */
  readonly api?: 1;
  readonly entitlement?: keyof Entitlements & string;
  /** Whether the plugin cannot be switched off while it is entitled. Applies only to built-in plugins. */
  readonly fixed?: true;
  /** Services that must be present before `register` is called. */
  readonly requires?: readonly ServiceKey[];
  /** Services that are used if present; the plugins that provide them register before this one. */
  readonly optional?: readonly ServiceKey[];
  readonly provides?: readonly ServiceKey[];
  /** The events that only this plugin may emit. */
  readonly events?: readonly (keyof Events & string)[];
  /** A TypeBox or plain JSON Schema object; see {@link ConfigKeywords} for additional keywords. */
  readonly config?: TSchema;
  /** Maps reasons (UPPER_SNAKE) to messages and statuses. The kernel adds a prefix: `<PLUGIN>_ERR_<REASON>`. */
  readonly errors?: Readonly<Record<string, ErrorSpec>>;
  /** Requested isolation of a third-party plugin; default: the server's process. The host enforces it. */
  readonly isolation?: PluginIsolation;
  /** Resources beyond the plugin's own folder; the host reads and enforces them. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

/**
 * - `process`: in the server's own process, with all its rights.
 * - `child`: in its own process, which can read and write only its own folders.
 * - `worker`: an older name of `child`.
 */
export type PluginIsolation = 'process' | 'worker' | 'child';

/** Additional keywords of a property in `manifest.config`. Open: code that reads further keywords declares them here. */
export interface ConfigKeywords {
  /** Name of the environment variable; a property without one cannot be set externally. */
  readonly env?: string;
  /** `live`: read on each use. `reload`: the plugin registers again (default). `restart`: applied at the next start. */
  readonly apply?: 'live' | 'reload' | 'restart';
}

export type PropertySchema = ConfigKeywords & { readonly default?: unknown };

type Listed<M, K extends keyof PluginManifest> = M extends { readonly [P in K]: readonly (infer S)[] } ? S & ServiceKey : never;
type IsDefault<M> = PluginManifest extends M ? true : false;

/** The services that a plugin may read: those in `requires` are always present, those in `optional` may be undefined. */
export type Cradle<M> =
  IsDefault<M> extends true
    ? Readonly<Partial<Services>>
    : { readonly [K in Listed<M, 'requires'>]: Services[K] } & { readonly [K in Listed<M, 'optional'>]: Services[K] | undefined };
export type ProvidedOf<M> = IsDefault<M> extends true ? ServiceKey : Listed<M, 'provides'>;
export type ConfigOf<M> = M extends { readonly config: infer C extends TSchema } ? Static<C> : Readonly<Record<string, unknown>>;
export type ErrorOf<M> = M extends { readonly errors: infer E } ? keyof E & string : string;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Logger = Readonly<Record<LogLevel, (message: string, fields?: Readonly<Record<string, unknown>>) => void>>;

/** The complete interface for registering a plugin: five properties and six methods. */
export interface Registry<M = PluginManifest> {
  readonly plugin: {
    readonly name: string;
    /** Absolute path of the plugin's data folder, which the first write creates. Throws `KRN_ERR_DATA_DIR_MISSING` if the host configured none. */
    readonly dataDir: string;
  };
  /** Resolved and clamped values. A `live` value changes in place, so read it on every use. */
  readonly config: ConfigOf<M>;
  readonly log: Logger;
  /** Aborted when the plugin unloads, before any registration is undone. */
  readonly signal: AbortSignal;
  /** The services that the manifest declares. Reading any other service throws `KRN_ERR_SERVICE_UNDECLARED`. */
  readonly services: Cradle<M>;
  /** Provides a service. `dispose` receives the value when the plugin unloads, if it was created. */
  provide<K extends ProvidedOf<M>>(
    key: K,
    factory: (cradle: Cradle<M>) => Services[K],
    options?: { readonly dispose?: (value: Services[K]) => void | Promise<void> },
  ): Disposable;
  /** Contributes an item to a point; the item is buffered until the point has an owner. */
  add<P extends keyof ContributionPoints & string>(point: P, item: ContributionPoints[P]): Disposable;
  /** Declares this plugin as the owner of a point. */
  point<P extends keyof ContributionPoints & string>(point: P, handler: PointHandler<ContributionPoints[P]>): Disposable;
  /** Creates (but does not throw) the error that the manifest lists under `reason`; `details` fill in the message and are attached. */
  error(reason: ErrorOf<M>, details?: Readonly<Record<string, unknown>>, cause?: unknown): KernelError;
  /** Runs `undo` when the plugin unloads, for timers, sockets and child processes. */
  defer(undo: () => void | Promise<void>, label?: string): Disposable;
  /** Creates a scope for registrations that change at run time; it ends with the plugin or earlier. */
  child(label: string): ChildScope;
}

/** A scope whose registrations are undone together. Its methods throw `KRN_ERR_SCOPE_CLOSED` after `dispose()`. */
export interface ChildScope extends Pick<Registry, 'add' | 'defer' | 'child' | 'signal'> {
  /** Undoes all registrations in reverse order; rejects with the first error after all undos have run. Calling it twice is harmless. */
  dispose(): Promise<void>;
}

/** Emits events, which report what happened, and calls hooks, which can change or stop an action. */
export interface Emitter {
  /** Adds a listener. Contract: it must not block. An error that it throws is logged and does not affect other listeners. */
  on<E extends keyof Events & string>(event: E, listener: (payload: Events[E]) => void): Disposable;
  /** Calls all listeners synchronously. Only the plugin whose manifest lists the event may emit it. */
  emit<E extends keyof Events & string>(event: E, payload: Events[E]): void;
  /** Adds a tap to a hook. `pre` taps run first and `post` taps last; within each group, taps run in plugin order. */
  tap<H extends keyof Hooks & string>(hook: H, fn: HookFn<Hooks[H]>, options?: { readonly order?: 'pre' | 'post' }): Disposable;
  /** Runs the taps of a hook; `options` limit long calls. */
  call<H extends keyof Hooks & string>(hook: H, args: HookArgs<Hooks[H]>, options?: CallOptions): Promise<HookResult<Hooks[H]>>;
  /** Declares a hook. Only its owner may call this. */
  hook<H extends keyof Hooks & string>(name: H, kind: HookKind<Hooks[H]>, options?: HookOptions<Hooks[H]>): Disposable;
}

/** Handles the contributions to a point on behalf of its owner. */
export interface PointHandler<T> {
  /** Returns a sentence that states why the item is invalid; `undefined` if it is valid. The contributor receives it as an error. */
  validate?(item: T, owner: string): string | undefined;
  added(item: T, owner: string): void;
  removed(item: T, owner: string): void;
}

export interface PluginModule<M = PluginManifest> {
  readonly manifest?: M;
  register(registry: Registry<M>, emitter: Emitter): void | Disposable | Promise<void | Disposable>;
}
