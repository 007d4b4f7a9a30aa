// A view with one block of each kind.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('view', {
    name: 'shapes',
    title: 'Shapes',
    description: 'Each kind of block.',
    icon: 'chart',
    permission: 'chats.read',
    read: () => ({
      blocks: [
        { kind: 'text', title: 'Text', text: 'Words with **weight**, and a [link](#/usage).' },
        {
          kind: 'fields',
          title: 'Fields',
          fields: [
            { label: 'Price', value: 12.5, kind: 'money' },
            { label: 'State', value: 'active', kind: 'state' },
          ],
        },
        {
          kind: 'table',
          title: 'Table',
          columns: [{ title: 'Ship' }, { title: 'Built', kind: 'number' }, { title: 'State', kind: 'state' }],
          rows: [{ cells: ['Vasa', 1628, 'failed'] }, { cells: ['Fram', 1892, 'done'] }],
        },
        {
          kind: 'list',
          title: 'List',
          items: [
            { text: 'Set sail', state: 'done' },
            { text: 'Cross the sea', state: 'active', detail: 'day 12 of 40' },
            { text: 'Mend the mast', state: 'pending', level: 1 },
          ],
        },
        {
          kind: 'chart',
          title: 'Bars',
          form: 'bars',
          labels: ['Mon', 'Tue', 'Wed'],
          series: [
            { title: 'Sun', values: [5, 3, 8] },
            { title: 'Rain', values: [1, 4, 0] },
          ],
        },
        { kind: 'chart', title: 'Line', form: 'line', labels: ['1', '2', '3', '4'], unit: '°C', series: [{ title: 'Water', values: [4, 6, 5, 9] }] },
        { kind: 'progress', title: 'Progress', label: 'Loading', value: 0.6, detail: '60 of 100 barrels' },
        { kind: 'diff', title: 'Difference', path: 'log.md', diff: '@@ -1,2 +1,2 @@\n-Calm sea\n+Rough sea\n Wind from the west\n' },
        { kind: 'form', title: 'Form', action: 'note' },
      ],
      actions: [
        {
          id: 'note',
          label: 'Note',
          input: { type: 'object', properties: { text: { type: 'string', title: 'What happened' }, calm: { type: 'boolean', title: 'Calm' } } },
        },
      ],
    }),
    act: ({ input }) => ({ message: `Noted: ${input.text}` }),
  });
}
