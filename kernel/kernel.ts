// Makes a kernel: wires the parts, runs every change through one serial queue, and takes everything down again.
import { isDeepStrictEqual } from 'node:util';
import type { Disposable, EntitlementSource, Kernel, KernelControl, KernelOptions, LogSink, PluginReport, RootEmitter } from './contracts.ts';
import type { ActivePlugin, KernelParts } from './activate.ts';
import { createConfigStore, propertiesOf } from './config.ts';
import { createContainer } from './container.ts';
import type { Candidate } from './discover.ts';
import { createEmitter } from './emitter.ts';
import { messageOf } from './errors.ts';
import { createEventBus } from './events.ts';
import { createHookBus } from './hooks.ts';
import type { Loader, LoaderRegistry } from './load-plugins.ts';
import { createPointBoard } from './points.ts';
import { createLoaderState, reconcile, reportPlugins, stopAll } from './reconcile.ts';
import { Scope } from './scope.ts';

const self = 'kernel';

/** Nothing is shared between two kernels; whoever makes one closes it. */
export function createKernel(options: KernelOptions = {}): Kernel {
  const log = options.log ?? logToStandardError;
  const scope = new Scope(self);
  const state = createLoaderState();
  const rejected = new Set<string>();
  let loadMs = 0;
  let fields: { readonly count: number; readonly all: ReturnType<KernelControl['fields']> } | undefined;
  let isClosed = false;
  let watching: Disposable | undefined;

  const events = createEventBus((plugin, event, cause) => log('error', plugin, `listener of '${event}' failed: ${messageOf(cause)}`));
  const hooks = createHookBus(
    (plugin) => state.ranks.get(plugin) ?? -1,
    (fault) => log('warn', fault.plugin, `failed in hook '${fault.hook}': ${messageOf(fault.cause)}`),
  );
  const points = createPointBoard((plugin, error) => {
    rejected.add(messageOf(error));
    emitter.emit('error', { source: 'plugin', plugin, code: 'KRN_ERR_CONTRIBUTION_INVALID', message: messageOf(error) });
  });
  const container = createContainer();
  const parts: KernelParts = { container, hooks, events, points, config: createConfigStore(options), log, dataDir: options.dataDir };
  const emitter: RootEmitter = { ...createEmitter(self, scope, parts), origin: 'kernel-emitter' };
  const exclusive = createQueue();

  const control: KernelControl = {
    report: () => ({ plugins: reportPlugins(state), warnings: warnings(), ms: loadMs }),
    fields: () => fieldsOf(),
    checkValue(key, text) {
      const declared = declaredProperties().find(([, property]) => property.env === key);
      return declared && parts.config.check(declared[1], text);
    },
    setPreferences: (preferences, dotenv) => exclusive(() => applyPreferences(preferences, dotenv)),
    setDisabled: (names) =>
      exclusive(async () => {
        const forced = new Set([...state.disabled].filter((name) => !names.includes(name)));
        state.disabled = new Set(names);
        await settle(forced);
      }),
    idle: () => exclusive(() => Promise.resolve()),
    openScope: (label) => container.openScope(label),
  };

  const loader: Loader = {
    candidates: state.candidates,
    configure({ disabled, timeoutMs }) {
      if (disabled) state.disabled = new Set(disabled);
      if (timeoutMs !== undefined) state.timeoutMs = timeoutMs;
    },
    async settle() {
      const started = performance.now();
      await settle();
      loadMs += performance.now() - started;
    },
    report: control.report,
    exclusive,
  };

  const given: Record<string, unknown> = { ...options.services, kernel: control };
  for (const [key, value] of Object.entries(given)) container.provide(self, key, () => value);
  for (const event of ['kernel_ready', 'plugin_changed', 'settings_changed']) events.own(self, event);

  return {
    registry: { origin: 'kernel-registry', loader } as LoaderRegistry,
    emitter,
    control,
    resolve: (key) => container.resolve(key) as never,
    trace: () =>
      [...container.trace(), ...hooks.trace(), ...events.trace(), ...points.trace(), ...deferred()].filter((label) => !label.endsWith(`@${self}`)).sort(),
    close: () =>
      exclusive(async () => {
        isClosed = true;
        unwatch();
        const faults = await stopAll(new Set(state.active.keys()), state);
        await container.closeScopes().catch((fault: unknown) => faults.push(fault));
        return [...faults, ...(await scope.close())];
      }),
  };

  /** Entitlements come from a service, so a first pass starts what needs none and a second what they unlock. */
  async function settle(forced: ReadonlySet<string> = new Set()): Promise<void> {
    if (isClosed) return;
    const before = new Map(reportPlugins(state).map((row) => [row.name, row]));
    for (let next = forced; ; next = new Set()) {
      const faults = await reconcile(state, parts, new Set(Object.keys(given)), next);
      for (const fault of faults) log('error', self, `unloading: ${messageOf(fault)}`);
      if (!watchEntitlements()) break;
    }
    announceChanges(before);
  }

  /** Answers whether another source of entitlements is in force now than before. */
  function watchEntitlements(): boolean {
    const source = container.has('entitlements') ? (container.resolve('entitlements') as EntitlementSource) : undefined;
    if (source === state.entitlements) return false;
    state.entitlements = source;
    unwatch();
    watching = source?.onChange(() => {
      exclusive(() => settle()).catch((fault: unknown) => log('error', self, `entitlements changed: ${messageOf(fault)}`));
    });
    return true;
  }

  function unwatch(): void {
    const disposed = (async () => watching?.dispose())();
    disposed.catch((fault: unknown) => log('error', self, `unloading: ${messageOf(fault)}`));
    watching = undefined;
  }

  function announceChanges(before: ReadonlyMap<string, PluginReport>): void {
    for (const row of reportPlugins(state)) {
      const was = before.get(row.name);
      if (was?.state === row.state && was.reason === row.reason) continue;
      events.emit(self, 'plugin_changed', { name: row.name, state: row.state, ...(row.reason === undefined ? {} : { reason: row.reason }) });
    }
  }

  async function applyPreferences(...texts: Parameters<KernelControl['setPreferences']>): Promise<void> {
    const before = new Map(fieldsOf().map((field) => [field.key, field.value]));
    const valuesOf = ({ name, manifest }: Candidate): unknown => parts.config.slice(name, manifest.config).values;
    const failed = state.candidates.filter((candidate) => candidate.fault !== undefined).map((candidate) => ({ candidate, values: valuesOf(candidate) }));
    parts.config.replacePreferences(...texts);
    fields = undefined;
    const mended = failed.filter(({ candidate, values }) => !isDeepStrictEqual(values, valuesOf(candidate)));
    const forced = new Set(mended.map(({ candidate }) => candidate.name));
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
      if (next[key] === active.slice.values[key]) continue;
      if (property.apply === 'live') active.slice.values[key] = next[key];
      else if (property.apply !== 'restart') mustReload = true;
    }
    return mustReload;
  }

  function declaredProperties(): [string, ReturnType<typeof propertiesOf>[number][1]][] {
    return state.candidates.flatMap((candidate) => propertiesOf(candidate.manifest.config).map(([, property]) => [candidate.name, property] as const)) as never;
  }

  /** Worked out once; asked for often. */
  function fieldsOf(): ReturnType<KernelControl['fields']> {
    const count = state.candidates.length;
    if (fields?.count !== count) fields = { count, all: listFields() };
    return fields.all;
  }

  function listFields(): ReturnType<KernelControl['fields']> {
    return state.candidates.flatMap((candidate) => parts.config.slice(candidate.name, candidate.manifest.config).fields);
  }

  function warnings(): string[] {
    return [
      ...hooks.undeclared().map((one) => `nobody declares the hook: ${one}`),
      ...points.unowned().map((one) => `nobody owns the contribution point: ${one}`),
      ...rejected,
      ...fieldsOf().flatMap((field) => field.warning ?? []),
    ];
  }

  function deferred(): string[] {
    return [...state.active.values()].flatMap((plugin) =>
      plugin.scope.labels.filter((label) => label.startsWith('defer:')).map((label) => `${label}@${plugin.name}`),
    );
  }
}

/** Runs one piece of work after the other, whatever becomes of each. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = tail.then(work);
    tail = run.catch(() => undefined);
    return run;
  };
}

const logToStandardError: LogSink = (level, plugin, message, fields) => {
  if (level === 'debug') return;
  process.stderr.write(`${level} ${plugin}: ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}\n`);
};
