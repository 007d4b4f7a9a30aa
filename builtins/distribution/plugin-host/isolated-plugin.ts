// Represents a plugin in a child process as a plugin module: starts the process at first use, and applies its registrations.
import { lstat, mkdir } from 'node:fs/promises';
import { errorPrefix } from 'agent-harness/kernel';
import type { Disposable, Emitter, PluginManifest, PluginModule, Registry } from 'agent-harness/kernel';
import { withLimit } from 'agent-harness/lib/async';
import type { PluginFaultKind } from 'agent-harness/plugins/settings';
import type { PluginMeter } from './plugin-usage.ts';
import type { Setting } from './child-registry.ts';
import type { Capabilities } from './capabilities.ts';
import type { ServerNames } from './allowed-contributions.ts';
import type { ServerCallParts, ServerCalls } from './server-calls.ts';
import type { PluginProcess } from './plugin-process.ts';
import type { Registered } from './child.ts';
import { settingKey, type CachedPlugin } from './registration-cache.ts';
import { applyRegistrations } from './applied-registrations.ts';
import { haveSameDoors, registrationsBefore, registrationsOf } from './read-registrations.ts';
import { createStallWatch } from './stall-watch.ts';
import type { Held } from './rpc-codec.ts';

export interface IsolatedParts {
  readonly path: string;
  /** Its own file, or its folder. */
  readonly own: readonly string[];
  readonly capabilities: Capabilities;
  /** As its file states it. */
  readonly manifest: PluginManifest;
  /** Path of bubblewrap where it works on this machine; probed with the first call. */
  readonly bubblewrap: () => Promise<string | undefined>;
  /** Cache of its registrations. */
  readonly kept: CachedPlugin;
  /** Called when the process ends unexpectedly. */
  readonly onFault: (what: string, kind: PluginFaultKind) => void;
  readonly meter: Pick<PluginMeter, 'guest'>;
  readonly server: ServerNames;
}

/** Time limit of its deferred undos, in milliseconds. */
const lastMs = 2_000;
/** Restarts within the window of {@link restartsWithinMs}. */
const restarts = 3;
const restartsWithinMs = 10 * 60_000;

/** The module that the kernel loads in place of the file. */
export function isolatedPlugin(parts: IsolatedParts): PluginModule<never> {
  return { manifest: parts.manifest as never, register: (registry, emitter) => registerIsolated(parts, registry as unknown as Registry, emitter) };
}

/** Applies cached registrations without a process where there are any for these settings; starts the process otherwise. */
function registerIsolated(parts: IsolatedParts, registry: Registry, emitter: Emitter): Disposable | Promise<Disposable> {
  const { path, own, manifest, capabilities, bubblewrap, kept, onFault, meter, server } = parts;
  const { timeMs, memoryMb } = capabilities;
  const stalled = `it did not answer for ${timeMs / 1_000} s, because it computes`;
  const { requires = [], optional = [] } = manifest;
  const services = registry.services as unknown as Readonly<Record<string, unknown>>;
  const here = applyRegistrations({ manifest, capabilities, registry, emitter, onFault, server });
  const ends: number[] = [];
  let guest: PluginProcess | undefined;
  /** The process that has registered, or is registering. */
  let current: Promise<PluginProcess> | undefined;
  let ending: Promise<void> | undefined;
  let runs = 0;
  /** Incremented when a later run registers other functions under the same ids. */
  let generation = 0;
  let doors: ServerCalls | undefined;
  const stalls = createStallWatch(
    timeMs,
    () => guest,
    (one) => {
      lose(one, stalled, true);
      void one.running.kill();
    },
  );

  /** An error that names the plugin, so that a caller does not take it for a fault of the server. */
  const gone = (what: string): Error =>
    Object.assign(new Error(`Plugin '${manifest.name}' ${what}`), { code: `${errorPrefix(manifest.name)}_ERR_ENDED`, status: 503, plugin: manifest.name });

  /** Calls survive a restart: what is registered at the start has the same id in each run. */
  const stub =
    (id: string): Held =>
    async (...args) =>
      ask(id, args);

  async function ask(target: string, args: readonly unknown[]): Promise<unknown> {
    const before = generation;
    const { rpc } = await (current ?? startNext());
    if (before !== generation) throw gone('registered other things than before; try again.');
    stalls.watch();
    return rpc.call(target, args);
  }

  /** A failed start is repeated by the next call. */
  function startNext(): Promise<PluginProcess> {
    const next = (current = start());
    next.catch(() => (current === next ? (current = undefined) : undefined));
    return next;
  }

  /** Resolves once the plugin has registered. On rejection no process is left. */
  async function start(): Promise<PluginProcess> {
    if (ending) throw gone('was unloaded.');
    if (ends.filter((at) => at > performance.now() - restartsWithinMs).length > restarts) {
      throw gone(`is not started again for now, because it ended ${ends.length} times.`);
    }
    // Most plugins are not used after a start, so the modules that run one are loaded here.
    const [{ createServerCalls }, { openPluginProcess }, { launchPlugin }] = await Promise.all([
      import('./server-calls.ts'),
      import('./plugin-process.ts'),
      import('./launch.ts'),
    ]);
    if (ending) throw gone('was unloaded.');
    // The files that were approved are the files that run.
    if (!kept.isUnchanged()) throw gone('cannot start, because its files changed after they were read. Reload the plugins.');
    const asked = (doors ??= makeDoors(createServerCalls));
    const { dataDir } = registry.plugin;
    await mkdir(dataDir, { recursive: true });
    if ((await lstat(dataDir)).isSymbolicLink()) throw gone(`cannot start, because ${dataDir} is a link. Put a folder there.`);
    const sandbox = await bubblewrap();
    if (ending) throw gone('was unloaded.');
    const place = { readable: [...own, ...capabilities.read], writable: [dataDir, ...capabilities.write], memoryMb };
    const before = asked.used;
    const started: PluginProcess = openPluginProcess(launchPlugin(place, sandbox), asked.doors, stub, (why) => {
      lose(started, why);
      void started.running.kill();
    });
    guest = started;
    started.run = meter.guest(manifest.name, () => started.rpc.call('usage', []));
    started.running.onOutput((text) => asked.say('info', text.trimEnd()));
    started.running.onEnd((why) => lose(started, why));
    stalls.watch();
    try {
      const { bytes, isDone } = (await started.rpc.call('register', [path, manifest, settingNow()])) as Registered;
      started.registered = registrationsOf(bytes, started.rpc.decode);
      Object.assign(started, { bytes, isDone: isDone && asked.used === before });
      const { taken } = here;
      if (taken && !Buffer.from(taken).equals(bytes)) await takeAnew(taken, bytes, started.registered);
      return started;
    } catch (fault) {
      forget(started, gone('could not register.'));
      await started.running.kill();
      throw fault;
    }
  }

  /** The registrations of this run differ from the cached ones: the plugin reads the time or other files. */
  async function takeAnew(before: Uint8Array, bytes: Uint8Array, registered: NonNullable<PluginProcess['registered']>): Promise<void> {
    // Texts may differ; functions must not be confused.
    if (!haveSameDoors(before, bytes)) generation++;
    await here.clear();
    here.takeAll(bytes, registered);
    kept.keep({ manifest, isChanging: true });
  }

  function makeDoors(create: (parts: ServerCallParts) => ServerCalls): ServerCalls {
    return create({
      ...{ manifest, capabilities, onFault, registry, emitter },
      take: (one) => (ending ? undefined : here.take(one)),
      dispose: here.dispose,
    });
  }

  function lose(lost: PluginProcess, why: string, isStalled = false): void {
    if (lost.isLost) return;
    lost.isLost = true;
    const what = `ended: ${why}.`;
    ends.push(performance.now());
    lost.run?.gone(true, isStalled ? timeMs : 0);
    forget(lost, gone(what));
    if (!ending) onFault(what, isStalled ? 'stall' : 'crash');
  }

  function forget(lost: PluginProcess, reason: Error): void {
    lost.rpc.close(reason);
    if (guest !== lost) return;
    guest = undefined;
    current = undefined;
    // Later registrations belonged to that run.
    here.endRun();
  }

  const settingNow = (): Setting => ({
    run: runs++,
    dataDir: registry.plugin.dataDir,
    config: { ...registry.config },
    services: [...requires, ...optional].filter((key) => services[key] !== undefined),
  });

  const end = (): Promise<void> => (ending ??= endOnce());
  try {
    const setting = settingKey(settingNow());
    const before = kept.registered?.setting === setting ? kept.registered.bytes : undefined;
    if (!before) return startNow(setting);
    here.takeAll(before, registrationsBefore(before, stub));
  } catch (fault) {
    void end();
    throw fault;
  }
  return listening();

  async function startNow(setting: string): Promise<Disposable> {
    // Also after the time limit of the kernel for register().
    registry.signal.addEventListener('abort', () => void end());
    try {
      const started = await startNext();
      const { bytes = new Uint8Array(), registered = [] } = started;
      if (!ending) here.takeAll(bytes, registered);
      if (started.isDone === true && !kept.isChanging) {
        kept.keep({ manifest, registered: { setting, bytes } });
        await rest(started);
      }
    } catch (fault) {
      await end();
      throw fault;
    }
    return listening();
  }

  function listening(): Disposable {
    if (!ending) emitter.on('settings_changed', () => guest?.rpc.tell('config', { ...registry.config }));
    return { dispose: end };
  }

  async function endOnce(): Promise<void> {
    stalls.stop();
    const last = guest;
    if (!last) return;
    // Its deferred undos run first.
    if (last.registered) await withLimit(last.rpc.call('end', []), lastMs, () => undefined).catch(() => undefined);
    await rest(last);
  }

  /** Ends the process; a later call starts another one. */
  async function rest(last: PluginProcess): Promise<void> {
    await last.run?.last();
    last.run?.gone(false);
    last.isLost = true;
    forget(last, gone('was unloaded.'));
    await last.running.kill();
  }
}
