// Starts and stops a single plugin: configuration slice, scope, `register` under a time limit.
import type { Disposable, LogSink } from './contracts.ts';
import type { ConfigSlice, ConfigStore } from './config.ts';
import type { Container } from './container.ts';
import type { Candidate } from './discover.ts';
import { createEmitter } from './emitter.ts';
import { codeOf, kernelError, messageOf } from './errors.ts';
import type { EventBus } from './events.ts';
import type { HookBus } from './hooks.ts';
import type { PointBoard } from './points.ts';
import { createRegistry } from './registry.ts';
import { Scope, withTimeout } from './scope.ts';

/** What the loader works on; made once per kernel. */
export interface KernelParts {
  readonly container: Container;
  readonly hooks: HookBus;
  readonly events: EventBus;
  readonly points: PointBoard;
  readonly config: ConfigStore;
  readonly log: LogSink;
  readonly dataDir: string | undefined;
}

export interface ActivePlugin {
  readonly name: string;
  readonly scope: Scope;
  readonly slice: ConfigSlice;
  readonly registerMs: number;
  /** Service → provider at the time of `register`; a difference means it must register again. */
  readonly suppliers: ReadonlyMap<string, string | undefined>;
}

/** Throws when configuration or `register` fails; then nothing of the plugin is left. */
export async function activate(
  candidate: Candidate,
  suppliers: ReadonlyMap<string, string | undefined>,
  parts: KernelParts,
  timeoutMs: number,
): Promise<ActivePlugin> {
  const { name, manifest, module } = candidate;
  const slice = parts.config.slice(name, manifest.config);
  if (slice.fault) throw slice.fault;
  const scope = new Scope(name);
  const registry = createRegistry(manifest, slice.values, scope, parts.dataDir, parts);
  const emitter = createEmitter(name, scope, parts);
  const started = performance.now();
  try {
    for (const event of manifest.events ?? []) {
      const owned = parts.events.own(name, event);
      scope.add(`event:${event}`, () => owned.dispose());
    }
    const work = module?.register(registry as never, emitter);
    const late = (): Error => kernelError('PLUGIN_TIMEOUT', { plugin: name, step: 'register()', ms: timeoutMs });
    const returned = isThenable(work) ? await withTimeout(work, timeoutMs, late, endLate) : work;
    if (returned && typeof returned.dispose === 'function') scope.add('defer:returned', () => returned.dispose());
    return { name, scope, slice, registerMs: performance.now() - started, suppliers };
  } catch (cause) {
    await scope.close();
    throw withCode(name, cause);
  }
}

/** What a `register` answers after its time is over belongs to nobody. */
function endLate(returned: void | Disposable): void | Promise<void> {
  if (returned && typeof returned.dispose === 'function') return returned.dispose();
}

function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** An error that has a code says enough; any other is wrapped so that it names the plugin. */
function withCode(plugin: string, cause: unknown): unknown {
  return codeOf(cause)?.includes('_ERR_') ? cause : kernelError('PLUGIN_REGISTER', { plugin, why: messageOf(cause) }, cause);
}
