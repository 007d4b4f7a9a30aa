// Applies an isolated plugin's registrations, received as data, to its registry, and undoes some or all of them.
import { messageOf } from '#lib/errors';
import { isRecord } from '#lib/values';
import type { Disposable, Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { refuseEvent, refuseHook, type Capabilities } from './capabilities.ts';
import type { Registration } from './child-registry.ts';
import { dataOf, guarded, refuseAtOnce, refuseProductPath, type ServerNames } from './allowed-contributions.ts';
import type { PluginFaultKind } from './quarantine.ts';
import { decode, heldIdOf, parseMessage, type Held } from './rpc-codec.ts';

export interface AppliedParts {
  readonly manifest: PluginManifest;
  readonly capabilities: Capabilities;
  readonly registry: Registry;
  readonly emitter: Emitter;
  readonly server: ServerNames;
  readonly onFault: (what: string, kind: PluginFaultKind) => void;
}

export type AppliedRegistrations = ReturnType<typeof applyRegistrations>;

const mostRegistrations = 2_000;
/** Maximum number of unread events of the plugin; further events are dropped. */
const eventsBehind = 1_000;

export function applyRegistrations({ manifest, capabilities, registry, emitter, onFault, server }: AppliedParts) {
  const { name } = manifest;
  const made = new Map<number, Disposable>();
  /** Handle of the last registration during startup; later registrations belong to the run. */
  let lastOfStart = Infinity;
  let taken: string | undefined;
  let behind = 0;

  /** Applies one registration. Throws if the registration is invalid or not allowed. */
  function take(registration: Registration): void {
    if (!isRegistration(registration) || made.has(registration.handle)) throw new Error(`'${name}' sent an invalid registration.`);
    const { kind, handle, args } = registration;
    if (made.size >= mostRegistrations) throw new Error(`'${name}' has more than ${mostRegistrations} registrations.`);
    const [first, second, third] = args as [never, never, never];
    if (kind === 'add') {
      refuseAtOnce(name, first, second);
      if (first === 'route') refuseProductPath(second, server.segments());
      // A rule reads all tool calls and may refuse them, like a tap of this hook.
      if (first === 'approval_rule')
        refuseHook(name, capabilities, 'tool.before', "adds an approval rule, which reads all tool calls as a tap of 'tool.before' does");
      made.set(handle, registry.add(first, guarded(first, second, capabilities) as never));
    } else if (kind === 'tap') {
      refuseHook(name, capabilities, first);
      made.set(handle, emitter.tap(first, ((...of: unknown[]) => tapped(second, of)) as never, third ?? {}));
    } else {
      refuseEvent(name, first, manifest);
      made.set(
        handle,
        emitter.on(first, (payload) => void told(second, payload)),
      );
    }
  }

  /** Passes the signal of a tap's context as a getter, which creates it on first use. */
  function tapped(fn: Held, args: unknown[]): unknown {
    const { signal } = args.at(-1) as { readonly signal: AbortSignal };
    return fn(...args.slice(0, -1).map(dataOf), { signal });
  }

  async function told(fn: Held, payload: unknown): Promise<void> {
    if (behind >= eventsBehind) {
      if (behind++ === eventsBehind) onFault(`reads events too slowly; events beyond ${eventsBehind} unread ones are dropped.`, 'slow');
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

  /** Undoes the registrations after a handle, last first. */
  async function undoAfter(last: number): Promise<void> {
    const gone = [...made].reverse().filter(([handle]) => handle > last);
    for (const [handle] of gone) made.delete(handle);
    await Promise.all(gone.map(async ([, one]) => one.dispose()));
  }

  return {
    take,
    /**
     * Applies all registrations of a start; registrations made later are undone when the run ends. @param text the registrations, as the child sent them
     */
    takeAll(text: string, registered: readonly Registration[]): void {
      lastOfStart = Infinity;
      registered.forEach(take);
      lastOfStart = Math.max(0, ...registered.map(({ handle }) => handle));
      taken = text;
    },
    /** Returns the text that was applied. */
    taken: () => taken,
    clear: () => undoAfter(-1),
    /** Undoes the registrations that were made after the start. */
    endRun: () => void undoAfter(lastOfStart).catch((fault: unknown) => registry.log.error(messageOf(fault))),
    dispose(handle: number): unknown {
      const one = made.get(handle);
      made.delete(handle);
      return one?.dispose();
    },
  };
}

/** Parses the registrations that a child process sent. Throws for an invalid text. */
export function registrationsOf(text: string, decodeWire: (wire: unknown) => unknown): readonly Registration[] {
  const value = decodeWire(parseMessage(text));
  if (Array.isArray(value) && value.every(isRegistration)) return value;
  throw new Error('it sent invalid registrations');
}

function isRegistration(one: unknown): one is Registration {
  return isRecord(one) && ['add', 'tap', 'on'].includes(String(one['kind'])) && Number.isSafeInteger(one['handle']) && Array.isArray(one['args']);
}

/** Parses the cached registrations of an earlier start, with stubs for their functions. */
export function registrationsBefore(text: string, stubOf: (id: string) => Held): readonly Registration[] {
  const signalOf = (): never => {
    throw new Error('a cached registration has a signal');
  };
  return registrationsOf(text, (wire) => decode(wire, { stubOf, signalOf }));
}

/** Returns whether two lists of registrations contain the same functions in the same positions under the same ids. */
export function haveSameFunctions(one: string, other: string): boolean {
  return functionsIn(parseMessage(one)) === functionsIn(parseMessage(other));
}

function functionsIn(wire: unknown, path = ''): string {
  if (typeof wire !== 'object' || wire === null) return '';
  const id = heldIdOf(wire);
  if (id !== undefined) return `${path}=${id};`;
  return Object.entries(wire).reduce((text, [key, one]) => text + functionsIn(one, `${path}.${key}`), '');
}
