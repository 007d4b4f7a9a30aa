// A spending cap for some model calls: subagents may use USD 0.50 per day.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('spending_cap', { name: 'helpers', per: 'day', purposes: ['subtask'], source: 'night-cap', limit: () => 0.5 });
}
