// Creates a kernel: connects its parts, runs every change through one serial queue, and shuts everything down.
import type { Disposable, EntitlementSource, Kernel, KernelControl, KernelError, KernelOptions, LogSink, RootEmitter } from './types.ts';
import { createApp } from './app.ts';
import { createDefaults } from './config.ts';
import { createContainer } from './container.ts';
import { createEmitter } from './emitter.ts';
import { codeOf, kernelError, messageOf } from './errors.ts';
import { createEventBus, sharedEvent } from './events.ts';
import { createGreeting } from './greeting.ts';
import { createHookBus } from './hooks.ts';
import { createIntercept } from './interceptors.ts';
import { createLoader, switchedOff, type LoaderParts, type LoaderRegistry } from './loader.ts';
import type { KernelParts } from './parts.ts';
import { createPointRegistry } from './points.ts';
import { reconcile, stopAll } from './reconcile.ts';
import { isThirdParty, PluginTable, stateOf, type PluginRecord } from './record.ts';
import { createQueue, isInside, runOutside } from './reentrance.ts';
import { changesSince, createReport, findUnknownNames, statesOf, stateWarnings, type Warning } from './report.ts';
import { Scope } from './scope.ts';
import { createSettings } from './settings.ts';

const self = 'kernel';
/** Limit for the import and for `register` of a third-party plugin, in milliseconds. */
const defaultLimitMs = 5_000;

/** Creates a kernel that shares no state with others; the caller closes it. */
export function createKernel(options: KernelOptions = {}): Kernel {
  const { log = logToStandardError, config = createDefaults(), dataDir, closest } = options;
  let revision = 0;
  const changed = (): void => void revision++;
  const scope = new Scope(self, changed);
  const table = new PluginTable(changed);
  const inTurn = createQueue();
  let pointFaults: Warning[] = [];
  const told = new Set<string>();
  let loadMs = 0;
  let isClosed = false;
  let isSettleQueued = false;
  let watching: Disposable | undefined;
  let closing: Promise<readonly unknown[]> | undefined;

  const intercept = createIntercept(options.interceptors ?? [], (plugin) => table.isThirdParty(plugin));
  const events = createEventBus(intercept, (plugin, event, cause, isLate) => {
    if (event === sharedEvent) log('error', plugin, `listener of '${event}' failed: ${messageOf(cause)}`);
    else tell(plugin, kernelError(isLate ? 'LISTENER_REJECTED' : 'LISTENER_FAULT', { plugin, event, why: messageOf(cause) }));
  });
  const hooks = createHookBus({
    rankOf: (plugin) => table.ranks.get(plugin) ?? -1,
    intercept,
    onFault({ plugin, hook, cause }) {
      if (codeOf(cause) === 'KRN_ERR_HOOK_TIMEOUT') tell(plugin, cause as KernelError);
      else log('warn', plugin, `failed in hook '${hook}': ${messageOf(cause)}`);
    },
    onLeft: (plugin, hook) => log('warn', plugin, kernelError('HOOK_LEFT', { plugin, hook }).message),
  });
  const points = createPointRegistry((plugin, error) => {
    pointFaults.push([plugin, error.message]);
    changed();
    tell(plugin, error);
  });
  const container = createContainer();
  const settings = createSettings(table, config, log);
  const parts: KernelParts = {
    container,
    hooks,
    events,
    points,
    config,
    log,
    dataDir,
    intercept,
    changed,
    servicesChanged: () => settleLater('apply changed services'),
  };
  const emitter: RootEmitter = { ...createEmitter(self, scope, parts), origin: 'kernel-emitter' };
  // The app may start before the third-party plugins are loaded.
  const app = createApp({
    members: () => [...table.running].filter((one) => isThirdParty(one) && one.status.kind === 'active'),
    call: (hook) => emitter.call(hook, []),
    welcome: (late) => hooks.callOf(late, 'app.start'),
  });
  const unknown = (): KernelError[] => findUnknownNames(table, parts, closest);
  const report = createReport({
    table,
    revision: () => revision,
    warnings: () => [...stateWarnings(table, unknown(), settings.fields()), ...pointFaults],
    running: () => hooks.running(),
    ms: () => loadMs,
    isLoading: () => loader.isLoading(),
  });
  const greeting = createGreeting(table, (isMeant) => events.emit(self, 'kernel_ready', { ms: loadMs }, isMeant));
  const loading: LoaderParts = { table, settle, exclusive, report, unknown, intercept, changed, begin: greeting.begin, emitter, limitMs: defaultLimitMs };
  const loader = createLoader(loading);

  const control: KernelControl = {
    report,
    stateOf(name) {
      const record = table.get(name);
      return record && stateOf(record).state;
    },
    fields: settings.fields,
    checkValue: settings.check,
    setPreferences: (...texts) =>
      exclusive('apply preferences', async () => {
        const { forced, changedKeys } = settings.replace(...texts);
        changed();
        await settle(forced);
        const keys = changedKeys();
        if (keys.length > 0) events.emit(self, 'settings_changed', { keys });
      }),
    setDisabled: (names) =>
      exclusive('switch plugins', async () => {
        const forced = new Set(table.records.filter(({ name }) => table.disabled.has(name) && !names.includes(name)));
        // A plugin may be switched off by its source instead of the settings.
        const isOff = (name: string): boolean => !table.disabled.has(name) && table.get(name)?.entry.off !== undefined;
        table.disabled = new Map(names.filter((name) => !isOff(name)).map((name) => [name, table.disabled.get(name) ?? switchedOff]));
        await settle(forced);
      }),
    runAs: (plugin, run, what = 'contribution') => intercept(plugin, what, run)(),
    idle: () => loader.idle(),
    start: () => app.hold(),
  };

  const given: Record<string, unknown> = { ...options.services, kernel: control };
  for (const [key, value] of Object.entries(given)) container.provide(self, key, () => value);
  emitter.hook('app.start', 'series', { onError: 'throw' });
  emitter.hook('app.stop', 'series');
  for (const event of ['kernel_ready', 'plugin_changed', 'settings_changed']) events.own(self, event);

  return {
    registry: { origin: 'kernel-registry', loader } as LoaderRegistry,
    emitter,
    control,
    plugins: loader,
    log,
    resolve: (key) => container.resolve(key) as never,
    blame: (plugin, what) => tell(plugin, kernelError('PLUGIN_FAULT', { plugin, what })),
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

  /** The serial queue of all changes; rejects work that would wait for itself. */
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

  /** Entitlements come from a service: the first pass starts plugins that need none, the second those they unlock. */
  async function settle(forced: ReadonlySet<PluginRecord> = new Set()): Promise<void> {
    if (isClosed) return;
    const started = performance.now();
    settings.forget();
    pointFaults = pointFaults.filter(([plugin]) => ![...forced].some(({ name }) => name === plugin));
    const before = statesOf(table);
    const onLate = (): void => settleLater('start plugins');
    for (let next = forced; ; next = new Set()) {
      const faults = await reconcile(table, parts, new Set(Object.keys(given)), { forced: next, limitMs: loading.limitMs, onLate });
      for (const fault of faults) log('error', self, `unloading: ${messageOf(fault)}`);
      if (!watchEntitlements()) break;
    }
    app.joined();
    for (const change of changesSince(before, table)) events.emit(self, 'plugin_changed', change);
    greeting.greet();
    loadMs += performance.now() - started;
    changed();
  }

  /** Settles in its own queue entry; nothing waits for it. */
  function settleLater(why: string): void {
    if (isSettleQueued) return;
    isSettleQueued = true;
    const change = (): Promise<void> => ((isSettleQueued = false), settle());
    runOutside(() => inTurn(why, change)).catch((fault: unknown) => log('error', self, `${why}: ${messageOf(fault)}`));
  }

  function tell(plugin: string, { code, message }: KernelError): void {
    log('error', plugin, message);
    options.onFault?.(plugin, code, message);
    if (told.size === told.add(message).size) return;
    emitter.emit('error', { source: 'plugin', plugin, code, message });
  }

  /** Returns whether the source of entitlements has changed. */
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
