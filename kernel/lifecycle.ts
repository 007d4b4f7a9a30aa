// Starts and stops a single plugin: configuration, scope, `register` under a time limit.
import type { Disposable } from './types.ts';
import { createEmitter } from './emitter.ts';
import { kernelError, messageOf, withCode } from './errors.ts';
import { withTimeout } from './free-clock.ts';
import type { KernelParts } from './parts.ts';
import { isThirdParty, runOf, type PluginRecord, type PluginTable, type Run } from './record.ts';
import { runInside } from './reentrance.ts';
import { createRegistry } from './registry.ts';
import { Scope } from './scope.ts';

type Returned = void | Disposable;

/** Contract: never rejects. If `register` is synchronous, the status is final when this returns. Built-in plugins have no time limit. */
export async function startPlugin(record: PluginRecord, suppliers: Run['suppliers'], table: PluginTable, parts: KernelParts, limitMs: number): Promise<void> {
  const { name, manifest } = record;
  const slice = parts.config.slice(name, manifest.config);
  if (slice.fault) return table.transition(record, { kind: 'failed', fault: slice.fault });
  const run = createRun(name, slice, suppliers, parts);
  const isCurrent = (): boolean => record.status.kind === 'starting' && record.status.run === run;
  table.transition(record, { kind: 'starting', run });
  const started = performance.now();
  try {
    for (const event of manifest.events ?? []) run.scope.keep(`event:${event}`, () => parts.events.own(name, event));
    const work = runInside(run, () => callRegister(record, run, isCurrent, parts));
    const returned = work && 'then' in work ? await limited(work, record, isThirdParty(record) ? limitMs : undefined) : work;
    if (!isCurrent()) return void (await returned?.dispose()); // it was stopped meanwhile
    if (returned)
      run.scope.add(
        'defer:returned',
        parts.intercept(name, 'end', () => returned.dispose()),
      );
    const key = manifest.provides?.find((one) => !run.provided.has(one));
    if (key !== undefined) throw kernelError('SERVICE_NOT_PROVIDED', { plugin: name, key });
    table.transition(record, { kind: 'active', run });
  } catch (cause) {
    const faults = await run.scope.close();
    if (!isCurrent()) return;
    for (const fault of faults) parts.log('error', name, `unloading: ${messageOf(fault)}`);
    table.transition(record, { kind: 'failed', fault: withCode(cause, () => kernelError('PLUGIN_REGISTER', { plugin: name, why: messageOf(cause) }, cause)) });
  } finally {
    run.registerMs = performance.now() - started;
    run.isOver = true;
    run.end();
  }
}

/** Contract: never rejects; returns the faults of its undos. */
export async function stopPlugin(record: PluginRecord, table: PluginTable): Promise<readonly unknown[]> {
  const run = runOf(record);
  if (!run) return [];
  table.transition(record, { kind: 'waiting', state: 'unmet', reason: 'is stopping' });
  run.end();
  return run.scope.close();
}

function createRun(name: string, slice: Run['slice'], suppliers: Run['suppliers'], parts: KernelParts): Run {
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  return { scope: new Scope(name, parts.changed), slice, suppliers, provided: new Set(), registerMs: 0, done, end, isOver: false };
}

function callRegister(record: PluginRecord, run: Run, isCurrent: () => boolean, parts: KernelParts): Returned | Promise<Returned> {
  const { name, manifest, module, entry } = record;
  const servicesChanged = (): void => void (!isCurrent() && run.scope.isOpen && parts.servicesChanged());
  const registry = createRegistry(manifest, run, { ...parts, servicesChanged });
  const emitter = createEmitter(name, run.scope, parts);
  const register = (): Returned | Promise<Returned> => disposableOf(module?.register(registry as never, emitter));
  return (entry.isKnown ? register : parts.intercept(name, 'register', register))();
}

/** Results after the limit are undone. */
async function limited(work: Promise<Returned>, { name }: PluginRecord, limitMs: number | undefined): Promise<Returned> {
  if (limitMs === undefined) return work;
  return withTimeout(
    work,
    limitMs,
    () => kernelError('PLUGIN_TIMEOUT', { plugin: name, step: 'register()', ms: limitMs }),
    (late) => late?.dispose(),
  );
}

/** A plugin may return anything; only a disposable counts. */
function disposableOf(returned: unknown): Returned | Promise<Returned> {
  if (typeof returned !== 'object' || returned === null) return undefined;
  if ('then' in returned) return Promise.resolve(returned as PromiseLike<unknown>).then(disposableOf);
  return 'dispose' in returned && typeof returned.dispose === 'function' ? (returned as Disposable) : undefined;
}
