// A hook that only looks: how long each turn took, in the log.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry, emitter) {
  emitter.tap('turn.after', (_turn, { durationMs, tools }) => registry.log.info(`a turn with ${tools} calls took ${(durationMs / 1000).toFixed(1)} s`));
}
