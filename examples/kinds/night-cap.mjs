// What some model calls may cost: helpers get half a dollar a day.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('spending_cap', { name: 'helpers', per: 'day', purposes: ['subagent'], source: 'night-cap', limit: () => 0.5 });
}
