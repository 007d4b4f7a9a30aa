// Directories that are loaded again: what stays, what gives way, and what is put back because what came after it does not work.
import type { LoadReport } from './contracts.ts';
import type { Candidate } from './discover.ts';
import { kernelError, messageOf } from './errors.ts';
import type { LoaderState } from './reconcile.ts';

/** A plugin that ran, and what its file holds now. */
export interface Replacement {
  readonly before: Candidate;
  readonly next: Candidate;
}

export interface Comparison {
  /** They go on, untouched. */
  readonly kept: readonly Candidate[];
  /** To be imported. */
  readonly fresh: readonly Candidate[];
  readonly replaced: readonly Replacement[];
}

/** A plugin that failed counts as changed: whatever kept it from working may be mended. */
export function compareWith(former: readonly Candidate[], found: readonly Candidate[], state: LoaderState): Comparison {
  const isSame = (before: Candidate, next: Candidate): boolean => before.fault === undefined && before.place === next.place && before.stamp === next.stamp;
  const kept = former.filter((before) => found.some((next) => isSame(before, next)));
  const fresh = found.filter((next) => !kept.some((before) => isSame(before, next)));
  const running = former.filter(({ name, fault }) => fault === undefined && state.active.has(name));
  return {
    kept,
    fresh,
    replaced: fresh.flatMap((next) => running.flatMap((before) => (before.place === next.place ? [{ before, next }] : []))),
  };
}

/** From now on it stands for what its file holds, until that changes again. */
export function markStale({ before, next }: Replacement, fault: unknown): void {
  before.stamp = next.stamp;
  before.stale = kernelError('PLUGIN_STALE', { plugin: before.name, why: messageOf(fault) }, fault);
}

/** Lets what ran before run again where what came after it does not. */
export async function putBack(
  loader: { readonly state: LoaderState; settle(forced: ReadonlySet<string>): Promise<void>; report(): LoadReport },
  replaced: readonly Replacement[],
): Promise<LoadReport> {
  if (replaced.length === 0) return loader.report();
  const { candidates } = loader.state;
  const back = new Set<string>();
  for (const { name, state, reason } of loader.report().plugins) {
    const one = replaced.find(({ next }) => next.name === name && candidates.includes(next));
    if (!one || (state !== 'failed' && state !== 'unmet')) continue;
    markStale(one, new Error(reason));
    candidates.splice(candidates.indexOf(one.next), 1, one.before);
    back.add(name);
  }
  if (back.size > 0) await loader.settle(back);
  return loader.report();
}
