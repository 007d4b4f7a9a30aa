// Makes a kernel: wires the parts, runs every change through one serial queue, and takes everything down again.
import type { Disposable, EntitlementSource, Kernel, KernelControl, KernelError, KernelOptions, LogSink, RootEmitter } from './contracts.ts';
import type { ActivePlugin } from './activate.ts';
import { copyValue, createConfigStore, isSameValue, propertiesOf, type ConfigSlice } from './config.ts';
import { createContainer } from './container.ts';
import { isFixed, isOutside, ownCode, type Candidate } from './discover.ts';
import { createEmitter } from './emitter.ts';
import { codeOf, kernelError, messageOf, unknownName } from './errors.ts';
import { createEventBus, sharedEvent } from './events.ts';
import { createHookBus } from './hooks.ts';
import type { Loader, LoaderRegistry } from './load-plugins.ts';
import { createPointBoard } from './points.ts';
import { LoaderState, reconcile, reportPlugins, statesOf, stopAll, switchedOff } from './reconcile.ts';
import { createQueue, runOutside } from './reentrance.ts';
import { Scope } from './scope.ts';
import type { KernelParts } from './parts.ts';
import { createWork } from './work.ts';

const self = 'kernel';

/** Nothing is shared between two kernels; whoever makes one closes it. */
export function createKernel(options: KernelOptions = {}): Kernel {
  const log = options.log ?? logToStandardError;
  const scope = new Scope(self);
  const state = new LoaderState();
  let rejected: [plugin: string, text: string][] = [];
  const told = new Set<string>();
  let loadMs = 0;
  /** Worked out once; asked for often. */
  let fields: ReturnType<KernelControl['fields']> | undefined;
  let isClosed = false;
  let watching: Disposable | undefined;
  let closing: Promise<readonly unknown[]> | undefined;

  const events = createEventBus((plugin, event, cause, isLate) => {
    if (event === sharedEvent) log('error', plugin, `listener of '${event}' failed: ${messageOf(cause)}`);
    else tell(plugin, kernelError(isLate ? 'LISTENER_REJECTED' : 'LISTENER_FAULT', { plugin, event, why: messageOf(cause) }));
  });
  const hooks = createHookBus(
    (plugin) => state.ranks.get(plugin) ?? -1,
    ({ plugin, hook, cause }) => {
      if (codeOf(cause) === 'KRN_ERR_HOOK_TIMEOUT') tell(plugin, cause as KernelError);
      else log('warn', plugin, `failed in hook '${hook}': ${messageOf(cause)}`);
    },
    (plugin, hook) => log('warn', plugin, kernelError('HOOK_LEFT', { plugin, hook }).message),
  );
  const points = createPointBoard((plugin, error) => {
    rejected.push([plugin, error.message]);
    tell(plugin, error);
  });
  const container = createContainer();
  const { dataDir, around } = options;
  const parts: KernelParts = {
    ...{ container, hooks, events, points, config: createConfigStore(options), log, dataDir, around },
    servicesChanged: () => settleLater('services changed'),
  };
  const emitter: RootEmitter = { ...createEmitter(self, scope, (code) => code, parts), origin: 'kernel-emitter' };
  const exclusive = createQueue();
  // The app may work before the plugins from outside are there.
  const work = createWork({ members: () => state.outside(), call: (hook) => emitter.call(hook, []), welcome: (late) => hooks.callOf(late, 'app.start') });

  const control: KernelControl = {
    report() {
      const all = warnings();
      const plugins = reportPlugins(state).map((row) => ({
        ...row,
        runningTaps: hooks.running(row.name),
        warnings: all.flatMap(([plugin, text]) => (plugin === row.name ? [text] : [])),
      }));
      return { plugins, warnings: all.map(([, text]) => text), ms: loadMs };
    },
    fields: () => fieldsOf(),
    checkValue(key, text) {
      const [, declared] = state.candidates.flatMap(({ manifest }) => propertiesOf(manifest.config)).find(([, { env }]) => env === key) ?? [];
      return declared && parts.config.check(declared, text);
    },
    setPreferences: (...texts) => exclusive('apply preferences', () => applyPreferences(...texts)),
    setDisabled: (names) =>
      exclusive('switch plugins', async () => {
        const forced = new Set([...state.disabled.keys()].filter((name) => !names.includes(name)));
        // What its source keeps off is switched off by nobody.
        const isKeptOff = (name: string): boolean =>
          !state.disabled.has(name) && state.candidates.some((one) => one.name === name && one.instead?.off !== undefined);
        state.disabled = new Map(names.filter((name) => !isKeptOff(name)).map((name) => [name, state.disabled.get(name) ?? switchedOff]));
        await settle(forced);
      }),
    runAs(plugin, work, what = 'contribution') {
      const candidate = around && state.candidates.find(({ name }) => name === plugin);
      return candidate ? ownCode(candidate, around)(work, what)() : work();
    },
    idle: () => (state.want(), exclusive('wait until it is idle', () => Promise.resolve())),
    start: () => work.hold(),
  };

  const loader: Loader = {
    state,
    async settle(forced) {
      const started = performance.now();
      rejected = rejected.filter(([plugin]) => !forced?.has(plugin));
      await settle(forced);
      loadMs += performance.now() - started;
    },
    report: control.report,
    unknown: () =>
      [
        ...points.unowned().map((use) => unknownName('POINT_UNKNOWN', use, points.names(), options.closest)),
        ...events
          .unowned()
          .filter(({ name }) => !state.candidates.some(({ manifest }) => manifest.events?.includes(name as never)))
          .map((use) => unknownName('EVENT_UNKNOWN', use, events.names(), options.closest)),
        ...hooks.undeclared().map((use) => unknownName('HOOK_UNDECLARED', use, hooks.names(), options.closest)),
      ].filter(({ plugin }) => state.candidates.some((one) => one.name === plugin && isOutside(one))),
    around,
    log,
    exclusive,
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
    resolve: (key) => container.resolve(key) as never,
    blame: (plugin, what) => tell(plugin, kernelError('PLUGIN_FAULT', { plugin, what })),
    trace() {
      const labels = [...state.active.values()].flatMap(({ name, scope: { labels: own } }) => own.map((label) => `${label}@${name}`));
      const deferred = labels.filter((label) => label.startsWith('defer:'));
      return [container, hooks, events, points]
        .flatMap((part) => part.trace())
        .concat(deferred)
        .filter((label) => !label.endsWith(`@${self}`))
        .sort();
    },
    close: () =>
      exclusive('close', () => (closing ??= closeAll())),
  };

  async function closeAll(): Promise<readonly unknown[]> {
    isClosed = true;
    await work.end();
    unwatch();
    const faults = await stopAll(new Set(state.active.keys()), state);
    return [...faults, ...(await scope.close())];
  }

  /** Entitlements come from a service, so a first pass starts what needs none and a second what they unlock. */
  async function settle(forced: ReadonlySet<string> = new Set()): Promise<void> {
    if (isClosed) return;
    fields = undefined;
    const before = statesOf(state);
    for (let next = forced; ; next = new Set()) {
      const faults = await reconcile(state, parts, new Set(Object.keys(given)), next);
      for (const fault of faults) log('error', self, `unloading: ${messageOf(fault)}`);
      if (!watchEntitlements()) break;
    }
    work.joined();
    announceChanges(before);
  }

  function tell(plugin: string, { code, message }: KernelError): void {
    log('error', plugin, message);
    options.onFault?.(plugin, code, message);
    if (told.size === told.add(message).size) return;
    emitter.emit('error', { source: 'plugin', plugin, code, message });
  }

  /** Answers whether another source of entitlements is in force now than before. */
  function watchEntitlements(): boolean {
    const source = container.has('entitlements') ? (container.resolve('entitlements') as EntitlementSource) : undefined;
    if (source === state.entitlements) return false;
    state.entitlements = source;
    unwatch();
    watching = source?.onChange(() => {
      settleLater('entitlements changed');
    });
    return true;
  }

  /** Settles in a turn of its own, whoever asks; nothing waits for it. */
  function settleLater(why: string): void {
    runOutside(() => exclusive(why, () => settle())).catch((fault: unknown) => log('error', self, `${why}: ${messageOf(fault)}`));
  }

  function unwatch(): void {
    void (async () => watching?.dispose())().catch((fault: unknown) => log('error', self, `unloading: ${messageOf(fault)}`));
    watching = undefined;
  }

  function announceChanges(before: ReturnType<typeof statesOf>): void {
    const after = statesOf(state);
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const { state: now, reason } = after.get(name) ?? { state: 'disabled', reason: 'its file is gone' };
      if (before.get(name)?.state === now && before.get(name)?.reason === reason) continue;
      events.emit(self, 'plugin_changed', { name, state: now, ...(reason === undefined ? {} : { reason }) });
    }
  }

  async function applyPreferences(...texts: Parameters<KernelControl['setPreferences']>): Promise<void> {
    const before = new Map(fieldsOf().map((field) => [field.key, field.value]));
    const valuesOf = ({ name, manifest }: Candidate): ConfigSlice['values'] => parts.config.slice(name, manifest.config).values;
    const failed = state.candidates.filter((candidate) => candidate.fault !== undefined).map((candidate) => ({ candidate, values: valuesOf(candidate) }));
    parts.config.replacePreferences(...texts);
    fields = undefined;
    const isChanged = (candidate: Candidate, values: ConfigSlice['values'], next = valuesOf(candidate)): boolean =>
      propertiesOf(candidate.manifest.config).some(([key]) => !isSameValue(key, values, next));
    const forced = new Set(failed.flatMap(({ candidate, values }) => (isChanged(candidate, values) ? [candidate.name] : [])));
    for (const { name, manifest } of state.candidates) {
      const active = state.active.get(name);
      if (active && refreshSlice(active, manifest.config)) forced.add(name);
    }
    await settle(forced);
    const keys = fieldsOf().flatMap((field) => (before.get(field.key) === field.value ? [] : [field.key]));
    if (keys.length > 0) events.emit(self, 'settings_changed', { keys });
  }

  /** Replaces `live` values in place; answers whether the plugin must register again. */
  function refreshSlice(active: ActivePlugin, schema: unknown): boolean {
    const { values: next, fault } = parts.config.slice(active.name, schema);
    if (fault) {
      // What runs is not stopped by a text that somebody wrote into a file.
      log('warn', active.name, `keeps the settings it has: ${fault.message}`);
      return false;
    }
    let mustReload = false;
    for (const [key, property] of propertiesOf(schema)) {
      if (isSameValue(key, next, active.slice.values)) continue;
      if (property.apply === 'live') copyValue(key, next, active.slice.values);
      else if (property.apply !== 'restart') mustReload = true;
    }
    return mustReload;
  }

  function fieldsOf(): ReturnType<KernelControl['fields']> {
    return (fields ??= state.candidates.flatMap((candidate) => parts.config.slice(candidate.name, candidate.manifest.config).fields));
  }

  function warnings(): [plugin: string, text: string][] {
    const kept = state.candidates.filter((candidate) => isFixed(candidate) && state.disabled.has(candidate.name));
    const whyOf = (origin: string): string => (origin === 'platform' ? 'is part of the platform' : 'is fixed by the product');
    return [
      ...kept.map(({ name, origin }): [string, string] => [name, `'${name}' ${whyOf(origin)} and cannot be switched off.`]),
      ...loader.unknown().map(({ plugin = self, message }): [string, string] => [plugin, message]),
      ...rejected,
      ...state.candidates.flatMap(({ name, stale }): [string, string][] => (stale ? [[name, stale.message]] : [])),
      ...state.candidates.flatMap(({ name, instead }): [string, string][] => (instead?.note === undefined ? [] : [[name, instead.note]])),
      ...fieldsOf().flatMap(({ plugin, warning }) => (warning === undefined ? [] : [[plugin, warning] as [string, string]])),
    ];
  }
}

const logToStandardError: LogSink = (level, plugin, message, fields) => {
  if (level === 'debug') return;
  process.stderr.write(`${level} ${plugin}: ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}\n`);
};
