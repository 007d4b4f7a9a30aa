// A hook that changes a value: removes e-mail addresses from tool results before the model reads them.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(_registry, emitter) {
  emitter.tap('tool.after', (outcome) => ({ ...outcome, output: outcome.output.replace(/[\w.+-]+@[\w-]+\.[\w.]+/g, '(address)') }));
}
