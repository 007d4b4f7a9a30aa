// Tells every client that the configuration may be another one, without saying what changed.
import type { Emitter, Registry } from 'agent-harness/kernel';
import type { manifest } from './manifest.ts';

/** One event for what changes together: many plugins may start again with one setting. */
export function tellOfConfig({ signal, defer }: Pick<Registry<typeof manifest>, 'signal' | 'defer'>, emitter: Emitter): void {
  let telling: NodeJS.Immediate | undefined;
  function tell(): void {
    telling = undefined;
    emitter.emit('config_changed', {});
  }
  function tellSoon(): void {
    if (!signal.aborted) telling ??= setImmediate(tell);
  }
  emitter.on('settings_changed', tellSoon);
  emitter.on('plugin_changed', tellSoon);
  defer(() => clearImmediate(telling), 'what is about to be told');
}
