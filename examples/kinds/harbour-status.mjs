// Adds fields to a server reply, which clients read with `GET /api/status`.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('reply_section', {
    route: 'GET /api/status',
    name: 'harbour',
    fields: { type: 'object', properties: { shipsInHarbour: { type: 'integer' } }, required: ['shipsInHarbour'] },
    read: () => ({ shipsInHarbour: 2 }),
  });
}
