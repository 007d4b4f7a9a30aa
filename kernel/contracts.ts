// The contract of a plugin: manifest, registry, emitter, and the five open maps that plugins augment.
import type { Static, TSchema } from 'typebox';
import type { CallOptions, HookArgs, HookFn, HookKind, HookOptions, HookResult, Series } from './hook-types.ts';

// Open maps: a plugin augments these with `declare module 'agent-harness/kernel' { interface Services { … } }` and nothing else.
/** Service key → service type. */
export interface Services {}

/** Event name (snake_case, the same string as on the wire) → payload. */
export interface Events {
  /** A fault that people should see. The one event that every plugin may emit; the kernel fills in `plugin`. */
  error: ErrorEvent;
  /** The first load is settled; contributions are complete. */
  kernel_ready: { readonly ms: number };
  /** A plugin became active, locked, failed, …  */
  plugin_changed: { readonly name: string; readonly state: PluginState; readonly reason?: string };
  /** Preferences were replaced and every plugin has its new values. */
  settings_changed: { readonly keys: readonly string[] };
}

/** Hook name (`domain.when`) → one of {@link Series}, {@link Bail}, {@link Waterfall}. */
export interface Hooks {
  /** The app begins to work: turns may run. A throw keeps it from starting. */
  'app.start': Series<[]>;
  /** The app stops working; running work ends now. */
  'app.stop': Series<[]>;
}

/** Contribution point (singular noun) → item type. */
export interface ContributionPoints {}

/** Entitlement key (`feature.ability`) → true. */
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
 * - `unmet`: a service it requires is not there.
 * - `failed`: import, manifest, configuration or `register` went wrong.
 */
export type PluginState = 'active' | 'locked' | 'unmet' | 'failed' | 'disabled';

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

/** One error a plugin can throw. `{name}` in the message is filled from the details. */
export interface ErrorSpec {
  /** A sentence: what is wrong, and what to do. */
  readonly message: string;
  /** HTTP status where the error reaches a client; 500 when left out. */
  readonly status?: number;
}

export interface PluginManifest {
  /** kebab-case; equals the file or folder name. */
  readonly name: string;
  /** Major version of this contract. */
  readonly api?: 1;
  readonly entitlement?: keyof Entitlements & string;
  /** It cannot be switched off while it is entitled. Counts only for plugins of the product. */
  readonly fixed?: true;
  /** Present and ready before `register` is called. */
  readonly requires?: readonly ServiceKey[];
  /** Used where present, and then ordered before us. */
  readonly optional?: readonly ServiceKey[];
  readonly provides?: readonly ServiceKey[];
  /** The events only this plugin may emit. */
  readonly events?: readonly (keyof Events & string)[];
  /** TypeBox or plain JSON Schema object; see {@link ConfigKeywords} for the extra keywords. */
  readonly config?: TSchema;
  /** Reason (UPPER_SNAKE) → message and status. The kernel prefixes it: `<PLUGIN>_ERR_<REASON>`. */
  readonly errors?: Readonly<Record<string, ErrorSpec>>;
  /** Where a plugin that did not come with the product wants to run; in the process when left out. The host enforces it. */
  readonly isolation?: PluginIsolation;
  /** Resources it needs there beyond its own folder, which the host reads and enforces. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

/**
 * - `process`: in the server's own process, with everything that this process may do.
 * - `worker`: in a thread of its own, which can be ended whatever it does.
 * - `child`: in a process of its own, which can read and write its own folders only.
 */
export type PluginIsolation = 'process' | 'worker' | 'child';

/** Keywords of ours that a property in `manifest.config` may carry. Open: those who read further ones declare them. */
export interface ConfigKeywords {
  /** The variable's name; a property without it cannot be set from outside. */
  readonly env?: string;
  /** `live` (read at each use), `reload` (the plugin registers again; the default), `restart` (next start). */
  readonly apply?: 'live' | 'reload' | 'restart';
}

export type PropertySchema = ConfigKeywords & { readonly default?: unknown };

type Listed<M, K extends keyof PluginManifest> = M extends { readonly [P in K]: readonly (infer S)[] } ? S & ServiceKey : never;
type IsDefault<M> = PluginManifest extends M ? true : false;

/** The services a plugin may read: `requires` for sure, `optional` perhaps. */
export type Cradle<M> =
  IsDefault<M> extends true
    ? Readonly<Partial<Services>>
    : { readonly [K in Listed<M, 'requires'>]: Services[K] } & { readonly [K in Listed<M, 'optional'>]: Services[K] | undefined };
export type ProvidedOf<M> = IsDefault<M> extends true ? ServiceKey : Listed<M, 'provides'>;
export type ConfigOf<M> = M extends { readonly config: infer C extends TSchema } ? Static<C> : Readonly<Record<string, unknown>>;
export type ErrorOf<M> = M extends { readonly errors: infer E } ? keyof E & string : string;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Logger = Readonly<Record<LogLevel, (message: string, fields?: Readonly<Record<string, unknown>>) => void>>;

/** The complete interface by which a plugin registers: five properties, six methods. */
export interface Registry<M = PluginManifest> {
  readonly plugin: {
    readonly name: string;
    /** Absolute; the first writer creates it. Throws `KRN_ERR_DATA_DIR_MISSING` where the host named none. */
    readonly dataDir: string;
  };
  /** Resolved and clamped. A `live` value changes in place, so read it where you use it. */
  readonly config: ConfigOf<M>;
  readonly log: Logger;
  /** Aborted first when the plugin unloads. */
  readonly signal: AbortSignal;
  /** Reading a key that is neither required nor optional throws `KRN_ERR_SERVICE_UNDECLARED`. */
  readonly services: Cradle<M>;
  /** Makes a service. `dispose` gets the value when the plugin unloads, if it was ever made. */
  provide<K extends ProvidedOf<M>>(
    key: K,
    factory: (cradle: Cradle<M>) => Services[K],
    options?: { readonly dispose?: (value: Services[K]) => void | Promise<void> },
  ): Disposable;
  /** Contributes an item to a point; kept until the point's owner is there. */
  add<P extends keyof ContributionPoints & string>(point: P, item: ContributionPoints[P]): Disposable;
  /** Owns a point. */
  point<P extends keyof ContributionPoints & string>(point: P, handler: PointHandler<ContributionPoints[P]>): Disposable;
  /** Makes (does not throw) the error that the manifest lists under `reason`; `details` fill the message and travel along. */
  error(reason: ErrorOf<M>, details?: Readonly<Record<string, unknown>>, cause?: unknown): KernelError;
  /** Runs `undo` when the plugin unloads: for timers, sockets, child processes. */
  defer(undo: () => void | Promise<void>, label?: string): Disposable;
  /** A scope within the plugin's, for registrations that come and go while it runs; it ends with the plugin or before. */
  child(label: string): ChildScope;
}

/** What is registered here is undone together. Throws `KRN_ERR_SCOPE_CLOSED` once it is disposed. */
export interface ChildScope extends Pick<Registry, 'add' | 'defer' | 'child' | 'signal'> {
  /** Undoes all of it, last first; rejects with the first fault once everything was tried. Calling it twice is harmless. */
  dispose(): Promise<void>;
}

/** Events that happened, and hooks that may change or stop something. */
export interface Emitter {
  /** Contract: a listener must not block; its throw is logged and isolated. */
  on<E extends keyof Events & string>(event: E, listener: (payload: Events[E]) => void): Disposable;
  /** Synchronous fan-out. Only the plugin whose manifest lists the event may emit it. */
  emit<E extends keyof Events & string>(event: E, payload: Events[E]): void;
  /** `pre` taps run before, `post` taps after all others; inside a bucket in plugin order. */
  tap<H extends keyof Hooks & string>(hook: H, fn: HookFn<Hooks[H]>, options?: { readonly order?: 'pre' | 'post' }): Disposable;
  /** Runs the taps of a hook; `options` limit calls that may take long. */
  call<H extends keyof Hooks & string>(hook: H, args: HookArgs<Hooks[H]>, options?: CallOptions): Promise<HookResult<Hooks[H]>>;
  /** Declares a hook; its owner only. */
  hook<H extends keyof Hooks & string>(name: H, kind: HookKind<Hooks[H]>, options?: HookOptions<Hooks[H]>): Disposable;
}

/** How the owner of a point takes contributions. */
export interface PointHandler<T> {
  /** Answers a sentence when the item cannot be taken; it becomes the contributor's error. */
  validate?(item: T, owner: string): string | undefined;
  added(item: T, owner: string): void;
  removed(item: T, owner: string): void;
}

export interface PluginModule<M = PluginManifest> {
  readonly manifest?: M;
  register(registry: Registry<M>, emitter: Emitter): void | Disposable | Promise<void | Disposable>;
}
