// The parts of one kernel that plugins are started with.
import type { ConfigStore, LogSink } from './types.ts';
import type { Container } from './container.ts';
import type { EventBus } from './events.ts';
import type { HookBus } from './hooks.ts';
import type { Intercept } from './interceptors.ts';
import type { PointBoard } from './points.ts';

export interface KernelParts {
  readonly container: Container;
  readonly hooks: HookBus;
  readonly events: EventBus;
  readonly points: PointBoard;
  readonly config: ConfigStore;
  readonly log: LogSink;
  readonly dataDir: string | undefined;
  readonly intercept: Intercept;
  /** What a report shows has changed. */
  readonly changed: () => void;
  /** An active plugin provides a service more, or one less. */
  readonly servicesChanged: () => void;
}
