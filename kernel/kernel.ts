// Creates a kernel: connects its parts, runs every change in one serial queue, and shuts everything down.
import type { ConfigField, Disposable, EntitlementSource, Kernel, KernelControl, KernelError, KernelOptions, LogSink, RootEmitter } from './types.ts';
import { createApp } from './app.ts';
import { createContainer } from './container.ts';
import { codeOf, kernelError, messageOf } from './errors.ts';
import { createEventBus, sharedEvent } from './events.ts';
import { createHookBus } from './hooks.ts';
import { createIntercept } from './interceptors.ts';
import { createLoader, switchedOff, type LoaderRegistry } from './loader.ts';
import type { KernelParts } from './parts.ts';
import { createPointRegistry } from './points.ts';
import { reconcile, stopAll } from './reconcile.ts';
import { PluginTable, stateOf, type PluginRecord } from './record.ts';
import { createQueue, isInside, runOutside } from './reentrance.ts';
import { createEmitter } from './registry.ts';
import { createReport, findUnknownNames, stateWarnings, watchStates, type Warning } from './report.ts';
import { Scope } from './scope.ts';
import { createDefaults, refreshSettings } from './settings.ts';

const self = 'kernel';
/** Time limit for the import and for `register` of a third-party plugin, in milliseconds. */
const defaultLimitMs = 5_000;

/** Creates a kernel that shares no state with others; the caller must close it. */
export function createKernel(options: KernelOptions = {}): Kernel {
  const { log = logToStandardError, config = createDefaults() } = options;
  const table = new PluginTable();
  const scope = new Scope(self, table.changed);
  const inTurn = createQueue();
  const container = createContainer();
  const told = new Set<string>();
  let pointFaults: Warning[] = [];
  let cachedFields: readonly ConfigField[] | undefined;
  let loadMs = 0;
  let isReady = false;
  let isClosed = false;
  let isSettleQueued = false;
  let watching: Disposable | undefined;
  let closing: Promise<readonly unknown[]> | undefined;

  const intercept = createIntercept(options.interceptors ?? [], (plugin) => table.isThirdParty(plugin));
  const events = createEventBus(intercept, (plugin, event, cause, isLate) => {
    if (event === sharedEvent) log('error', plugin, `listener of '${event}' failed: ${messageOf(cause)}`);
    else reportFault(plugin, kernelError(isLate ? 'LISTENER_REJECTED' : 'LISTENER_FAULT', { plugin, event, why: messageOf(cause) }));
  });
  const hooks = createHookBus({
    rankOf: (plugin) => table.ranks.get(plugin) ?? -1,
    intercept,
    onFault({ plugin, hook, cause }) {
      if (codeOf(cause) === 'KRN_ERR_HOOK_TIMEOUT') reportFault(plugin, cause as KernelError);
      else log('warn', plugin, `failed in hook '${hook}': ${messageOf(cause)}`);
    },
    onLeft: (plugin, hook) => log('warn', plugin, kernelError('HOOK_LEFT', { plugin, hook }).message),
  });
  const points = createPointRegistry((plugin, error) => {
    pointFaults.push([plugin, error.message]);
    table.changed();
    reportFault(plugin, error);
  });
  const services = new Map<string, unknown>(Object.entries(options.services ?? {}));
  const given: ReadonlySet<string> = new Set([...services.keys(), self]);
  const buses = { container, hooks, events, points, intercept };
  const parts: KernelParts = { ...options, ...buses, log, config, table, given, limitMs: defaultLimitMs, exclusive, settle, settleLater, emitFault };
  // The server reports errors in the name of the plugin that caused them.
  const emitter: RootEmitter = { ...createEmitter(self, scope, parts), origin: 'kernel-emitter' };
  // The app may start before the third-party plugins are loaded.
  const app = createApp({ table, hooks });
  const fields = (): readonly ConfigField[] => (cachedFields ??= table.records.flatMap(({ name, manifest }) => config.slice(name, manifest.config).fields));
  const warnings = (): Warning[] => [...stateWarnings(table, findUnknownNames(parts), fields()), ...pointFaults];
  const report = createReport(parts, warnings, () => ({ ms: loadMs, isLoading: loader.isLoading() }));
  const loader = createLoader(parts, report, begin);

  const control: KernelControl = {
    report,
    stateOf(name) {
      const record = table.get(name);
      return record && stateOf(record).state;
    },
    fields,
    checkValue(key, text) {
      const field = fields().find((one) => one.key === key);
      return field && config.check(field.schema, text);
    },
    setPreferences: (...texts) =>
      exclusive('apply preferences', async () => {
        const before = new Map(fields().map(({ key, value }) => [key, value]));
        config.replacePreferences(...texts);
        await settle(refreshSettings(table, config, log));
        const keys = fields().flatMap(({ key, value }) => (before.get(key) === value ? [] : [key]));
        if (keys.length > 0) events.emit(self, 'settings_changed', { keys });
      }),
    setDisabled: (names) =>
      exclusive('switch plugins', async () => {
        const forced = new Set(table.records.filter(({ name }) => table.disabled.has(name) && !names.includes(name)));
        // In addition to the settings, the source of a plugin may disable it.
        const isOff = (name: string): boolean => !table.disabled.has(name) && table.get(name)?.entry.off !== undefined;
        table.disabled = new Map(names.filter((name) => !isOff(name)).map((name) => [name, table.disabled.get(name) ?? switchedOff]));
        await settle(forced);
      }),
    runAs: (plugin, run, what = 'contribution') => intercept(plugin, what, run)(),
    idle: () => loader.idle(),
    start: () => app.hold(),
  };

  for (const [key, value] of services.set(self, control)) container.provide(self, key, () => value);
  emitter.hook('app.start', 'series', { onError: 'throw' });
  emitter.hook('app.stop', 'series');
  for (const event of ['kernel_ready', 'plugin_changed', 'settings_changed']) events.names.own(self, event, true);

  return {
    registry: { origin: 'kernel-registry', loader } as LoaderRegistry,
    emitter,
    control,
    plugins: loader,
    log,
    resolve: (key) => container.resolve(key) as never,
    blame: (plugin, what) => reportFault(plugin, kernelError('PLUGIN_FAULT', { plugin, what })),
    trace() {
      const labels = report().plugins.flatMap(({ name, adds }) => adds.map((label) => `${label}@${name}`));
      const deferred = labels.filter((label) => label.startsWith('defer:'));
      return [container, hooks, events, points]
        .flatMap((part) => part.trace())
        .concat(deferred)
        .filter((label) => !label.endsWith(`@${self}`))
        .sort();
    },
    close: () => exclusive('close', () => (closing ??= closeAll())),
  };

  function exclusive<T>(what: string, change: () => Promise<T>): Promise<T> {
    const caller = [...table.running].find(({ status }) => status.kind === 'starting' && isInside(status.run));
    return caller ? Promise.reject(kernelError('REENTRANT', { plugin: caller.name, what, running: 'register()' })) : inTurn(what, change);
  }

  async function closeAll(): Promise<readonly unknown[]> {
    isClosed = true;
    await app.end();
    unwatch();
    const faults = await stopAll(new Set(table.running), table);
    return [...faults, ...(await scope.close())];
  }

  /** Runs two passes: the first starts the plugins that need no entitlement, one of which provides the entitlements; the second starts the rest. */
  async function settle(forced: ReadonlySet<PluginRecord> = new Set()): Promise<void> {
    if (isClosed) return;
    const started = performance.now();
    cachedFields = undefined;
    pointFaults = pointFaults.filter(([plugin]) => ![...forced].some(({ name }) => name === plugin));
    const changes = watchStates(table);
    for (let next = forced; ; next = new Set()) {
      for (const fault of await reconcile(parts, next)) log('error', self, `unloading: ${messageOf(fault)}`);
      if (!watchEntitlements()) break;
    }
    app.joined();
    for (const change of changes()) events.emit(self, 'plugin_changed', change);
    if (isReady) greet();
    loadMs += performance.now() - started;
    table.changed();
  }

  function settleLater(why: string): void {
    if (isSettleQueued) return;
    isSettleQueued = true;
    const change = (): Promise<void> => ((isSettleQueued = false), settle());
    runOutside(() => inTurn(why, change)).catch((fault: unknown) => log('error', self, `${why}: ${messageOf(fault)}`));
  }

  function begin(): void {
    if (isReady) return;
    isReady = true;
    // Also notifies the listeners of the host.
    greet((plugin) => table.get(plugin) === undefined);
  }

  /** Emits `kernel_ready` once per run of a plugin. */
  function greet(isHost?: (plugin: string) => boolean): void {
    const fresh = [...table.running].flatMap(({ name, status }) => (status.kind === 'active' && !status.run.isGreeted ? [{ name, run: status.run }] : []));
    for (const { run } of fresh) run.isGreeted = true;
    const names = new Set(fresh.map(({ name }) => name));
    if (isHost || names.size > 0) events.emit(self, 'kernel_ready', { ms: loadMs }, (plugin) => names.has(plugin) || isHost?.(plugin) === true);
  }

  function emitFault(plugin: string, code = '', message = ''): void {
    emitter.emit('error', { source: 'plugin', plugin, code, message });
  }

  /** Reports an error; the event for an equal error is emitted only once. */
  function reportFault(plugin: string, { code, message }: KernelError): void {
    log('error', plugin, message);
    options.onFault?.(plugin, code, message);
    if (told.size < told.add(message).size) emitFault(plugin, code, message);
  }

  /** Returns whether the source of entitlements changed. */
  function watchEntitlements(): boolean {
    const source = container.has('entitlements') ? (container.resolve('entitlements') as EntitlementSource) : undefined;
    if (source === table.entitlements) return false;
    table.entitlements = source;
    unwatch();
    watching = source?.onChange(() => settleLater('apply entitlements'));
    return true;
  }

  function unwatch(): void {
    void (async () => watching?.dispose())().catch((fault: unknown) => log('error', self, `unloading: ${messageOf(fault)}`));
    watching = undefined;
  }
}

const logToStandardError: LogSink = (level, plugin, message, fields) => {
  if (level === 'debug') return;
  process.stderr.write(`${level} ${plugin}: ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}\n`);
};
