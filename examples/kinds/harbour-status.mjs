// Fields in a reply of the server: clients read them with `GET /api/status`.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('reply_section', {
    route: 'GET /api/status',
    name: 'harbour',
    fields: { type: 'object', properties: { shipsInHarbour: { type: 'integer' } }, required: ['shipsInHarbour'] },
    read: () => ({ shipsInHarbour: 2 }),
  });
}
