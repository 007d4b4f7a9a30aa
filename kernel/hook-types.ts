// The four kinds of hooks, as types.

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
export type HookFn<H> = H extends HookShape ? (...args: H['args']) => HookResult<H> | undefined | void | Promise<HookResult<H> | undefined | void> : never;

/** What a fault policy gets to see. */
export interface HookFault {
  readonly hook: string;
  readonly plugin: string;
  readonly cause: unknown;
}

/** `skip`: go on as if the tap were not there. `throw`: the call rejects. A function: its answer stands for the tap's. */
export type FaultPolicy<H> = 'skip' | 'throw' | ((fault: HookFault) => HookResult<H>);
