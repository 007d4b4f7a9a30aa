// `loadPlugins(registry, emitter, options)`: from sources to a report, one line per step.
import type { LoadOptions, LoadReport, RootEmitter, RootRegistry } from './contracts.ts';
import { byOriginThenName, discover, type Candidate } from './discover.ts';
import { codeOf, kernelError, messageOf } from './errors.ts';
import { checkModule } from './manifest.ts';
import { withTimeout } from './scope.ts';

/** What a kernel gives its loader. */
export interface Loader {
  readonly candidates: Candidate[];
  configure(options: Pick<LoadOptions, 'disabled' | 'timeoutMs'>): void;
  /** Gate, plan, configure, register. */
  settle(): Promise<void>;
  report(): LoadReport;
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}
export interface LoaderRegistry extends RootRegistry {
  readonly loader: Loader;
}

const defaultTimeoutMs = 5_000;

/**
 * Loads every plugin of the sources. May be called again with further sources.
 * A failing plugin becomes a row of the report and an `error` event; a failing platform plugin rejects
 * with `KRN_ERR_PLUGIN_PLATFORM`.
 */
export function loadPlugins(registry: RootRegistry, emitter: RootEmitter, options: LoadOptions): Promise<LoadReport> {
  const { loader } = registry as LoaderRegistry;
  return loader.exclusive(async () => {
    const candidates = await discover(options.sources);
    await importAll(candidates, options.timeoutMs ?? defaultTimeoutMs);
    admit(loader.candidates, candidates);
    loader.configure(options);
    await loader.settle();
    const report = loader.report();
    announceFailures(report, emitter);
    refuseBrokenPlatform(report);
    if (!options.isPartial) emitter.emit('kernel_ready', { ms: report.ms });
    return report;
  });
}

/** Side by side: an import may wait for the disk, and has no effects that another could see. */
async function importAll(candidates: readonly Candidate[], timeoutMs: number): Promise<void> {
  let last = performance.now();
  const importTimed = async (candidate: Candidate): Promise<void> => {
    await importOne(candidate, timeoutMs);
    // They run on one thread, so each took what has passed since the one before it was done.
    const now = performance.now();
    candidate.importMs = now - last;
    last = now;
  };
  await Promise.all(candidates.map(importTimed));
}

async function importOne(candidate: Candidate, timeoutMs: number): Promise<void> {
  const { name } = candidate;
  try {
    const late = (): Error => kernelError('PLUGIN_TIMEOUT', { plugin: name, step: 'import', ms: timeoutMs });
    const imported = await withTimeout(candidate.load(), timeoutMs, late);
    Object.assign(candidate, checkModule(name, imported));
  } catch (cause) {
    candidate.fault = codeOf(cause)?.startsWith('KRN_ERR_') ? cause : kernelError('PLUGIN_IMPORT', { plugin: name, why: messageOf(cause) }, cause);
  }
}

/** Adds the new candidates; a name that is taken fails the later one and names both places. */
function admit(known: Candidate[], added: readonly Candidate[]): void {
  for (const candidate of added) {
    const first = known.find((one) => one.name === candidate.name);
    if (first) refuse(candidate, kernelError('PLUGIN_DUPLICATE', { plugin: candidate.name, first: first.place, second: candidate.place }));
    known.push(candidate);
  }
  known.sort(byOriginThenName);
}

/** Nothing of it counts any more, its settings and services neither. */
function refuse(candidate: Candidate, fault: unknown): void {
  delete candidate.module;
  candidate.manifest = { name: candidate.name };
  candidate.fault = fault;
}

function announceFailures(report: LoadReport, emitter: RootEmitter): void {
  for (const { name, state, code, reason } of report.plugins) {
    if (state !== 'failed') continue;
    emitter.emit('error', { source: 'plugin', plugin: name, code: code ?? 'KRN_ERR_PLUGIN_REGISTER', message: reason ?? 'failed' });
  }
}

function refuseBrokenPlatform(report: LoadReport): void {
  const broken = report.plugins.find((plugin) => plugin.origin === 'platform' && (plugin.state === 'failed' || plugin.state === 'unmet'));
  if (broken) throw kernelError('PLUGIN_PLATFORM', { plugin: broken.name, why: broken.reason });
}
