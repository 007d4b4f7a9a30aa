// Applies the registrations of an isolated plugin to its registry, and undoes them in part or as a whole.
import { deserialize } from 'node:v8';
import { messageOf } from 'agent-harness/lib/errors';
import { isRecord } from 'agent-harness/lib/values';
import type { Disposable, Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { refuseEvent, refuseHook, type Capabilities } from './capabilities.ts';
import type { Registration } from './child-registry.ts';
import { dataOf, guarded, refuseAtOnce, refuseProductPath, type ServerNames } from './allowed-contributions.ts';
import type { PluginFaultKind } from './quarantine.ts';
import { decode, heldIdOf, refuseOversized, type Crossing, type Held } from './rpc-codec.ts';

export interface AppliedParts {
  readonly manifest: PluginManifest;
  readonly capabilities: Capabilities;
  readonly registry: Registry;
  readonly emitter: Emitter;
  readonly server: ServerNames;
  /** Reports a fault of the plugin. */
  readonly onFault: (what: string, kind: PluginFaultKind) => void;
}

export interface AppliedRegistrations {
  /** Applies one registration. Throws where it is not allowed. */
  take(registration: Registration): void;
  /** Applies all registrations of a start; later ones end with the run. @param bytes serialized, as the child sent them */
  takeAll(bytes: Uint8Array, registered: readonly Registration[]): void;
  /** The bytes that were applied. */
  readonly taken: Uint8Array | undefined;
  /** Undoes all registrations. */
  clear(): Promise<void>;
  /** Undoes the registrations that came after the start. */
  endRun(): void;
  dispose(handle: number): unknown;
}

const mostRegistrations = 2_000;
/** Unread events of the plugin; further ones are dropped. */
const eventsBehind = 1_000;

export function applyRegistrations({ manifest, capabilities, registry, emitter, onFault, server }: AppliedParts): AppliedRegistrations {
  const made = new Map<number, Disposable>();
  const scopes = new Map<number, Pick<Registry, 'add' | 'child'>>([[0, registry]]);
  /** Handle of the last registration of a start. */
  let lastOfStart = Infinity;
  let taken: Uint8Array | undefined;
  let behind = 0;

  function take({ kind, handle, scope, args }: Registration): void {
    const inner = scopes.get(scope);
    if (!inner) return;
    if (made.size >= mostRegistrations) throw new Error(`'${manifest.name}' registers more than ${mostRegistrations} things.`);
    const [first, second, third] = args as [never, never, never];
    if (kind === 'child') {
      const part = inner.child(first);
      scopes.set(handle, part);
      made.set(handle, part);
    } else if (kind === 'add') {
      refuseAtOnce(manifest.name, first, second);
      if (first === 'route') refuseProductPath(second, server.segments());
      made.set(handle, inner.add(first, guarded(first, second, capabilities) as never));
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

  /** The signal of a tap's context is a getter that creates it on first use. */
  function tapped(fn: Held, args: unknown[]): unknown {
    const { signal } = args.at(-1) as { readonly signal: AbortSignal };
    return fn(...args.slice(0, -1).map(dataOf), { signal });
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

  /** Removes and returns the matching registrations, last first. */
  function takeBack(isGone: (handle: number) => boolean): Disposable[] {
    return [...made].reverse().flatMap(([handle, one]) => {
      if (!isGone(handle)) return [];
      made.delete(handle);
      scopes.delete(handle);
      return [one];
    });
  }

  return {
    take,
    takeAll(bytes, registered) {
      lastOfStart = Infinity;
      for (const registration of registered) take(registration);
      lastOfStart = Math.max(0, ...registered.map(({ handle }) => handle));
      taken = bytes;
    },
    get taken() {
      return taken;
    },
    async clear() {
      for (const one of takeBack(() => true)) await one.dispose();
    },
    endRun() {
      for (const one of takeBack((handle) => handle > lastOfStart))
        void Promise.resolve(one.dispose()).catch((fault: unknown) => registry.log.error(messageOf(fault)));
    },
    dispose(handle) {
      const one = made.get(handle);
      made.delete(handle);
      return one?.dispose();
    },
  };
}

/** The registrations that a child sent. Throws for bytes of another shape. */
export function registrationsOf(bytes: Uint8Array, decodeWire: (wire: unknown) => unknown): readonly Registration[] {
  const wire: unknown = deserialize(bytes);
  refuseOversized(wire);
  const value = decodeWire(wire);
  const isOne = (one: unknown): boolean => isRecord(one) && Number.isSafeInteger(one['handle']) && Array.isArray(one['args']);
  if (Array.isArray(value) && value.every(isOne)) return value as readonly Registration[];
  throw new Error('it answered something else than what it registers');
}

/** The registrations of an earlier start, with stubs for their functions. */
export function registrationsBefore(bytes: Uint8Array, stub: (id: string) => Held): readonly Registration[] {
  const nothing = (): never => {
    throw new Error('what was registered before holds nothing of this start');
  };
  const crossing: Crossing = { stubOf: stub, hold: nothing, idOf: nothing, heldUnder: nothing, holdSignal: nothing, signalOf: nothing };
  return registrationsOf(bytes, (wire) => decode(wire, crossing));
}

/** Whether two lists of registrations have the same functions at the same places under the same ids. */
export function haveSameDoors(one: Uint8Array, other: Uint8Array): boolean {
  return doorsIn(deserialize(one)) === doorsIn(deserialize(other));
}

function doorsIn(wire: unknown, path = ''): string {
  if (typeof wire !== 'object' || wire === null) return '';
  const id = heldIdOf(wire);
  return id === undefined
    ? Object.entries(wire)
        .map(([key, one]) => doorsIn(one, `${path}.${key}`))
        .join('')
    : `${path}=${id};`;
}
