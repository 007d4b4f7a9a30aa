// A language that the page has not: what is left out stays English. A language that it has gets the words of this plugin's own pages.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('ui.messages', { language: 'eo', messages: { Settings: 'Agordoj', Search: 'Serĉi', Shapes: 'Formoj', 'New chat': 'Nova babilejo' } });
  registry.add('ui.messages', { language: 'de', messages: { Shapes: 'Formen', Ship: 'Schiff', Built: 'Gebaut' } });
}
