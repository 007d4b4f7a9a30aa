// A service that other plugins resolve by name.

export const manifest = { name: 'tide-service', provides: ['tides'] };

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.provide('tides', () => ({ next: () => '18:37' }));
}
