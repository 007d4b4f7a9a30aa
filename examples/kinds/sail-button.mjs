// A part of the page by a script of the browser: a button beside the field for messages. What is a table or a form is better a view.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('ui.panel', { id: 'sail', title: 'Sail', slot: 'over-composer', module: new URL('./sail-button/button.js', import.meta.url).href });
}
