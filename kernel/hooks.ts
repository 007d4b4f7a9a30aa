// The only file that knows tapable: three kinds of hooks, their order, removal, limits and fault policy.
import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook } from 'tapable';
import type { CallOptions, Disposable, HookFault, HookKindName, RunningTap } from './contracts.ts';
import { codeOf, kernelError, messageOf } from './errors.ts';
import type { Intercept } from './interceptors.ts';
import { createOnAbort, isPromiseLike, runTap, untilAborted } from './tap-run.ts';

type Bucket = 'pre' | 'normal' | 'post';
type AnyTap = (...args: any[]) => unknown;
type AnyPolicy = 'skip' | 'throw' | ((fault: HookFault) => unknown);
interface Combined {
  tapAsync(name: string, fn: (value: unknown, call: Call, done: Done) => void): void;
  promise(value: unknown, call: Call): Promise<unknown>;
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

/** One call under way. */
interface Call extends CallOptions {
  readonly args: readonly unknown[];
  readonly graceMs: number;
  /** The tap that is waited for. */
  run?: Run;
  /** It was given up; no further tap begins. */
  isOver: boolean;
}
interface Run {
  readonly hook: string;
  readonly plugin: string;
  readonly startedAt: number;
  isLeft: boolean;
}

/** How long what was told to stop may still take, where the call does not say, in milliseconds. */
const defaultGraceMs = 5_000;
const bucketOrder: Record<Bucket, number> = { pre: 0, normal: 1, post: 2 };
const tapables = { series: AsyncSeriesHook, bail: AsyncSeriesBailHook, waterfall: AsyncSeriesWaterfallHook };

export interface HookBus {
  declare(plugin: string, name: string, kind: HookKindName, options?: { readonly onError?: AnyPolicy; readonly limitMs?: number }): Disposable;
  /** @param signal aborted when the plugin ends */
  tap(plugin: string, name: string, fn: AnyTap, signal: AbortSignal, order?: 'pre' | 'post'): Disposable;
  call(plugin: string, name: string, args: readonly unknown[], options?: CallOptions): Promise<unknown>;
  /** The taps of these plugins alone, on a hook without arguments; a fault is told, and the next one runs. */
  callOf(plugins: readonly { readonly name: string }[], name: string): Promise<unknown>;
  /** Taps that have begun and not ended. */
  running(): (RunningTap & { readonly plugin: string })[];
  /** Ranks changed; the next call of each hook sorts its taps again. */
  forgetOrder(): void;
  /** Taps on hooks that nobody declares. */
  undeclared(): { plugin: string; name: string }[];
  names(): string[];
  trace(): string[];
}

export interface HookBusParts {
  /** Position of a plugin in the plan; taps of one bucket run in that order. */
  rankOf(plugin: string): number;
  readonly intercept: Intercept;
  /** Gets every fault of a skipped tap. */
  onFault(fault: HookFault): void;
  /** A call was given up while this plugin's tap was running. */
  onLeft(plugin: string, hook: string): void;
}

export function createHookBus({ rankOf, intercept, onFault, onLeft }: HookBusParts): HookBus {
  const slots = new Map<string, Slot>();
  const runs = new Set<Run>();
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
    declare(plugin, name, kind, { onError = 'skip', limitMs } = {}) {
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

    tap(plugin, name, fn, signal, order) {
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

    call(plugin, name, args, { signal, graceMs = defaultGraceMs, ...told } = {}) {
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

    callOf(plugins, name) {
      const slot = slots.get(name);
      const taps = slot?.taps.filter(({ plugin }) => plugins.some((one) => one.name === plugin)) ?? [];
      if (!slot?.kind || taps.length === 0) return Promise.resolve();
      return combine(name, slot.kind, { ...slot, taps, onError: 'skip' }).promise(undefined, { args: [], graceMs: defaultGraceMs, isOver: false });
    },

    running: () => [...runs].map(({ startedAt, ...run }) => ({ ...run, ms: Math.round(performance.now() - startedAt) })),

    forgetOrder() {
      for (const slot of slots.values()) slot.combined = undefined;
    },

    undeclared() {
      return [...slots].flatMap(([name, slot]) => (slot.owner === undefined ? slot.taps.map(({ plugin }) => ({ plugin, name })) : []));
    },

    names: () => [...slots].flatMap(([name, { owner }]) => (owner === undefined ? [] : [name])),

    trace() {
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

  /** Keeps in mind that the tap runs until it is settled, also when nobody waits for it any more. */
  function start(run: Run, tap: () => unknown): unknown {
    runs.add(run);
    let work: unknown;
    const done = (): void => void runs.delete(run);
    try {
      return (work = tap());
    } finally {
      if (isPromiseLike(work)) work.then(done, done);
      else done();
    }
  }

  function combine(name: string, kind: HookKindName, { taps, onError, limitMs }: Slot): Combined {
    // tapable generates code from these names; the call carries all arguments but the first, which a waterfall changes.
    const hook = new (tapables[kind] as new (...args: unknown[]) => unknown)(['value', 'call'], name) as Combined;
    for (const { plugin, fn, signal } of inOrder(taps)) {
      const leftBehind = (reason: 'HOOK_TIMEOUT' | 'HOOK_LEFT'): unknown => kernelError(reason, { plugin, hook: name, ms: limitMs });
      const late = (): unknown => leftBehind('HOOK_TIMEOUT');
      const gone = (): unknown => leftBehind('HOOK_LEFT');

      hook.tapAsync(plugin, (value, call, done) => {
        if (call.isOver) return done(call.signal?.reason ?? true);
        const run: Run = { hook: name, plugin, startedAt: performance.now(), isLeft: false };
        call.run = run;
        const given = call.args.length === 0 ? [] : [value, ...call.args.slice(1)];
        const ends = { call: call.signal, plugin: signal, graceMs: call.graceMs, limitMs, onAbort, late, gone };
        runTap(
          (context) => start(run, () => fn(...given, context)),
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
      if (onError === 'throw') return done(attributed(fault));
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

/** An error of a plugin's table keeps its code; anything else (the system's errors have codes, too) is wrapped so that it names plugin and hook. */
function attributed(fault: HookFault): unknown {
  if (codeOf(fault.cause)?.includes('_ERR_')) return fault.cause;
  return kernelError('HOOK_FAULT', { hook: fault.hook, plugin: fault.plugin, why: messageOf(fault.cause) }, fault.cause);
}
