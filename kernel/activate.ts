// Starts and stops a single plugin: configuration slice, scope, `register` under a time limit.
import type { Disposable } from './contracts.ts';
import type { ConfigSlice } from './config.ts';
import { ownCode, type Candidate } from './discover.ts';
import { createEmitter } from './emitter.ts';
import { codeOf, kernelError, messageOf } from './errors.ts';
import { createRegistry } from './registry.ts';
import { withTimeout } from './free-clock.ts';
import { Scope } from './scope.ts';
import type { KernelParts } from './parts.ts';

export interface ActivePlugin {
  readonly name: string;
  readonly scope: Scope;
  readonly slice: ConfigSlice;
  readonly registerMs: number;
  /** Service → provider at the time of `register`; a difference means it must register again. */
  readonly suppliers: ReadonlyMap<string, string | undefined>;
  /** What it provides now. */
  readonly provided: ReadonlySet<string>;
}

/** Throws when configuration or `register` fails; then nothing of the plugin is left. */
export async function activate(candidate: Candidate, suppliers: ActivePlugin['suppliers'], parts: KernelParts, timeoutMs: number): Promise<ActivePlugin> {
  const { name, manifest, module, isKnown = false } = candidate;
  const slice = parts.config.slice(name, manifest.config);
  if (slice.fault) throw slice.fault;
  const scope = new Scope(name);
  const own = ownCode(candidate, parts.around);
  const provided = new Set<string>();
  let isActive = false;
  const servicesChanged = (): void => void (isActive && scope.isOpen && parts.servicesChanged());
  const registry = createRegistry(manifest, slice.values, scope, own, { ...parts, servicesChanged }, provided);
  const emitter = createEmitter(name, scope, own, parts);
  const started = performance.now();
  try {
    for (const event of manifest.events ?? []) scope.keep(`event:${event}`, () => parts.events.own(name, event));
    const register = (): ReturnType<NonNullable<typeof module>['register']> => module?.register(registry as never, emitter);
    const work = (isKnown ? register : own(register, 'register'))();
    const late = (): Error => kernelError('PLUGIN_TIMEOUT', { plugin: name, step: 'register()', ms: timeoutMs });
    // What it answers after its time is over belongs to nobody.
    const returned = work && 'then' in work ? await withTimeout(work, timeoutMs, late, (answer) => undoOf(answer)?.()) : work;
    const undo = undoOf(returned);
    if (undo) scope.add('defer:returned', own(undo, 'end'));
    const key = manifest.provides?.find((one) => !provided.has(one));
    if (key !== undefined) throw kernelError('SERVICE_NOT_PROVIDED', { plugin: name, key });
    isActive = true;
    return { provided, name, scope, slice, registerMs: performance.now() - started, suppliers };
  } catch (cause) {
    await scope.close();
    throw withCode(name, cause);
  }
}

function undoOf(returned: void | Disposable): (() => void | Promise<void>) | undefined {
  return returned && typeof returned.dispose === 'function' ? () => returned.dispose() : undefined;
}

/** An error that has a code says enough; any other is wrapped so that it names the plugin. */
function withCode(plugin: string, cause: unknown): unknown {
  return codeOf(cause)?.includes('_ERR_') ? cause : kernelError('PLUGIN_REGISTER', { plugin, why: messageOf(cause) }, cause);
}
