// The kernel parts needed to start plugins.
import type { ConfigStore, LogSink } from './types.ts';
import type { Container } from './container.ts';
import type { EventBus } from './events.ts';
import type { HookBus } from './hooks.ts';
import type { Intercept } from './interceptors.ts';
import type { PointRegistry } from './points.ts';

export interface KernelParts {
  readonly container: Container;
  readonly hooks: HookBus;
  readonly events: EventBus;
  readonly points: PointRegistry;
  readonly config: ConfigStore;
  readonly log: LogSink;
  readonly dataDir: string | undefined;
  readonly intercept: Intercept;
  /** Called when the content of the report changes. */
  readonly changed: () => void;
  /** Called when an active plugin adds or removes a service. */
  readonly servicesChanged: () => void;
}
