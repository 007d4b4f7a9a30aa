// Adds a new UI language, with English for missing messages. For an existing language it would translate only this plugin's pages.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('ui.messages', { language: 'eo', messages: { Settings: 'Agordoj', Search: 'Serĉi', Shapes: 'Formoj', 'New chat': 'Nova babilejo' } });
  registry.add('ui.messages', { language: 'de', messages: { Shapes: 'Formen', Ship: 'Schiff', Built: 'Gebaut' } });
}
