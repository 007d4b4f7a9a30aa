// The server's side of a plugin that runs in a thread or a process of its own: to the kernel a module like any other.
import { mkdir } from 'node:fs/promises';
import { errorPrefix } from 'agent-harness/kernel';
import type { Disposable, Emitter, PluginManifest, PluginModule, Registry } from 'agent-harness/kernel';
import { withLimit } from 'agent-harness/lib/async';
import { messageOf } from 'agent-harness/lib/errors';
import type { PluginFaultKind } from 'agent-harness/plugins/settings';
import type { PluginMeter } from '../plugin-usage.ts';
import type { Registration, Setting } from './guest-registry.ts';
import { refuseHook, type Capabilities } from './capabilities.ts';
import { createGuestDoors } from './guest-doors.ts';
import { refuseEvent } from './heard-events.ts';
import { haveSameDoors, mostMessages, openGuest, registrationsBefore, registrationsOf, type Guest } from './guest-run.ts';
import type { Registered } from './guest.ts';
import { settingKey, type KeptPlugin } from './kept.ts';
import { launchGuest, type Tier } from './launch.ts';
import { guarded, refuseAtOnce } from './points.ts';
import { createStallWatch } from './stall-watch.ts';
import type { ThreadMemory } from './thread-memory.ts';
import type { Held } from './wire.ts';

export interface IsolatedParts {
  readonly path: string;
  readonly tier: Tier;
  /** Its own file or folder. */
  readonly own: readonly string[];
  readonly capabilities: Capabilities;
  /** Its file says so. */
  readonly manifest: PluginManifest;
  /** The program, where it works here; looked for at the first call. */
  readonly bubblewrap: () => Promise<string | undefined>;
  /** What it registered in an earlier start, and where that is kept. */
  readonly kept: KeptPlugin;
  /** Hears why it ended by itself. */
  readonly onFault: (what: string, kind: PluginFaultKind) => void;
  readonly meter: Pick<PluginMeter, 'guest'>;
  readonly threads: ThreadMemory;
}

/** For what it deferred. */
const lastMs = 2_000;
/** It is started again when it is needed, but not for ever. */
const restarts = 3;
const restartsWithinMs = 10 * 60_000;
/** Events that it has not read yet; further ones are not sent. */
const eventsBehind = 1_000;

/** What whoever loads plugins gets in place of the module. */
export function isolatedPlugin(parts: IsolatedParts): PluginModule<never> {
  return { manifest: parts.manifest as never, register: (registry, emitter) => registerIsolated(parts, registry as unknown as Registry, emitter) };
}

async function registerIsolated(parts: IsolatedParts, registry: Registry, emitter: Emitter): Promise<Disposable> {
  const { path, manifest, tier, own, capabilities, bubblewrap, kept, onFault, meter, threads } = parts;
  const { timeMs, memoryMb } = capabilities;
  const stalled = `it did not answer for ${timeMs / 1_000} s, because it computes`;
  const { requires = [], optional = [] } = manifest;
  const services = registry.services as unknown as Readonly<Record<string, unknown>>;
  const made = new Map<number, Disposable>();
  const scopes = new Map<number, Pick<Registry, 'add' | 'child'>>([[0, registry]]);
  const ends: number[] = [];
  /** The last of what a run of it registers at its start; further ones end with the run. */
  let lastOfStart = Infinity;
  let guest: Guest | undefined;
  /** Of a guest that has registered, or is about to. */
  let current: Promise<Guest> | undefined;
  let ending: Promise<void> | undefined;
  let behind = 0;
  let runs = 0;
  /** What stands registered here; another generation of it has other functions under the same ids. */
  let taken: Uint8Array | undefined;
  let generation = 0;
  const asked = createGuestDoors({
    ...{ manifest, capabilities, onFault, registry, emitter, take },
    dispose(handle) {
      const one = made.get(handle);
      made.delete(handle);
      return one?.dispose();
    },
  });
  const stalls = createStallWatch(
    timeMs,
    () => guest,
    (one) => {
      lose(one, stalled);
      void one.running.kill();
    },
  );

  /** Whoever waits for it hears which plugin it was, and not that the server is at fault. */
  const gone = (what: string): Error =>
    Object.assign(new Error(`Plugin '${manifest.name}' ${what}`), { code: `${errorPrefix(manifest.name)}_ERR_ENDED`, status: 503, plugin: manifest.name });

  /** Calls survive a restart: what is registered at the start has the same id in each run. */
  const stub =
    (id: string): Held =>
    async (...args) =>
      ask(id, args);

  async function ask(target: string, args: readonly unknown[]): Promise<unknown> {
    const before = generation;
    const { membrane } = await (current ??= start());
    if (before !== generation) throw gone('registered other things than before; try again.');
    stalls.watch();
    return membrane.call(target, args);
  }

  /** Resolves once it has registered. Rejects with nothing left running. */
  async function start(): Promise<Guest> {
    if (ending) throw gone('was unloaded.');
    if (ends.filter((at) => at > performance.now() - restartsWithinMs).length > restarts) {
      throw gone(`is not started again for now, because it ended ${ends.length} times.`);
    }
    if (!kept.isUnchanged()) throw gone('holds other files than those that were read; reload the plugins.');
    const { dataDir } = registry.plugin;
    if (tier === 'child') await mkdir(dataDir, { recursive: true });
    const sandbox = tier === 'child' ? await bubblewrap() : undefined;
    if (ending) throw gone('was unloaded.');
    const place = { readable: [...own, ...capabilities.read], writable: [dataDir, ...capabilities.write], memoryMb, threads };
    const before = asked.used;
    const started: Guest = openGuest(launchGuest(tier, place, sandbox), asked.doors, stub, () => {
      lose(started, `it sent more than ${mostMessages} messages in a second`);
      void started.running.kill();
    });
    guest = started;
    started.run = meter.guest(manifest.name, () => started.membrane.call('usage', []));
    started.running.onOutput((text) => asked.say('info', text.trimEnd()));
    started.running.onEnd((why) => lose(started, why));
    stalls.watch();
    try {
      const { bytes, isDone } = (await started.membrane.call('register', [path, manifest, settingNow()])) as Registered;
      started.registered = registrationsOf(bytes, started.membrane.decode);
      Object.assign(started, { bytes, isDone: isDone && asked.used === before });
      if (taken && !Buffer.from(taken).equals(bytes)) await takeAnew(taken, bytes, started.registered);
      return started;
    } catch (fault) {
      forget(started, gone('could not register.'));
      await started.running.kill();
      throw fault;
    }
  }

  /** Its file reads what is elsewhere, or the time: what it registered in another run is not what it knows now. */
  async function takeAnew(before: Uint8Array, bytes: Uint8Array, registered: readonly Registration[]): Promise<void> {
    // Texts may differ; whoever calls a function must get that one.
    if (!haveSameDoors(before, bytes)) generation++;
    for (const [handle, one] of [...made].reverse()) {
      made.delete(handle);
      scopes.delete(handle);
      await one.dispose();
    }
    takeAll(bytes, registered);
    kept.keep({ manifest, isChanging: true });
  }

  function takeAll(bytes: Uint8Array, registered: readonly Registration[]): void {
    lastOfStart = Infinity;
    for (const registration of registered) take(registration);
    lastOfStart = Math.max(0, ...registered.map(({ handle }) => handle));
    taken = bytes;
  }

  function lose(lost: Guest, why: string): void {
    if (lost.isLost) return;
    lost.isLost = true;
    const what = `ended: ${why}.`;
    ends.push(performance.now());
    lost.run?.gone(true, why === stalled ? timeMs : 0);
    forget(lost, gone(what));
    if (!ending) onFault(what, why === stalled ? 'stall' : 'crash');
  }

  function forget(lost: Guest, reason: Error): void {
    lost.membrane.close(reason);
    if (guest !== lost) return;
    guest = undefined;
    current = undefined;
    // What came later was of that run alone.
    for (const [handle, one] of [...made].reverse()) {
      if (handle <= lastOfStart) continue;
      made.delete(handle);
      scopes.delete(handle);
      void Promise.resolve(one.dispose()).catch((fault: unknown) => registry.log.error(messageOf(fault)));
    }
  }

  const settingNow = (): Setting => ({
    run: runs++,
    dataDir: registry.plugin.dataDir,
    config: { ...registry.config },
    services: [...requires, ...optional].filter((key) => services[key] !== undefined),
  });

  function take({ kind, handle, scope, args }: Registration): void {
    if (ending) return;
    const inner = scopes.get(scope);
    if (!inner) return;
    const [first, second, third] = args as [never, never, never];
    if (kind === 'child') {
      const part = inner.child(first);
      scopes.set(handle, part);
      made.set(handle, part);
    } else if (kind === 'add') {
      refuseAtOnce(manifest.name, first, second);
      made.set(handle, inner.add(first, guarded(first, second) as never));
    }
    if (kind === 'tap') {
      refuseHook(manifest.name, capabilities, first);
      made.set(handle, emitter.tap(first, ((...of: unknown[]) => tapped(second, of)) as never, third ?? {}));
    }
    if (kind === 'on') {
      refuseEvent(manifest.name, first, manifest);
      const heard = emitter.on(first, (payload) => void told(second, payload));
      made.set(handle, heard);
    }
  }

  /** The context of a tap has its signal as a getter, which is made only for who asks. */
  function tapped(fn: Held, args: unknown[]): unknown {
    const { signal } = args.at(-1) as { readonly signal: AbortSignal };
    return fn(...args.slice(0, -1), { signal });
  }

  async function told(fn: Held, payload: unknown): Promise<void> {
    if (behind >= eventsBehind) {
      if (behind++ === eventsBehind) onFault(`reads events too slowly; those beyond ${eventsBehind} are not sent to it.`, 'slow');
      return;
    }
    behind++;
    try {
      await fn(payload);
    } catch (fault) {
      registry.log.warn(`a listener failed: ${messageOf(fault)}`);
    } finally {
      behind = Math.min(behind, eventsBehind) - 1;
    }
  }

  const end = (): Promise<void> => (ending ??= endOnce());
  // Also where whoever loads it no longer waits for it to register.
  registry.signal.addEventListener('abort', () => void end());
  try {
    const setting = settingKey(settingNow());
    const before = kept.registered?.setting === setting ? kept.registered.bytes : undefined;
    if (before) takeAll(before, registrationsBefore(before, stub));
    else {
      const started = await (current = start());
      const { bytes = new Uint8Array(), registered = [] } = started;
      takeAll(bytes, registered);
      if (started.isDone === true && !kept.isChanging) {
        kept.keep({ manifest, registered: { setting, bytes } });
        await rest(started);
      }
    }
  } catch (fault) {
    await end();
    throw fault;
  }
  emitter.on('settings_changed', () => guest?.membrane.tell('config', { ...registry.config }));

  async function endOnce(): Promise<void> {
    stalls.stop();
    const last = guest;
    if (!last) return;
    // It has a moment for what it deferred.
    if (last.registered) await withLimit(last.membrane.call('end', []), lastMs, () => undefined).catch(() => undefined);
    await rest(last);
  }

  /** It may be started again. */
  async function rest(last: Guest): Promise<void> {
    await last.run?.last();
    last.run?.gone(false);
    last.isLost = true;
    forget(last, gone('was unloaded.'));
    await last.running.kill();
  }

  return { dispose: end };
}
