// `loadPlugins(registry, emitter, options)`: from sources to a report, one line per step.
import type { KernelError, KernelOptions, LoadOptions, LoadReport, LogSink, RootEmitter, RootRegistry } from './contracts.ts';
import { byOriginThenName, discover, isOutside, ownCode, type Candidate, type OwnCode } from './discover.ts';
import { codeOf, kernelError, messageOf } from './errors.ts';
import { checkModule } from './manifest.ts';
import { compareWith, markStale, putBack } from './reload.ts';
import { hasUnsettledEntitlements, switchedOff, type LoaderState } from './reconcile.ts';
import { withTimeout } from './free-clock.ts';

/** What a kernel gives its loader. */
export interface Loader {
  readonly state: LoaderState;
  /** Gate, plan, configure, register. */
  settle(forced?: ReadonlySet<string>): Promise<void>;
  report(): LoadReport;
  /** Names that nobody knows, each as the fault of the plugin from outside that uses it: of the product their owner may be left out. */
  unknown(): KernelError[];
  readonly around: KernelOptions['around'];
  readonly log: LogSink;
  exclusive<T>(what: string, work: () => Promise<T>): Promise<T>;
}
export type LoaderRegistry = RootRegistry & { readonly loader: Loader };

/**
 * Loads every plugin of the sources. May be called again with further sources.
 * A failing plugin becomes a row of the report and an `error` event; a failing platform plugin rejects
 * with `KRN_ERR_PLUGIN_PLATFORM`.
 */
export function loadPlugins(registry: RootRegistry, emitter: RootEmitter, options: LoadOptions): Promise<LoadReport> {
  const { loader } = registry as LoaderRegistry;
  return loader.exclusive('load plugins', async () => {
    if (options.after) await Promise.race([options.after, loader.state.wanted]);
    const { state, isAgain = false, isPartial = false } = { ...options, state: loader.state };
    const isLookedAt = ({ name }: Candidate): boolean => options.only?.includes(name) ?? true;
    const found = (await discover(options.sources)).filter(isLookedAt);
    const former = isAgain ? formerOf(state.candidates, options.sources, isLookedAt) : [];
    const { kept, fresh, replaced } = compareWith(former, found, state);
    await takeKnown(fresh, options.sources);
    await importAll(fresh, options.timeoutMs ?? state.timeoutMs, loader.around);
    const broken = replaced.filter(({ next }) => next.fault !== undefined);
    for (const one of broken) markStale(one, one.next.fault);
    // Not before: while the files are read, what runs is still what was there.
    state.candidates.splice(0, state.candidates.length, ...state.candidates.filter((one) => !former.includes(one)));
    admit(state.candidates, [...kept, ...fresh.map((next) => broken.find((one) => one.next === next)?.before ?? next)]);
    if (options.disabled) state.disabled = new Map(options.disabled.map((one) => (typeof one === 'string' ? [one, switchedOff] : one)));
    state.timeoutMs = options.timeoutMs ?? state.timeoutMs;
    const untouched = new Set([...kept, ...broken.map(({ before }) => before)]);
    await loader.settle(new Set([...former, ...fresh].flatMap((one) => (untouched.has(one) ? [] : [one.name]))));
    let report = await putBack(loader, replaced);
    for (const { before, next } of replaced) {
      if (before.stamp !== next.stamp || !before.stale)
        loader.log('info', next.name, next.instead?.off ?? next.instead?.note ?? 'runs what its file holds now');
      else emitter.emit('error', { source: 'plugin', plugin: next.name, code: before.stale.code, message: before.stale.message });
    }
    announceFailures(new Set(fresh.map(({ name }) => name)), report, emitter);
    refuseBrokenPlatform(report);
    if (isPartial) return report;
    if (!isAgain) {
      await state.entitlements?.ready?.();
      if (hasUnsettledEntitlements(state)) {
        await loader.settle();
        report = loader.report();
      }
    }
    announceUnknown(loader, emitter);
    if (!isAgain) emitter.emit('kernel_ready', { ms: report.ms });
    return report;
  });
}

/** What need not be imported. */
async function takeKnown(candidates: readonly Candidate[], sources: LoadOptions['sources']): Promise<void> {
  for (const source of sources) {
    if (!('dir' in source) || !source.known) continue;
    const asked = candidates.flatMap((one) =>
      one.dir === source.dir && one.file !== undefined && one.instead?.off === undefined ? [{ one, path: one.file }] : [],
    );
    if (asked.length === 0) continue;
    const known = await source.known(asked.map(({ one: { name }, path }) => ({ name, path })));
    for (const { one, path } of asked) {
      const module = known.get(path);
      if (!module) continue;
      one.isKnown = true;
      try {
        Object.assign(one, checkModule(one.name, module));
      } catch (cause) {
        one.fault = cause;
      }
    }
  }
}

/** Side by side: an import may wait for the disk. What did not come with the product comes alone, so that what it does is its own. */
async function importAll(candidates: readonly Candidate[], timeoutMs: number, around: KernelOptions['around']): Promise<void> {
  let last = performance.now();
  const importTimed = async (candidate: Candidate): Promise<void> => {
    await importOne(candidate, timeoutMs, ownCode(candidate, around));
    // They run on one thread, so each took what has passed since the one before it was done.
    const now = performance.now();
    candidate.importMs = now - last;
    last = now;
  };
  await Promise.all(candidates.filter((one) => !isOutside(one)).map(importTimed));
  for (const candidate of candidates.filter(isOutside)) await importTimed(candidate);
}

async function importOne(candidate: Candidate, timeoutMs: number, own: OwnCode): Promise<void> {
  const { name } = candidate;
  if (candidate.instead?.off !== undefined || candidate.isKnown) return;
  try {
    const late = (): Error => kernelError('PLUGIN_TIMEOUT', { plugin: name, step: 'import', ms: timeoutMs });
    const imported = await withTimeout(own(candidate.load, 'load')(), timeoutMs, late);
    Object.assign(candidate, own(() => checkModule(name, imported), 'load')());
  } catch (cause) {
    candidate.fault = codeOf(cause)?.startsWith('KRN_ERR_') ? cause : kernelError('PLUGIN_IMPORT', { plugin: name, why: messageOf(cause) }, cause);
  }
}

/** Adds the new candidates; a name that is taken fails the later one and names both places. */
function admit(known: Candidate[], added: readonly Candidate[]): void {
  const names = new Map(known.map((one) => [one.name, one]));
  for (const candidate of added) {
    const first = names.get(candidate.name);
    if (first) refuse(candidate, kernelError('PLUGIN_DUPLICATE', { plugin: candidate.name, first: first.place, second: candidate.place }));
    else names.set(candidate.name, candidate);
    known.push(candidate);
  }
  known.sort(byOriginThenName);
}

/** What came from these directories before. */
function formerOf(known: readonly Candidate[], sources: LoadOptions['sources'], isLookedAt: (one: Candidate) => boolean): Candidate[] {
  const dirs = new Set(sources.map((source) => ('dir' in source ? source.dir : undefined)));
  return known.filter((one) => one.dir !== undefined && dirs.has(one.dir) && isLookedAt(one));
}

/** Nothing of it counts any more, its settings and services neither. */
function refuse(candidate: Candidate, fault: unknown): void {
  delete candidate.module;
  candidate.manifest = { name: candidate.name };
  candidate.fault = fault;
}

function announceUnknown({ unknown }: Loader, emitter: RootEmitter): void {
  for (const { plugin = '', code, message } of unknown()) emitter.emit('error', { source: 'plugin', plugin, code, message });
}

function announceFailures(names: ReadonlySet<string>, report: LoadReport, emitter: RootEmitter): void {
  for (const { name, state, code, reason } of report.plugins) {
    if (state !== 'failed' || !names.has(name)) continue;
    emitter.emit('error', { source: 'plugin', plugin: name, code: code ?? 'KRN_ERR_PLUGIN_REGISTER', message: reason ?? 'failed' });
  }
}

function refuseBrokenPlatform(report: LoadReport): void {
  const broken = report.plugins.find((plugin) => plugin.origin === 'platform' && (plugin.state === 'failed' || plugin.state === 'unmet'));
  if (broken) throw kernelError('PLUGIN_PLATFORM', { plugin: broken.name, why: broken.reason });
}
