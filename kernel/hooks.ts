// Wraps tapable, in this file alone: three kinds of hooks, their order, removal, limits and fault policy.
import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook } from 'tapable';
import type { CallOptions, Disposable, HookFault, HookKindName } from './types.ts';
import { kernelError, messageOf, withCode } from './errors.ts';
import type { Intercept } from './interceptors.ts';
import { createOnAbort, createRuns, runTap, untilAborted, type Run } from './tap-run.ts';

type Bucket = 'pre' | 'normal' | 'post';
type AnyTap = (...args: any[]) => unknown;
type AnyPolicy = 'skip' | 'throw' | ((fault: HookFault) => unknown);
interface Combined {
  tapAsync(name: string, fn: (value: unknown, call: Call, done: Done) => void): void;
  promise(value: unknown, call: Call): Promise<unknown>;
}
interface DeclareOptions {
  readonly onError?: AnyPolicy;
  readonly limitMs?: number;
}
type Done = (fault?: unknown, answer?: unknown) => void;
interface Tap {
  readonly plugin: string;
  readonly signal: AbortSignal;
  readonly bucket: Bucket;
  readonly sequence: number;
  readonly fn: AnyTap;
}
interface Slot {
  owner?: string;
  kind?: HookKindName;
  onError: AnyPolicy;
  limitMs?: number | undefined;
  taps: readonly Tap[];
  /** Built from `taps` at the first call after a change; a call already running keeps the old one. */
  combined?: Combined | undefined;
}

/** A call in progress. */
interface Call extends CallOptions {
  readonly args: readonly unknown[];
  readonly graceMs: number;
  /** The tap that the call waits for. */
  run?: Run;
  /** The call was abandoned; no further tap starts. */
  isOver: boolean;
}

/** Default grace of a call, in milliseconds. */
const defaultGraceMs = 5_000;
const bucketOrder: Record<Bucket, number> = { pre: 0, normal: 1, post: 2 };
const tapables = { series: AsyncSeriesHook, bail: AsyncSeriesBailHook, waterfall: AsyncSeriesWaterfallHook };

export type HookBus = ReturnType<typeof createHookBus>;

export interface HookBusParts {
  /** Position of a plugin in the plan; taps of one bucket run in that order. */
  rankOf(plugin: string): number;
  readonly intercept: Intercept;
  /** Gets every fault of a skipped tap. */
  onFault(fault: HookFault): void;
  /** A call was abandoned while this plugin's tap was running. */
  onLeft(plugin: string, hook: string): void;
}

export function createHookBus({ rankOf, intercept, onFault, onLeft }: HookBusParts) {
  const slots = new Map<string, Slot>();
  const runs = createRuns();
  const onAbort = createOnAbort();
  let sequence = 0;

  function slotOf(name: string): Slot {
    let slot = slots.get(name);
    if (!slot) slots.set(name, (slot = { onError: 'skip', taps: [] }));
    return slot;
  }

  function forgetIfEmpty(name: string, slot: Slot): void {
    if (slot.owner === undefined && slot.taps.length === 0) slots.delete(name);
  }

  return {
    declare(plugin: string, name: string, kind: HookKindName, { onError = 'skip', limitMs }: DeclareOptions = {}): Disposable {
      const slot = slotOf(name);
      if (slot.owner !== undefined) throw kernelError('HOOK_DUPLICATE', { hook: name, first: slot.owner, second: plugin });
      Object.assign(slot, { owner: plugin, kind, onError, limitMs, combined: undefined });
      return {
        dispose() {
          delete slot.owner;
          delete slot.kind;
          slot.combined = undefined;
          forgetIfEmpty(name, slot);
        },
      };
    },

    /** @param signal aborted when the plugin ends */
    tap(plugin: string, name: string, fn: AnyTap, signal: AbortSignal, order?: 'pre' | 'post'): Disposable {
      const slot = slotOf(name);
      const added: Tap = { plugin, bucket: order ?? 'normal', sequence: sequence++, fn: intercept(plugin, 'hook', fn), signal };
      slot.taps = [...slot.taps, added];
      slot.combined = undefined;
      return {
        dispose() {
          slot.taps = slot.taps.filter((tap) => tap !== added);
          slot.combined = undefined;
          forgetIfEmpty(name, slot);
        },
      };
    },

    call(plugin: string, name: string, args: readonly unknown[], { signal, graceMs = defaultGraceMs, ...told }: CallOptions = {}): Promise<unknown> {
      const slot = slots.get(name);
      if (!slot?.kind) return Promise.reject(kernelError('HOOK_UNKNOWN', { hook: name, plugin }));
      if (slot.taps.length === 0) return Promise.resolve(slot.kind === 'waterfall' ? args[0] : undefined);
      const call: Call = { args, graceMs, isOver: false, ...(signal ? { signal } : {}), ...told };
      const work = (slot.combined ??= combine(name, slot.kind, slot)).promise(args[0], call);
      if (!signal) return work;
      return untilAborted(work, signal, graceMs, onAbort, () => {
        call.isOver = true;
        if (call.run) leave(call.run);
      });
    },

    /** Runs the taps of these plugins only, on a hook without arguments; reports a fault and continues with the next one. */
    callOf(plugins: readonly { readonly name: string }[], name: string): Promise<unknown> {
      const slot = slots.get(name);
      const taps = slot?.taps.filter(({ plugin }) => plugins.some((one) => one.name === plugin)) ?? [];
      if (!slot?.kind || taps.length === 0) return Promise.resolve();
      return combine(name, slot.kind, { ...slot, taps, onError: 'skip' }).promise(undefined, { args: [], graceMs: defaultGraceMs, isOver: false });
    },

    /** Taps that have started and not ended. */
    running: () => runs.list(),

    /** Ranks changed; the next call of each hook sorts its taps again. */
    forgetOrder(): void {
      for (const slot of slots.values()) slot.combined = undefined;
    },

    /** Taps on hooks that no plugin declares. */
    undeclared: () => [...slots].flatMap(([name, slot]) => (slot.owner === undefined ? slot.taps.map(({ plugin }) => ({ plugin, name })) : [])),
    names: () => [...slots].flatMap(([name, { owner }]) => (owner === undefined ? [] : [name])),

    trace(): string[] {
      return [...slots].flatMap(([name, slot]) => [
        ...(slot.owner === undefined ? [] : [`hook:${name}@${slot.owner}`]),
        ...inOrder(slot.taps).map((tap, index) => `tap:${name}#${index}@${tap.plugin}`),
      ]);
    },
  };

  function inOrder(taps: readonly Tap[]): Tap[] {
    return [...taps].sort(
      (left, right) => bucketOrder[left.bucket] - bucketOrder[right.bucket] || rankOf(left.plugin) - rankOf(right.plugin) || left.sequence - right.sequence,
    );
  }

  function leave(run: Run): void {
    run.isLeft = true;
    onLeft(run.plugin, run.hook);
  }

  function combine(name: string, kind: HookKindName, { taps, onError, limitMs }: Slot): Combined {
    // tapable generates code from these names; `call` carries all arguments but the first, which a waterfall changes.
    const hook = new (tapables[kind] as new (...args: unknown[]) => unknown)(['value', 'call'], name) as Combined;
    for (const { plugin, fn, signal } of inOrder(taps)) {
      const late = (): unknown => kernelError('HOOK_TIMEOUT', { plugin, hook: name, ms: limitMs });
      const gone = (): unknown => kernelError('HOOK_LEFT', { plugin, hook: name });

      hook.tapAsync(plugin, (value, call, done) => {
        if (call.isOver) return done(call.signal?.reason ?? true);
        const run: Run = { hook: name, plugin, startedAt: performance.now(), isLeft: false };
        call.run = run;
        const given = call.args.length === 0 ? [] : [value, ...call.args.slice(1)];
        const ends = { call: call.signal, plugin: signal, graceMs: call.graceMs, limitMs, onAbort, late, gone };
        runTap(
          (context) => runs.start(run, () => fn(...given, context)),
          ends,
          (isOk, answer) => {
            if (isOk) {
              if (answer !== undefined) call.onAnswer?.(plugin, answer);
              return done(null, answer);
            }
            run.isLeft = runs.has(run);
            settle({ hook: name, plugin, cause: answer }, call, done);
          },
        );
      });
    }

    function settle(fault: HookFault, call: Call, done: Done): void {
      if (onError === 'throw') return done(withCode(fault.cause, () => attributed(fault)));
      onFault(fault);
      call.onFault?.(fault);
      if (onError === 'skip') return done();
      let answer: unknown;
      try {
        answer = onError(fault);
      } catch (cause) {
        return done(cause ?? true);
      }
      done(null, answer);
    }
    return hook;
  }
}

function attributed({ hook, plugin, cause }: HookFault): unknown {
  return kernelError('HOOK_FAULT', { hook, plugin, why: messageOf(cause) }, cause);
}
