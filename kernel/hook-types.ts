// Defines the types of the three kinds of hooks.

declare const kind: unique symbol;

/** Arguments and result of a hook's taps. */
export interface HookShape<K extends HookKindName = HookKindName, A extends readonly unknown[] = readonly unknown[], R = unknown> {
  readonly [kind]: K;
  readonly args: A;
  readonly result: R;
}
/** A hook that runs its taps sequentially, without a result. */
export type Series<A extends readonly unknown[]> = HookShape<'series', A, void>;
/** A hook that runs its taps sequentially until one returns a value other than `undefined`. */
export type Bail<A extends readonly unknown[], R> = HookShape<'bail', A, R | undefined>;
/** A hook that passes each tap the result of the previous one. A tap that returns `undefined` leaves the value unchanged. */
export type Waterfall<V, A extends readonly unknown[] = []> = HookShape<'waterfall', readonly [value: V, ...rest: A], V>;

export type HookKindName = 'series' | 'bail' | 'waterfall';
export type HookKind<H> = H extends HookShape ? H[typeof kind] : never;
export type HookArgs<H> = H extends HookShape ? H['args'] : never;
export type HookResult<H> = H extends HookShape ? H['result'] : never;
/** Passed to a tap after the arguments of the hook. */
export interface TapContext {
  /**
   * Aborted when the result is no longer needed: the call was aborted, the tap's plugin is ending, or the hook's time limit has passed. A tap that continues
   * afterwards is abandoned and reported by name.
   */
  readonly signal: AbortSignal;
}
/** A tap. Contract: it may throw or reject; the fault policy of the hook then determines the result. */
export type HookFn<H> = H extends HookShape
  ? (...args: [...H['args'], context: TapContext]) => HookResult<H> | undefined | void | Promise<HookResult<H> | undefined | void>
  : never;

/** Input of a fault policy. */
export interface HookFault {
  readonly hook: string;
  readonly plugin: string;
  readonly cause: unknown;
}

/** `skip`: continue without the tap. `throw`: the call rejects. A function: its result replaces that of the tap. */
export type FaultPolicy<H> = 'skip' | 'throw' | ((fault: HookFault) => HookResult<H>);

export interface HookOptions<H> {
  /** Default: `skip`. */
  readonly onError?: FaultPolicy<H>;
  /** Time limit of a tap in milliseconds, after which it fails with `KRN_ERR_HOOK_TIMEOUT` and is abandoned; default: no limit. */
  readonly limitMs?: number;
}

export interface CallOptions {
  /** Aborts the call: it may continue for `graceMs`, then rejects with the signal's reason; no further tap starts. */
  readonly signal?: AbortSignal;
  /** Time in milliseconds for which taps may continue after an abort; default: 5,000. */
  readonly graceMs?: number;
  /** Called in order with the result of each tap and the name of its plugin. Contract: must not throw. */
  readonly onAnswer?: (plugin: string, answer: unknown) => void;
  /** Called for each error that the hook's policy skips, in addition to logging it. Contract: must not throw. */
  readonly onFault?: (fault: HookFault) => void;
}

export interface RunningTap {
  readonly hook: string;
  /** Milliseconds since its start. */
  readonly ms: number;
  /** Whether the caller no longer waits for the tap. */
  readonly isLeft: boolean;
}
