// Notifies all clients, without details, that the configuration may have changed.
import type { Emitter, Registry } from 'agent-harness/kernel';
import type { manifest } from './manifest.ts';

/** Emits one event for simultaneous changes, because one setting may restart many plugins. */
export function notifyOfConfigChanges({ signal, defer }: Pick<Registry<typeof manifest>, 'signal' | 'defer'>, emitter: Emitter): void {
  let pendingEvent: NodeJS.Immediate | undefined;
  function emitConfig(): void {
    pendingEvent = undefined;
    emitter.emit('config_changed', {});
  }
  function emitSoon(): void {
    if (!signal.aborted) pendingEvent ??= setImmediate(emitConfig);
  }
  emitter.on('settings_changed', emitSoon);
  emitter.on('plugin_changed', emitSoon);
  defer(() => clearImmediate(pendingEvent), 'pending config_changed event');
}
