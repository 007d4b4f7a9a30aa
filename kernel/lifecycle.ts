// Starts and stops a single plugin: configuration, scope, `register` under a time limit.
import type { Disposable } from './types.ts';
import { kernelError, messageOf, withCode } from './errors.ts';
import { withTimeout } from './free-clock.ts';
import type { KernelParts } from './parts.ts';
import { isThirdParty, runOf, type PluginRecord, type PluginTable, type Run } from './record.ts';
import { runInside } from './reentrance.ts';
import { createEmitter, createRegistry } from './registry.ts';
import { Scope } from './scope.ts';

type Returned = void | Disposable;

/** Starts a plugin. Never rejects. If `register` is synchronous, the status is final when this returns. Built-in plugins have no time limit. */
export async function startPlugin(record: PluginRecord, suppliers: Run['suppliers'], parts: KernelParts): Promise<void> {
  const { name, manifest } = record;
  const { table, config, events, limitMs, log } = parts;
  const slice = config.slice(name, manifest.config);
  if (slice.fault) return table.transition(record, { kind: 'failed', fault: slice.fault, slice });
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  const scope = new Scope(name, table.changed);
  const run: Run = { scope, slice, suppliers, provided: new Set(), registerMs: 0, isGreeted: false, done, end, isOver: false };
  const isCurrent = (): boolean => record.status.kind === 'starting' && record.status.run === run;
  table.transition(record, { kind: 'starting', run });
  const started = performance.now();
  try {
    for (const event of manifest.events ?? []) scope.keep(`event:${event}`, () => events.names.own(name, event, true));
    const work = runInside(run, () => callRegister(record, run, parts));
    const returned = work && 'then' in work ? await limited(work) : work;
    if (!isCurrent()) return void (await returned?.dispose()); // the plugin was stopped in the meantime
    if (returned)
      scope.add(
        'defer:returned',
        parts.intercept(name, 'end', () => returned.dispose()),
      );
    const key = manifest.provides?.find((one) => !run.provided.has(one));
    if (key !== undefined) throw kernelError('SERVICE_NOT_PROVIDED', { plugin: name, key });
    table.transition(record, { kind: 'active', run });
  } catch (cause) {
    const faults = await scope.close();
    if (!isCurrent()) return;
    for (const fault of faults) log('error', name, `unloading: ${messageOf(fault)}`);
    const fault = withCode(cause, () => kernelError('PLUGIN_REGISTER', { plugin: name, why: messageOf(cause) }, cause));
    table.transition(record, { kind: 'failed', fault, slice });
  } finally {
    run.registerMs = performance.now() - started;
    run.isOver = true;
    run.end();
  }

  async function limited(work: Promise<Returned>): Promise<Returned> {
    if (!isThirdParty(record)) return work;
    let isLate = false;
    // Undoes a result that arrives after the time limit.
    work.then((returned) => (isLate ? returned?.dispose() : undefined)).catch(() => undefined);
    return withTimeout(work, limitMs, () => {
      isLate = true;
      return kernelError('PLUGIN_TIMEOUT', { plugin: name, step: 'register()', ms: limitMs });
    });
  }
}

/** Stops a plugin. Never rejects; returns the errors of its undos. */
export async function stopPlugin(record: PluginRecord, table: PluginTable): Promise<readonly unknown[]> {
  const run = runOf(record);
  if (!run) return [];
  table.transition(record, { kind: 'waiting', state: 'unmet', reason: 'is stopping' });
  run.end();
  return run.scope.close();
}

function callRegister(record: PluginRecord, run: Run, parts: KernelParts): Returned | Promise<Returned> {
  const { name, manifest, module } = record;
  // A pass that is running handles services that change while the plugin starts or stops.
  const servicesChanged = (): void => {
    if (record.status.kind === 'active' && record.status.run === run) parts.settleLater('apply changed services');
  };
  const registry = createRegistry(manifest, run, parts, servicesChanged);
  const emitter = createEmitter(name, run.scope, parts);
  const register = (): Returned | Promise<Returned> => disposableOf(module?.register(registry as never, emitter));
  return parts.intercept(name, 'register', register)();
}

/** Accepts a disposable, and ignores any other return value of a plugin. */
function disposableOf(returned: unknown): Returned | Promise<Returned> {
  if (typeof returned !== 'object' || returned === null) return undefined;
  if ('then' in returned) return Promise.resolve(returned as PromiseLike<unknown>).then(disposableOf);
  return 'dispose' in returned && typeof returned.dispose === 'function' ? (returned as Disposable) : undefined;
}
