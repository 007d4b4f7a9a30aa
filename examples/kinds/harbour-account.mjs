// A connection: an external account of the plugin, listed with the other connections.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('connection_source', {
    name: 'harbour',
    providers: () => [
      {
        id: 'harbour',
        title: 'Harbour office',
        kind: 'harbour',
        status: 'connected',
        accounts: [{ accountId: 'pier-4', name: 'Pier 4', mode: 'read_only', scopes: [], healthy: true }],
      },
    ],
  });
}
