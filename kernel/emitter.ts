// One plugin's view of events and hooks; everything it registers lands in its scope.
import type { Emitter } from './types.ts';
import { sharedEvent } from './events.ts';
import type { KernelParts } from './parts.ts';
import type { Scope } from './scope.ts';

export function createEmitter(plugin: string, scope: Scope, { events, hooks }: Pick<KernelParts, 'events' | 'hooks'>): Emitter {
  return {
    on: (event, listener) => scope.keep(`on:${event}`, () => events.on(plugin, event, listener)),
    emit(event, payload) {
      events.emit(plugin, event, event === sharedEvent ? { plugin, ...(payload as object) } : payload);
    },
    tap: (hook, fn, options) => scope.keep(`tap:${hook}`, () => hooks.tap(plugin, hook, fn as never, scope.signal, options?.order)),
    call: (hook, args, options) => hooks.call(plugin, hook, args, options) as never,
    hook: (name, kind, options) => scope.keep(`hook:${name}`, () => hooks.declare(plugin, name, kind, options)),
  };
}
