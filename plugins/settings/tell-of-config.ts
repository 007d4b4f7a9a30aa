// Notifies every client that the configuration may have changed, without details.
import type { Emitter, Registry } from 'agent-harness/kernel';
import type { manifest } from './manifest.ts';

/** One event for simultaneous changes: one setting may restart many plugins. */
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
