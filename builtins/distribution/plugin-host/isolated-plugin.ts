// Wraps a plugin that runs in a child process as a plugin module: starts the process on first use, and applies the plugin's registrations.
import { lstat, mkdir } from 'node:fs/promises';
import { errorPrefix } from 'agent-harness/kernel';
import type { Disposable, Emitter, PluginModule, Registry } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import { applyRegistrations, type AppliedParts, haveSameFunctions, registrationsBefore, registrationsOf } from './applied-registrations.ts';
import type { Registration, Setting } from './child-registry.ts';
import type { Registered } from './child.ts';
import { ownFiles } from './plugin-files.ts';
import type { PluginProcess } from './plugin-process.ts';
import type { PluginFaultKind } from './quarantine.ts';
import { settingKey, type CachedPlugin } from './registration-cache.ts';
import type { Held } from './rpc-codec.ts';
import type { ServerCalls } from './server-calls.ts';

export interface IsolatedParts extends Pick<AppliedParts, 'manifest' | 'capabilities' | 'server' | 'onFault'> {
  readonly path: string;
  /** Returns the path of bubblewrap if it works on this machine; checked on the first call. */
  readonly bubblewrap: () => Promise<string | undefined>;
  readonly kept: CachedPlugin;
}

/** A process whose plugin has registered. */
interface Run {
  readonly child: PluginProcess;
  readonly text: string;
  readonly registered: readonly Registration[];
  /** Whether the plugin is idle; its process may then end until the next call. */
  readonly isDone: boolean;
}

/** Time limit for the plugin's deferred undos, in milliseconds. */
const lastMs = 2_000;
/** Maximum number of restarts within {@link restartsWithinMs}. */
const restarts = 3;
const restartsWithinMs = 10 * 60_000;

/** Returns the module that the kernel loads instead of the plugin's file. */
export function isolatedPlugin(parts: IsolatedParts): PluginModule<never> {
  return { manifest: parts.manifest as never, register: (registry, emitter) => registerIsolated(parts, registry as unknown as Registry, emitter) };
}

/** Applies the cached registrations for these settings without starting a process, if there are any; otherwise starts the process. */
function registerIsolated(parts: IsolatedParts, registry: Registry, emitter: Emitter): Disposable | Promise<Disposable> {
  const { path, manifest, capabilities, bubblewrap, kept, onFault, server } = parts;
  const { requires = [], optional = [] } = manifest;
  const services = registry.services as unknown as Readonly<Record<string, unknown>>;
  const here = applyRegistrations({ manifest, capabilities, registry, emitter, onFault, server });
  const ends: number[] = [];
  let child: PluginProcess | undefined;
  let run: Run | undefined;
  /** The current run, registered or registering. */
  let current: Promise<Run> | undefined;
  let ending: Promise<void> | undefined;
  let runs = 0;
  /** Incremented when a later run registers other functions under the same ids. */
  let generation = 0;
  let calls: ServerCalls | undefined;

  /** Creates an error that names the plugin, so that the caller does not attribute it to the server. */
  const gone = (what: string): Error =>
    Object.assign(new Error(`Plugin '${manifest.name}' ${what}`), { code: `${errorPrefix(manifest.name)}_ERR_ENDED`, status: 503, plugin: manifest.name });

  /** Creates the stub of a function. Calls still work after a restart, because registrations have the same ids in each run. */
  const stub =
    (id: string): Held =>
    async (...args) => {
      const before = generation;
      const { child: callee } = await (current ?? startNext());
      if (before !== generation) throw gone('changed its registrations after a restart; try again.');
      return callee.call(id, args);
    };

  /** Starts the next run; the next call repeats a failed start. */
  function startNext(): Promise<Run> {
    const next = (current = start());
    next.catch(() => (current === next ? (current = undefined) : undefined));
    return next;
  }

  /** Starts a run. Resolves when the plugin has registered; if it rejects, no process is left. */
  async function start(): Promise<Run> {
    refuseEnded();
    if (ends.filter((at) => at > performance.now() - restartsWithinMs).length > restarts) {
      throw gone(`is not restarted for now, because it ended ${ends.length} times.`);
    }
    // The modules that run a process are loaded here, because most plugins are not used after a start.
    const [{ createServerCalls }, { startProcess }] = await Promise.all([import('./server-calls.ts'), import('./plugin-process.ts')]);
    refuseEnded();
    // The files must be the approved ones.
    if (!kept.isUnchanged()) throw gone('cannot start, because its files changed after they were approved. Reload the plugins.');
    const take = (one: Registration): void => (ending ? undefined : here.take(one));
    const { doors, say } = (calls ??= createServerCalls({ manifest, capabilities, onFault, registry, emitter, take, dispose: here.dispose }));
    const { dataDir } = registry.plugin;
    await mkdir(dataDir, { recursive: true });
    if ((await lstat(dataDir)).isSymbolicLink()) throw gone(`cannot start, because ${dataDir} is a link. Replace it with a folder.`);
    const sandbox = await bubblewrap();
    refuseEnded();
    const { read, write, memoryMb, timeMs } = capabilities;
    const place = { readable: [...ownFiles(path), ...read], writable: [dataDir, ...write], memoryMb, bubblewrap: sandbox };
    const { used } = calls;
    const onOutput = (text: string): void => say('info', text.trimEnd());
    const started = startProcess({ place, doors, stub, timeMs, onOutput, onLost: (why, kind) => lose(started, why, kind) });
    child = started;
    try {
      const { text, isDone } = (await started.call('register', [path, manifest, settingNow()])) as Registered;
      const registered = registrationsOf(text, started.rpc.decode);
      const next = { child: started, text, registered, isDone: isDone && calls.used === used };
      if (child === started) run = next;
      const before = here.taken();
      if (before !== undefined && before !== text) await applyChanged(before, text, registered);
      return next;
    } catch (fault) {
      forget(started);
      await started.end(gone('could not register.'));
      throw fault;
    }
  }

  function refuseEnded(): void {
    if (ending) throw gone('was unloaded.');
  }

  /** Applies the registrations of this run if they differ from the cached ones. They differ if the plugin depends on the time or on other files. */
  async function applyChanged(before: string, text: string, registered: readonly Registration[]): Promise<void> {
    // Texts may differ, but functions must keep their ids.
    if (!haveSameFunctions(before, text)) generation++;
    await here.clear();
    here.takeAll(text, registered);
    kept.keep({ manifest, isChanging: true });
  }

  function lose(lost: PluginProcess, why: string, kind: PluginFaultKind): Error {
    const what = `ended: ${why}.`;
    ends.push(performance.now());
    forget(lost);
    if (!ending) onFault(what, kind);
    return gone(what);
  }

  function forget(lost: PluginProcess): void {
    if (child !== lost) return;
    child = run = current = undefined;
    // Undoes the registrations that the ended run added after its start.
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
    const { registered, isChanging = false } = kept.values;
    if (registered?.setting !== setting) return startNow(setting, isChanging);
    here.takeAll(registered.text, registrationsBefore(registered.text, stub));
  } catch (fault) {
    void end();
    throw fault;
  }
  return listening();

  async function startNow(setting: string, isChanging: boolean): Promise<Disposable> {
    // Also runs if `register` exceeded the kernel's time limit.
    registry.signal.addEventListener('abort', () => void end());
    try {
      const { child: started, text, registered, isDone } = await startNext();
      if (!ending) here.takeAll(text, registered);
      if (isDone && !isChanging) {
        kept.keep({ manifest, registered: { setting, text } });
        await rest(started);
      }
    } catch (fault) {
      await end();
      throw fault;
    }
    return listening();
  }

  function listening(): Disposable {
    if (!ending) emitter.on('settings_changed', () => child?.rpc.notify('config', { ...registry.config }));
    return { dispose: end };
  }

  async function endOnce(): Promise<void> {
    const last = child;
    if (!last) return;
    // Runs the plugin's deferred undos first.
    if (run) await withLimit(last.rpc.call('end', []), lastMs, () => undefined).catch(() => undefined);
    await rest(last);
  }

  /** Ends the process; a later call starts another one. */
  async function rest(last: PluginProcess): Promise<void> {
    forget(last);
    await last.end(gone('was unloaded.'));
  }
}
