// The only file that knows tapable: four kinds of hooks, their order, removal and fault policy.
import { AsyncParallelHook, AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook } from 'tapable';
import type { Disposable, HookFault, HookKindName } from './contracts.ts';
import { codeOf, kernelError, messageOf } from './errors.ts';

type Bucket = 'pre' | 'normal' | 'post';
type AnyTap = (...args: any[]) => unknown;
type AnyPolicy = 'skip' | 'throw' | ((fault: HookFault) => unknown);
interface Combined {
  tapPromise(name: string, fn: AnyTap): void;
  promise(...args: unknown[]): Promise<unknown>;
}
interface Tap {
  readonly plugin: string;
  readonly bucket: Bucket;
  readonly sequence: number;
  readonly fn: AnyTap;
}
interface Slot {
  owner?: string;
  kind?: HookKindName;
  onError: AnyPolicy;
  taps: readonly Tap[];
  /** Built from `taps` at the first call after a change; a call already running keeps the old one. */
  combined?: Combined | undefined;
}

const bucketOrder: Record<Bucket, number> = { pre: 0, normal: 1, post: 2 };
const tapables = { series: AsyncSeriesHook, parallel: AsyncParallelHook, bail: AsyncSeriesBailHook, waterfall: AsyncSeriesWaterfallHook };

export interface HookBus {
  declare(plugin: string, name: string, kind: HookKindName, onError: AnyPolicy): Disposable;
  tap(plugin: string, name: string, fn: AnyTap, order?: 'pre' | 'post'): Disposable;
  call(plugin: string, name: string, args: readonly unknown[]): Promise<unknown>;
  /** Ranks changed; the next call of each hook sorts its taps again. */
  forgetOrder(): void;
  /** Taps on hooks that nobody declares. */
  undeclared(): { plugin: string; name: string }[];
  names(): string[];
  trace(): string[];
}

/** In place of the first argument of a call: goes through all that is built around the taps, which is compiled by that, and past the taps. */
export const rehearsal = Symbol('rehearsal');

/**
 * @param rankOf position of a plugin in the plan; taps of one bucket run in that order
 * @param onFault sees every fault of a skipped tap
 */
export function createHookBus(rankOf: (plugin: string) => number, onFault: (fault: HookFault) => void): HookBus {
  const slots = new Map<string, Slot>();
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
    declare(plugin, name, kind, onError) {
      const slot = slotOf(name);
      if (slot.owner !== undefined) throw kernelError('HOOK_DUPLICATE', { hook: name, first: slot.owner, second: plugin });
      Object.assign(slot, { owner: plugin, kind, onError, combined: undefined });
      return {
        dispose() {
          delete slot.owner;
          delete slot.kind;
          slot.combined = undefined;
          forgetIfEmpty(name, slot);
        },
      };
    },

    tap(plugin, name, fn, order) {
      const slot = slotOf(name);
      const added: Tap = { plugin, bucket: order ?? 'normal', sequence: sequence++, fn };
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

    call(plugin, name, args) {
      const slot = slots.get(name);
      if (!slot?.kind) return Promise.reject(kernelError('HOOK_UNKNOWN', { hook: name, plugin }));
      if (slot.taps.length === 0) return Promise.resolve(slot.kind === 'waterfall' ? args[0] : undefined);
      return (slot.combined ??= combine(name, slot.kind, inOrder(slot.taps), slot.onError)).promise(...args);
    },

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

  function combine(name: string, kind: HookKindName, taps: readonly Tap[], onError: AnyPolicy): Combined {
    // tapable generates code from these names; more than a hook has arguments cost nothing.
    const hook = new (tapables[kind] as new (...args: unknown[]) => unknown)(['first', 'second', 'third'], name) as Combined;
    for (const tap of taps) {
      hook.tapPromise(tap.plugin, async (...args: unknown[]) => {
        if (args[0] === rehearsal) return undefined;
        try {
          return await tap.fn(...args);
        } catch (cause) {
          const fault: HookFault = { hook: name, plugin: tap.plugin, cause };
          if (onError === 'throw') throw attributed(fault);
          onFault(fault);
          return onError === 'skip' ? undefined : onError(fault);
        }
      });
    }
    return hook;
  }
}

/** An error of a plugin's table keeps its code; anything else (the system's errors have codes, too) is wrapped so that it names plugin and hook. */
function attributed(fault: HookFault): unknown {
  if (codeOf(fault.cause)?.includes('_ERR_')) return fault.cause;
  return kernelError('HOOK_FAULT', { hook: fault.hook, plugin: fault.plugin, why: messageOf(fault.cause) }, fault.cause);
}
