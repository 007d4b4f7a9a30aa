// A hook that changes a value: mail addresses in what tools answer never reach the model.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(_registry, emitter) {
  emitter.tap('tool.after', (outcome) => ({ ...outcome, output: outcome.output.replace(/[\w.+-]+@[\w-]+\.[\w.]+/g, '(address)') }));
}
