// A tool family: the model sees one line until it requests the tools, and the code is loaded on the first call.

const input = { type: 'object', properties: { value: { type: 'number' } }, required: ['value'], additionalProperties: false };

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('tool_family', {
    name: 'units',
    description: 'Converts lengths.',
    tools: [
      { name: 'miles_to_km', description: 'Miles into kilometres.', input, effects: ['read'] },
      { name: 'km_to_miles', description: 'Kilometres into miles.', input, effects: ['read'] },
    ],
    load: async () => ({
      miles_to_km: ({ value }) => `${(value * 1.609344).toFixed(2)} km`,
      km_to_miles: ({ value }) => `${(value / 1.609344).toFixed(2)} mi`,
    }),
  });
}
