// One plugin's view of events and hooks; everything it registers lands in its scope.
import type { Emitter } from './contracts.ts';
import { sharedEvent, type EventBus } from './events.ts';
import type { HookBus } from './hooks.ts';
import type { Scope } from './scope.ts';

export interface EmitterParts {
  readonly events: EventBus;
  readonly hooks: HookBus;
}

export function createEmitter(plugin: string, scope: Scope, { events, hooks }: EmitterParts): Emitter {
  return {
    on(event, listener) {
      const label = `on:${event}`;
      scope.assertOpen(label);
      const heard = events.on(plugin, event, listener);
      return scope.add(label, () => heard.dispose());
    },
    emit(event, payload) {
      events.emit(plugin, event, event === sharedEvent ? { plugin, ...(payload as object) } : payload);
    },
    tap(hook, fn, options) {
      const label = `tap:${hook}`;
      scope.assertOpen(label);
      const tapped = hooks.tap(plugin, hook, fn as never, options?.order);
      return scope.add(label, () => tapped.dispose());
    },
    call: (hook, ...args) => hooks.call(plugin, hook, args) as never,
    hook(name, kind, options) {
      const label = `hook:${name}`;
      scope.assertOpen(label);
      const declared = hooks.declare(plugin, name, kind, options?.onError ?? 'skip');
      return scope.add(label, () => declared.dispose());
    },
  };
}
