// A tool whose result is a view: the model reads the sentence, users see the table.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('tool', {
    name: 'list_ships',
    description: 'Lists the ships of the harbour.',
    input: { type: 'object', properties: {}, additionalProperties: false },
    effects: ['read'],
    isEveryday: true,
    display: { icon: 'list' },
    run: () => ({
      ok: true,
      output: 'Two ships: Vasa (1628), Fram (1892).',
      view: {
        blocks: [
          { kind: 'table', columns: [{ title: 'Ship' }, { title: 'Built', kind: 'number' }], rows: [{ cells: ['Vasa', 1628] }, { cells: ['Fram', 1892] }] },
        ],
      },
    }),
  });
}
