// Manages contribution points: buffers items until their point has an owner, and removes them when the owner or the contributor unloads.
import type { Disposable, KernelError, PointHandler } from './types.ts';
import { kernelError, messageOf } from './errors.ts';
import { createNameTable, type NameUse } from './name-table.ts';
import { runOutside } from './reentrance.ts';
import { isPromiseLike } from './tap-run.ts';

interface Contribution extends NameUse {
  readonly item: unknown;
  use?: Disposable;
  isTaken: boolean;
}
interface Owner {
  readonly plugin: string;
  readonly value: PointHandler<unknown>;
}

export type PointRegistry = ReturnType<typeof createPointRegistry>;

/**
 * Creates the registry of contribution points. @param onFault receives asynchronous errors: a buffered item that was refused, or an owner that failed on an
 * item
 */
export function createPointRegistry(onFault: (plugin: string, error: KernelError) => void) {
  const names = createNameTable<PointHandler<unknown>, Contribution>('point');

  /** Passes an item to the point's owner. Throws if the item is invalid; an error in the owner is reported as the owner's error. */
  function take(name: string, owner: Owner, contribution: Contribution): void {
    const { item, plugin } = contribution;
    let why: string | undefined;
    try {
      why = owner.value.validate?.(item, plugin);
    } catch (cause) {
      why = messageOf(cause);
    }
    if (why !== undefined) throw kernelError('CONTRIBUTION_INVALID', { plugin, point: name, why });
    contribution.isTaken = handOver(name, owner, 'added', contribution);
  }

  /** Runs one step of the owner for an item; returns whether it succeeded. */
  function handOver(name: string, { plugin: owner, value }: Owner, step: 'added' | 'removed', { item, plugin }: Contribution): boolean {
    const failed = (cause: unknown): void =>
      onFault(owner, kernelError('POINT_FAULT', { plugin: owner, step, point: name, contributor: plugin, why: messageOf(cause) }, cause));
    try {
      // The kernel does not wait for work that the owner starts here.
      const work: unknown = runOutside(() => value[step](item, plugin));
      if (isPromiseLike(work)) work.then(undefined, failed);
      return true;
    } catch (cause) {
      failed(cause);
      return false;
    }
  }

  return {
    names,
    add(plugin: string, name: string, item: unknown): Disposable {
      const contribution: Contribution = { item, plugin, isTaken: false };
      const { owner } = names.get(name) ?? {};
      if (owner) take(name, owner, contribution);
      const use = (contribution.use = names.use(name, contribution));
      return {
        dispose() {
          const { owner: last } = names.get(name) ?? {};
          void use.dispose();
          if (last && contribution.isTaken) handOver(name, last, 'removed', contribution);
        },
      };
    },

    own(plugin: string, name: string, value: PointHandler<unknown>): Disposable {
      const owned = names.own(plugin, name, value);
      const owner: Owner = { plugin, value };
      for (const contribution of names.get(name)?.uses ?? []) {
        try {
          take(name, owner, contribution);
        } catch (error) {
          void contribution.use?.dispose();
          onFault(contribution.plugin, error as KernelError);
        }
      }
      return {
        dispose() {
          const taken = (names.get(name)?.uses ?? []).filter((one) => one.isTaken);
          for (const contribution of taken) contribution.isTaken = false;
          void owned.dispose();
          for (const contribution of taken) handOver(name, owner, 'removed', contribution);
        },
      };
    },

    trace: () => names.trace((name, uses) => uses.map(({ item, plugin }) => `${name}:${nameOf(item)}@${plugin}`)),
  };
}

/** Returns the item's own name for labels. */
export function nameOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  for (const key of ['name', 'key', 'id']) {
    const value: unknown = Object.getOwnPropertyDescriptor(item, key)?.value;
    if (typeof value === 'string') return value;
  }
  return '?';
}
