// Manages contribution points: buffers items until their point has an owner, and removes them when either side unloads.
import type { Disposable, KernelError, PointHandler } from './types.ts';
import { kernelError, messageOf } from './errors.ts';
import { runOutside } from './reentrance.ts';
import { isPromiseLike } from './tap-run.ts';

interface Contribution {
  readonly item: unknown;
  readonly plugin: string;
  isTaken: boolean;
}
interface Point {
  owner?: string | undefined;
  handler?: PointHandler<unknown> | undefined;
  readonly contributions: Set<Contribution>;
}

export interface PointRegistry {
  add(plugin: string, point: string, item: unknown): Disposable;
  own(plugin: string, point: string, handler: PointHandler<unknown>): Disposable;
  /** Contributions to points without an owner. */
  unowned(): { plugin: string; name: string }[];
  names(): string[];
  trace(): string[];
}

/** @param onFault gets asynchronous faults: a refused buffered item, or an owner that failed on an item */
export function createPointRegistry(onFault: (plugin: string, error: KernelError) => void): PointRegistry {
  const points = new Map<string, Point>();

  function pointOf(name: string): Point {
    let point = points.get(name);
    if (!point) points.set(name, (point = { contributions: new Set() }));
    return point;
  }

  /** Throws faults of the contributor; reports faults of the owner as the owner's. */
  function take(name: string, point: Point, contribution: Contribution): void {
    const { item, plugin } = contribution;
    let why: string | undefined;
    try {
      why = point.handler?.validate?.(item, plugin);
    } catch (cause) {
      why = messageOf(cause);
    }
    if (why !== undefined) throw kernelError('CONTRIBUTION_INVALID', { plugin, point: name, why });
    contribution.isTaken = handOver(name, point, 'added', contribution);
  }

  /** Runs one step of the owner for an item; returns whether it succeeded. */
  function handOver(
    name: string,
    { owner = '', handler }: Pick<Point, 'owner' | 'handler'>,
    step: 'added' | 'removed',
    { item, plugin }: Contribution,
  ): boolean {
    const failed = (cause: unknown): void =>
      onFault(owner, kernelError('POINT_FAULT', { plugin: owner, step, point: name, contributor: plugin, why: messageOf(cause) }, cause));
    try {
      // The kernel does not wait for work that the owner starts here.
      const work: unknown = runOutside(() => handler?.[step](item, plugin));
      if (isPromiseLike(work)) work.then(undefined, failed);
      return true;
    } catch (cause) {
      failed(cause);
      return false;
    }
  }

  function forgetIfEmpty(name: string, point: Point): void {
    if (point.owner === undefined && point.contributions.size === 0) points.delete(name);
  }

  return {
    add(plugin, name, item) {
      const point = pointOf(name);
      const contribution: Contribution = { item, plugin, isTaken: false };
      if (point.handler) take(name, point, contribution);
      point.contributions.add(contribution);
      return {
        dispose() {
          point.contributions.delete(contribution);
          forgetIfEmpty(name, point);
          if (contribution.isTaken) handOver(name, point, 'removed', contribution);
        },
      };
    },

    own(plugin, name, handler) {
      const point = pointOf(name);
      if (point.owner !== undefined) throw kernelError('POINT_DUPLICATE', { point: name, first: point.owner, second: plugin });
      point.owner = plugin;
      point.handler = handler;
      for (const contribution of point.contributions) {
        try {
          take(name, point, contribution);
        } catch (error) {
          point.contributions.delete(contribution);
          onFault(contribution.plugin, error as KernelError);
        }
      }
      return {
        dispose() {
          point.owner = undefined;
          point.handler = undefined;
          const taken = [...point.contributions].filter((one) => one.isTaken);
          for (const contribution of taken) contribution.isTaken = false;
          forgetIfEmpty(name, point);
          for (const contribution of taken) handOver(name, { owner: plugin, handler }, 'removed', contribution);
        },
      };
    },

    unowned() {
      return [...points].flatMap(([name, { owner, contributions }]) => (owner === undefined ? [...contributions].map(({ plugin }) => ({ plugin, name })) : []));
    },

    names: () => [...points].flatMap(([name, { owner }]) => (owner === undefined ? [] : [name])),

    trace() {
      return [...points].flatMap(([name, point]) => [
        ...(point.owner === undefined ? [] : [`point:${name}@${point.owner}`]),
        ...[...point.contributions].map((one) => `${name}:${nameOf(one.item)}@${one.plugin}`),
      ]);
    },
  };
}

/** Returns the item's own name, for labels. */
export function nameOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  for (const key of ['name', 'key', 'id']) {
    const value: unknown = Object.getOwnPropertyDescriptor(item, key)?.value;
    if (typeof value === 'string') return value;
  }
  return '?';
}
