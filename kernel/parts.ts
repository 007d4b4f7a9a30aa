// The kernel parts that start and stop plugins.
import type { KernelOptions } from './types.ts';
import type { Container } from './container.ts';
import type { EventBus } from './events.ts';
import type { HookBus } from './hooks.ts';
import type { Intercept } from './interceptors.ts';
import type { PointRegistry } from './points.ts';
import type { PluginTable } from './record.ts';

export interface KernelParts extends Required<Pick<KernelOptions, 'config' | 'log'>>, Pick<KernelOptions, 'closest' | 'dataDir'> {
  readonly table: PluginTable;
  readonly container: Container;
  readonly hooks: HookBus;
  readonly events: EventBus;
  readonly points: PointRegistry;
  readonly intercept: Intercept;
  /** Services that exist without a plugin. */
  readonly given: ReadonlySet<string>;
  /** Limit for the import and for `register` of a third-party plugin, in milliseconds. */
  limitMs: number;
  /** Starts and stops plugins after a change, in an entry of the serial queue that nothing waits for. */
  settleLater(why: string): void;
}
