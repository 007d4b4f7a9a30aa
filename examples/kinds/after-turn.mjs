// A read-only hook: logs the duration of each turn.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry, emitter) {
  emitter.tap('turn.after', (_turn, { durationMs, tools }) => registry.log.info(`a turn with ${tools} calls took ${(durationMs / 1000).toFixed(1)} s`));
}
