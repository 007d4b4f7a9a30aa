// A UI extension with a browser script: a button above the message field. Use a view for tables and forms.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('ui.panel', { id: 'sail', title: 'Sail', slot: 'over-composer', module: new URL('./sail-button/button.js', import.meta.url).href });
}
