// Every public type of the kernel, and the five open maps that plugins augment.
import type { Static, TSchema } from 'typebox';

// ---- open maps -------------------------------------------------------------------------------------------------
// A plugin augments these with `declare module 'agent-harness/kernel' { interface Services { … } }` and nothing else.
// A map says what *can* exist; only `manifest.requires` says what *does*.

/** Service key → service type. */
export interface Services {
  /** The kernel's own controls: report, settings, scopes. Always there. */
  kernel: KernelControl;
}

/** Event name (snake_case, the same string as on the wire) → payload. */
export interface Events {
  /** A fault somebody should see. The one event that every plugin may emit; the kernel fills in `plugin`. */
  error: ErrorEvent;
  /** The first load is settled; contributions are complete. */
  kernel_ready: { readonly ms: number };
  /** A plugin became active, locked, failed, …  */
  plugin_changed: { readonly name: string; readonly state: PluginState; readonly reason?: string };
  /** Preferences were replaced and every plugin has its new values. */
  settings_changed: { readonly keys: readonly string[] };
}

/** Hook name (`domain.when`) → one of {@link Series}, {@link Parallel}, {@link Bail}, {@link Waterfall}. */
export interface Hooks {}

/** Contribution point (singular noun) → item type. */
export interface ContributionPoints {}

/** Entitlement key (`feature.ability`) → true. */
export interface Entitlements {}

export type ServiceKey = keyof Services & string;

// ---- hook kinds ------------------------------------------------------------------------------------------------

declare const kind: unique symbol;

/** Taps run one after another; no answer. */
export interface Series<A extends readonly unknown[]> {
  readonly [kind]: 'series';
  readonly args: A;
  readonly result: void;
}
/** Taps run side by side; no answer. */
export interface Parallel<A extends readonly unknown[]> {
  readonly [kind]: 'parallel';
  readonly args: A;
  readonly result: void;
}
/** Taps run one after another until one answers something other than `undefined`. */
export interface Bail<A extends readonly unknown[], R> {
  readonly [kind]: 'bail';
  readonly args: A;
  readonly result: R | undefined;
}
/** Each tap gets the value of the one before it; `undefined` keeps it. */
export interface Waterfall<V, A extends readonly unknown[] = []> {
  readonly [kind]: 'waterfall';
  readonly args: readonly [value: V, ...rest: A];
  readonly result: V;
}

export type HookShape = { readonly [kind]: HookKindName; readonly args: readonly unknown[]; readonly result: unknown };
export type HookKindName = 'series' | 'parallel' | 'bail' | 'waterfall';
export type HookKind<H> = H extends HookShape ? H[typeof kind] : never;
export type HookArgs<H> = H extends HookShape ? H['args'] : never;
export type HookResult<H> = H extends HookShape ? H['result'] : never;
/** A tap. Contract: may throw or reject; the hook's declared fault policy decides what that means. */
export type HookFn<H> = H extends HookShape
  ? (...args: H['args']) => HookResult<H> | undefined | void | Promise<HookResult<H> | undefined | void>
  : never;

/** What a fault policy gets to see. */
export interface HookFault {
  readonly hook: string;
  readonly plugin: string;
  readonly cause: unknown;
}

/** `skip`: go on as if the tap were not there. `throw`: the call rejects. A function: its answer stands for the tap's. */
export type FaultPolicy<H> = 'skip' | 'throw' | ((fault: HookFault) => HookResult<H>);

// ---- plugin ----------------------------------------------------------------------------------------------------

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

/** One error a plugin can throw. `{name}` in the message is filled from the details. */
export interface ErrorSpec {
  /** A sentence that says what is wrong and what to do. */
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
}

/** JSON Schema keywords of ours that a property in `manifest.config` may carry. */
export interface ConfigKeywords {
  /** The variable's name; a property without it cannot be set from outside. */
  readonly env?: string;
  readonly tab?: string;
  readonly title?: string;
  readonly description?: string;
  /** Never shown, never in preferences. */
  readonly secret?: boolean;
  /** `live` (read at each use), `reload` (the plugin registers again; the default), `restart` (next start). */
  readonly apply?: 'live' | 'reload' | 'restart';
}

type Listed<M, K extends keyof PluginManifest> = M extends { readonly [P in K]: readonly (infer S)[] } ? S & ServiceKey : never;
type IsDefault<M> = PluginManifest extends M ? true : false;

/** The services a plugin may read: `requires` for sure, `optional` perhaps. */
export type Cradle<M> = IsDefault<M> extends true
  ? Readonly<Partial<Services>>
  : { readonly [K in Listed<M, 'requires'>]: Services[K] } & { readonly [K in Listed<M, 'optional'>]: Services[K] | undefined };
export type ProvidedOf<M> = IsDefault<M> extends true ? ServiceKey : Listed<M, 'provides'>;
export type ConfigOf<M> = M extends { readonly config: infer C extends TSchema } ? Static<C> : Readonly<Record<string, unknown>>;
export type ErrorOf<M> = M extends { readonly errors: infer E } ? keyof E & string : string;

export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** What one plugin gets to register with: five properties, five methods, and that is all. */
export interface Registry<M = PluginManifest> {
  readonly plugin: { readonly name: string; /** Absolute; made by whoever first writes to it. */ readonly dataDir: string };
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
    options?: { readonly lifetime?: 'singleton' | 'scoped'; readonly dispose?: (value: Services[K]) => void | Promise<void> },
  ): Disposable;
  /** Contributes an item to a point; kept until the point's owner is there. */
  add<P extends keyof ContributionPoints & string>(point: P, item: ContributionPoints[P]): Disposable;
  /** Owns a point. */
  point<P extends keyof ContributionPoints & string>(point: P, handler: PointHandler<ContributionPoints[P]>): Disposable;
  /** Makes (does not throw) the error that the manifest lists under `reason`; `details` fill the message and travel along. */
  error(reason: ErrorOf<M>, details?: Readonly<Record<string, unknown>>, cause?: unknown): KernelError;
  /** Runs `undo` when the plugin unloads: for timers, sockets, child processes. */
  defer(undo: () => void | Promise<void>, label?: string): Disposable;
}

/** How one plugin talks: events that happened, hooks that may change or stop something. */
export interface Emitter {
  /** Contract: a listener must not block; its throw is logged and isolated. */
  on<E extends keyof Events & string>(event: E, listener: (payload: Events[E]) => void): Disposable;
  /** Synchronous fan-out. Only the plugin whose manifest lists the event may emit it. */
  emit<E extends keyof Events & string>(event: E, payload: Events[E]): void;
  /** `pre` taps run before, `post` taps after all others; inside a bucket in plugin order. */
  tap<H extends keyof Hooks & string>(hook: H, fn: HookFn<Hooks[H]>, options?: { readonly order?: 'pre' | 'post' }): Disposable;
  call<H extends keyof Hooks & string>(hook: H, ...args: HookArgs<Hooks[H]>): Promise<HookResult<Hooks[H]>>;
  /** Declares a hook; its owner only. */
  hook<H extends keyof Hooks & string>(
    name: H,
    kind: HookKind<Hooks[H]>,
    options?: { readonly onError?: FaultPolicy<Hooks[H]> },
  ): Disposable;
}

/** How the owner of a point takes what others contribute. */
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

// ---- errors and reports ----------------------------------------------------------------------------------------

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
  readonly chatId?: string;
}

export interface PluginReport {
  readonly name: string;
  readonly origin: PluginOrigin;
  readonly state: PluginState;
  readonly reason?: string;
  readonly code?: string;
  readonly entitlement?: string;
  /** Milliseconds spent in import and `register`. */
  readonly bootMs: number;
  /** What it registered, as labels: `tool:read_file`, `tap:prompt.build`, … */
  readonly adds: readonly string[];
}

export interface LoadReport {
  readonly plugins: readonly PluginReport[];
  readonly warnings: readonly string[];
  readonly ms: number;
}

/** One variable, as the settings page needs it. */
export interface ConfigField {
  readonly key: string;
  readonly plugin: string;
  /** The JSON Schema of the property, our keywords included. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Left out for a secret. */
  readonly value?: unknown;
  readonly isSet: boolean;
  readonly source: 'environment' | 'preferences' | 'default';
  /** Set in the real process environment, so preferences cannot change it. */
  readonly locked: boolean;
  readonly warning?: string;
}

/** Instances of `scoped` services that live and die together. Whoever opens it closes it. */
export interface ServiceScope {
  resolve<K extends ServiceKey>(key: K): Services[K];
  close(): Promise<void>;
}

/** The kernel as a service. */
export interface KernelControl {
  report(): LoadReport;
  fields(): readonly ConfigField[];
  /** The sentence that says why `text` cannot be the value of `key`; `undefined` when it can, or when nobody declares `key`. */
  checkValue(key: string, text: string): string | undefined;
  /** Replaces all preferences (variable → text), then applies them: in place, by reload, or at the next start. */
  setPreferences(preferences: Readonly<Record<string, string>>): Promise<void>;
  /** Replaces the set of switched-off plugins and reloads what that touches. */
  setDisabled(names: readonly string[]): Promise<void>;
  /** Opens a scope for `scoped` services. */
  openScope(label: string): ServiceScope;
}

// ---- loading ---------------------------------------------------------------------------------------------------

/** Says which entitlements are held. The kernel reads it from the service `entitlements`, where one is provided. */
export interface EntitlementSource {
  has(key: string): boolean;
  onChange(listener: () => void): Disposable;
}

/** A directory (one level of `.mjs` and `.js`) or modules by name (tests, embedding). */
export type PluginSource = { readonly origin: PluginOrigin } & (
  | { readonly dir: string; /** Only these names; others are not even imported. */ readonly include?: readonly string[] }
  | { readonly modules: Readonly<Record<string, PluginModule<never>>> }
);

export interface LoadOptions {
  readonly sources: readonly PluginSource[];
  readonly disabled?: readonly string[];
  /** Limit for one import and for one `register`, in milliseconds; 5,000 when left out. */
  readonly timeoutMs?: number;
}

export interface KernelOptions {
  /** The real process environment: beats everything and locks. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Saved preferences, variable → text. */
  readonly preferences?: Readonly<Record<string, string>>;
  /** The home folder's `.env`: secrets, and defaults below the preferences. */
  readonly dotenv?: Readonly<Record<string, string>>;
  /** Parent of each plugin's `dataDir`; absolute. */
  readonly dataDir?: string;
  /** Ready-made services of whoever starts the kernel. */
  readonly services?: Partial<Services>;
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
  /** A service, for whoever started the kernel. Throws `KRN_ERR_SERVICE_MISSING`. */
  resolve<K extends ServiceKey>(key: K): Services[K];
  /** Everything registered now, as sorted labels; an empty kernel answers `[]`. */
  trace(): readonly string[];
  /** Unloads every plugin, last first. Never rejects; answers the faults. */
  close(): Promise<readonly unknown[]>;
}
