// Defines the kernel parts that start and stop plugins.
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
  /** Services that exist without a plugin. */
  readonly given: ReadonlySet<string>;
  /** Limit for the import and for `register` of a third-party plugin, in milliseconds. */
  limitMs: number;
  /** Runs a change in the serial queue; rejects work that would wait for itself. */
  exclusive<T>(what: string, change: () => Promise<T>): Promise<T>;
  /** Gates, plans, configures and registers after a change; runs in the serial queue. */
  settle(forced?: ReadonlySet<PluginRecord>): Promise<void>;
  /** The same in an entry of its own in the queue, which nothing waits for. */
  settleLater(why: string): void;
  /** Emits a fault of a plugin as an `error` event. */
  emitFault(plugin: string, code?: string, message?: string): void;
}
