// A plugin that requires another plugin's service. It registers when the service becomes available, and again when it changes.

export const manifest = { name: 'tide-user', requires: ['tides'] };

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const { tides } = registry.services;
  registry.add('slash_command', { name: 'tide', summary: 'Says when the tide is high.', run: () => `High tide at ${tides.next()}.` });
}
