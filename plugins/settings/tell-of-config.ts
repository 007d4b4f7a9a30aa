// Notifies all clients, without details, that the configuration may have changed.
import type { Emitter, Registry } from 'agent-harness/kernel';
import type { manifest } from './manifest.ts';

/** Emits one event for simultaneous changes, because one setting may restart many plugins. */
export function tellOfConfig({ signal, defer }: Pick<Registry<typeof manifest>, 'signal' | 'defer'>, emitter: Emitter): void {
  let telling: NodeJS.Immediate | undefined;
  function emitConfig(): void {
    telling = undefined;
    emitter.emit('config_changed', {});
  }
  function emitSoon(): void {
    if (!signal.aborted) telling ??= setImmediate(emitConfig);
  }
  emitter.on('settings_changed', emitSoon);
  emitter.on('plugin_changed', emitSoon);
  defer(() => clearImmediate(telling), 'what is about to be told');
}
