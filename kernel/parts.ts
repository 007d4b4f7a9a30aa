// What the loader works on.
import type { Container } from './container.ts';
import type { HookBus } from './hooks.ts';
import type { EventBus } from './events.ts';
import type { PointBoard } from './points.ts';
import type { ConfigStore } from './config.ts';
import type { LogSink, KernelOptions } from './contracts.ts';

/** What the loader works on; made once per kernel. */
export interface KernelParts {
  readonly container: Container;
  readonly hooks: HookBus;
  readonly events: EventBus;
  readonly points: PointBoard;
  readonly config: ConfigStore;
  readonly log: LogSink;
  readonly dataDir: string | undefined;
  /** A plugin that runs provides a service more, or one less. */
  readonly servicesChanged: () => void;
  readonly around: KernelOptions['around'];
}
