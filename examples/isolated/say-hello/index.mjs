// A tool in its own process: greets a person by name.

export const manifest = { name: 'say-hello', isolation: 'child' };

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  registry.add('tool', {
    name: 'say_hello_to',
    description: 'Greets a person by name.',
    input: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'], additionalProperties: false },
    effects: ['read'],
    run: (/** @type {{ who: string }} */ { who }) => `Hello, ${who}!`,
  });
}
