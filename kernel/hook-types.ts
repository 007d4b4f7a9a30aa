// The three kinds of hooks, as types.

declare const kind: unique symbol;

/** What a hook's taps get and answer. */
export interface HookShape<K extends HookKindName = HookKindName, A extends readonly unknown[] = readonly unknown[], R = unknown> {
  readonly [kind]: K;
  readonly args: A;
  readonly result: R;
}
/** Taps run one after another; no answer. */
export type Series<A extends readonly unknown[]> = HookShape<'series', A, void>;
/** Taps run one after another until one answers something other than `undefined`. */
export type Bail<A extends readonly unknown[], R> = HookShape<'bail', A, R | undefined>;
/** Each tap gets the value of the one before it; `undefined` keeps it. */
export type Waterfall<V, A extends readonly unknown[] = []> = HookShape<'waterfall', readonly [value: V, ...rest: A], V>;

export type HookKindName = 'series' | 'bail' | 'waterfall';
export type HookKind<H> = H extends HookShape ? H[typeof kind] : never;
export type HookArgs<H> = H extends HookShape ? H['args'] : never;
export type HookResult<H> = H extends HookShape ? H['result'] : never;
/** What a tap gets after the hook's own arguments. */
export interface TapContext {
  /**
   * Aborted once the answer is not wanted any more: the call's own signal was, the tap's plugin ends, or the hook's limit has
   * passed. A tap that goes on is left behind and reported by name.
   */
  readonly signal: AbortSignal;
}
/** A tap. Contract: may throw or reject; the hook's declared fault policy decides what that means. */
export type HookFn<H> = H extends HookShape
  ? (...args: [...H['args'], context: TapContext]) => HookResult<H> | undefined | void | Promise<HookResult<H> | undefined | void>
  : never;

/** What a fault policy gets to see. */
export interface HookFault {
  readonly hook: string;
  readonly plugin: string;
  readonly cause: unknown;
}

/** `skip`: go on as if the tap were not there. `throw`: the call rejects. A function: its answer stands for the tap's. */
export type FaultPolicy<H> = 'skip' | 'throw' | ((fault: HookFault) => HookResult<H>);

export interface HookOptions<H> {
  /** `skip` when left out. */
  readonly onError?: FaultPolicy<H>;
  /** A tap that takes longer, in milliseconds, is at fault (`KRN_ERR_HOOK_TIMEOUT`) and left behind; without it none is. */
  readonly limitMs?: number;
}

export interface CallOptions {
  /** Once it is aborted the call has `graceMs` left; then it rejects with the signal's reason, and no further tap begins. */
  readonly signal?: AbortSignal;
  /** How long a tap may still take after the abort, in milliseconds; 5,000 when left out. */
  readonly graceMs?: number;
  /** Told of each answer of a tap, in their order, and whose it is. Contract: must not throw. */
  readonly onAnswer?: (plugin: string, answer: unknown) => void;
  /** Told of each fault that the hook's policy passes over, which is logged as well. Contract: must not throw. */
  readonly onFault?: (fault: HookFault) => void;
}

/** A tap that has begun and not ended. */
export interface RunningTap {
  readonly hook: string;
  /** Since it began, in milliseconds. */
  readonly ms: number;
  /** Nobody waits for it any more. */
  readonly isLeft: boolean;
}
