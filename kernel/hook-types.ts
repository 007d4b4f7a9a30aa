// The four kinds of hooks, as types.

declare const kind: unique symbol;

/** What a hook's taps get and answer. */
export interface HookShape<K extends HookKindName = HookKindName, A extends readonly unknown[] = readonly unknown[], R = unknown> {
  readonly [kind]: K;
  readonly args: A;
  readonly result: R;
}
/** Taps run one after another; no answer. */
export type Series<A extends readonly unknown[]> = HookShape<'series', A, void>;
/** Taps run side by side; no answer. */
export type Parallel<A extends readonly unknown[]> = HookShape<'parallel', A, void>;
/** Taps run one after another until one answers something other than `undefined`. */
export type Bail<A extends readonly unknown[], R> = HookShape<'bail', A, R | undefined>;
/** Each tap gets the value of the one before it; `undefined` keeps it. */
export type Waterfall<V, A extends readonly unknown[] = []> = HookShape<'waterfall', readonly [value: V, ...rest: A], V>;

export type HookKindName = 'series' | 'parallel' | 'bail' | 'waterfall';
export type HookKind<H> = H extends HookShape ? H[typeof kind] : never;
export type HookArgs<H> = H extends HookShape ? H['args'] : never;
export type HookResult<H> = H extends HookShape ? H['result'] : never;
/** A tap. Contract: may throw or reject; the hook's declared fault policy decides what that means. */
export type HookFn<H> = H extends HookShape ? (...args: H['args']) => HookResult<H> | undefined | void | Promise<HookResult<H> | undefined | void> : never;

/** What a fault policy gets to see. */
export interface HookFault {
  readonly hook: string;
  readonly plugin: string;
  readonly cause: unknown;
}

/** `skip`: go on as if the tap were not there. `throw`: the call rejects. A function: its answer stands for the tap's. */
export type FaultPolicy<H> = 'skip' | 'throw' | ((fault: HookFault) => HookResult<H>);
