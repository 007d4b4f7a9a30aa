// Runs the three kinds of hooks, with ordering, removal of taps, time limits and a fault policy. No other module uses tapable.
import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook } from 'tapable';
import type { CallOptions, Disposable, HookFault, HookKindName } from './types.ts';
import { kernelError, messageOf, withCode } from './errors.ts';
import type { Intercept } from './interceptors.ts';
import { createNameTable } from './name-table.ts';
import { createTapRunner, type Call, type Tap } from './tap-run.ts';

type Bucket = 'pre' | 'normal' | 'post';
interface OrderedTap extends Tap {
  readonly bucket: Bucket;
}
interface Declared {
  readonly kind: HookKindName;
  readonly onError: 'skip' | 'throw' | ((fault: HookFault) => unknown);
  readonly limitMs?: number;
}
/** The taps of a hook as one tapable function. It is rebuilt on the first call after a change; calls that are running keep the old one. */
interface Combined {
  tapAsync(name: string, fn: (value: unknown, call: Call, done: (fault?: unknown, answer?: unknown) => void) => void): void;
  promise(value: unknown, call: Call): Promise<unknown>;
}

/** Default time in milliseconds that taps may continue after an abort of the call. */
const defaultGraceMs = 5_000;
const bucketOrder: Record<Bucket, number> = { pre: 0, normal: 1, post: 2 };
const tapables = { series: AsyncSeriesHook, bail: AsyncSeriesBailHook, waterfall: AsyncSeriesWaterfallHook };

export type HookBus = ReturnType<typeof createHookBus>;

export interface HookBusParts {
  /** Returns a plugin's position in the plan; taps of one group run in that order. */
  rankOf(plugin: string): number;
  readonly intercept: Intercept;
  /** Receives the error of every tap that was skipped. */
  onFault(fault: HookFault): void;
  /** Called when a call was abandoned while a tap of this plugin was running. */
  onLeft(plugin: string, hook: string): void;
}

export function createHookBus({ rankOf, intercept, onFault, onLeft }: HookBusParts) {
  const names = createNameTable<Declared, OrderedTap>('hook');
  const cache = new Map<string, { readonly owner: object; readonly uses: readonly Tap[]; readonly hook: Combined }>();
  const runner = createTapRunner();

  return {
    names,
    declare: (plugin: string, name: string, kind: HookKindName, options: Partial<Declared> = {}): Disposable =>
      names.own(plugin, name, { onError: 'skip', ...options, kind }),

    /** @param signal aborted when the plugin ends */
    tap: (plugin: string, name: string, fn: Tap['fn'], signal: AbortSignal, bucket: Bucket = 'normal'): Disposable =>
      names.use(name, { plugin, bucket, fn: intercept(plugin, 'hook', fn), signal }),

    call(plugin: string, name: string, args: readonly unknown[], options: CallOptions = {}): Promise<unknown> {
      const { owner, uses = [] } = names.get(name) ?? {};
      if (!owner) return Promise.reject(kernelError('HOOK_UNKNOWN', { hook: name, plugin }));
      if (uses.length === 0) return Promise.resolve(owner.value.kind === 'waterfall' ? args[0] : undefined);
      let entry = cache.get(name);
      if (entry?.owner !== owner || entry.uses !== uses) cache.set(name, (entry = { owner, uses, hook: combine(name, owner.value, uses) }));
      return entry.hook.promise(args[0], { graceMs: defaultGraceMs, ...options, args });
    },

    /** Runs only these plugins' taps on a hook without arguments; reports an error and continues with the next tap. */
    async callOf(plugins: ReadonlySet<string>, name: string): Promise<void> {
      const { owner, uses = [] } = names.get(name) ?? {};
      const taps = uses.filter(({ plugin }) => plugins.has(plugin));
      if (owner && taps.length > 0) await combine(name, { ...owner.value, onError: 'skip' }, taps).promise(undefined, { args: [], graceMs: defaultGraceMs });
    },

    running: runner.running,

    /** Called after ranks have changed: each hook sorts its taps again on its next call. */
    forgetOrder: () => cache.clear(),

    trace: () => names.trace((name, uses) => inOrder(uses).map(({ plugin }, index) => `tap:${name}#${index}@${plugin}`)),
  };

  /** Sorts taps by group and rank. The sort is stable: taps of the same plugin stay in registration order. */
  function inOrder(taps: readonly OrderedTap[]): OrderedTap[] {
    return [...taps].sort((left, right) => bucketOrder[left.bucket] - bucketOrder[right.bucket] || rankOf(left.plugin) - rankOf(right.plugin));
  }

  function combine(name: string, { kind, onError, limitMs }: Declared, taps: readonly OrderedTap[]): Combined {
    // tapable generates code that uses these names; `call` contains all arguments except the first, which a waterfall changes.
    const hook = new (tapables[kind] as new (...args: unknown[]) => unknown)(['value', 'call'], name) as Combined;
    for (const tap of inOrder(taps)) {
      const { plugin } = tap;
      hook.tapAsync(plugin, (value, call, done) =>
        runner.run(name, tap, limitMs, call, value, (how, result) => {
          if (how === 'answered') {
            if (result !== undefined) call.onAnswer?.(plugin, result);
            return done(null, result);
          }
          if (how === 'failed') return settle({ hook: name, plugin, cause: result }, call, done);
          onLeft(plugin, name);
          done(result ?? true);
        }),
      );
    }

    function settle(fault: HookFault, call: Call, done: (fault?: unknown, answer?: unknown) => void): void {
      const { plugin, cause } = fault;
      if (onError === 'throw') return done(withCode(cause, () => kernelError('HOOK_FAULT', { hook: name, plugin, why: messageOf(cause) }, cause)));
      onFault(fault);
      call.onFault?.(fault);
      let answer: unknown;
      try {
        answer = onError === 'skip' ? undefined : onError(fault);
      } catch (thrown) {
        return done(thrown ?? true);
      }
      done(null, answer);
    }
    return hook;
  }
}
