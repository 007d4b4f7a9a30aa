// A tool in ten lines: greets by name.

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  registry.add('tool', {
    name: 'say_hello',
    description: 'Greets a person by name.',
    input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false },
    effects: ['read'],
    isEveryday: true,
    run: (/** @type {{ name: string }} */ { name }) => `Hello, ${name}!`,
  });
}
