// A route: GET /api/hello?name=… It requires the token like every other route and is listed in /api/openapi.json.

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  registry.add('route', {
    key: 'GET /api/hello',
    summary: 'Greets.',
    tag: 'examples',
    schema: {
      query: { type: 'object', properties: { name: { type: 'string', maxLength: 100, default: 'world' } } },
      reply: { type: 'object', properties: { greeting: { type: 'string' } }, required: ['greeting'] },
    },
    handle: ({ query }) => ({ greeting: `Hello, ${query.name}!` }),
  });
}
