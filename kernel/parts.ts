// Defines the type of the kernel parts that start and stop plugins.
import type { KernelOptions } from './types.ts';
import type { Container } from './container.ts';
import type { EventBus } from './events.ts';
import type { HookBus } from './hooks.ts';
import type { Intercept } from './interceptors.ts';
import type { PointRegistry } from './points.ts';
import type { PluginRecord, PluginTable } from './record.ts';

export interface KernelParts extends Required<Pick<KernelOptions, 'config' | 'log'>>, Pick<KernelOptions, 'closest' | 'dataDir'> {
  readonly table: PluginTable;
  readonly container: Container;
  readonly hooks: HookBus;
  readonly events: EventBus;
  readonly points: PointRegistry;
  readonly intercept: Intercept;
  /** Services that the host provides. */
  readonly given: ReadonlySet<string>;
  /** Time limit for the import and for `register` of a third-party plugin, in milliseconds. */
  limitMs: number;
  /** Runs a change in the serial queue; rejects a change that would wait for itself. */
  exclusive<T>(what: string, change: () => Promise<T>): Promise<T>;
  /** Checks, plans, configures and registers plugins after a change; runs in the serial queue. */
  settle(forced?: ReadonlySet<PluginRecord>): Promise<void>;
  /** Queues {@link settle} without waiting for it. */
  settleLater(why: string): void;
  /** Emits an error of a plugin as an `error` event. */
  emitFault(plugin: string, code?: string, message?: string): void;
}
