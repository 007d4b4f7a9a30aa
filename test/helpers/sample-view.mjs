// Defines a plugin with one view that contains every kind of block. Each client's rendering is compared with a snapshot.

/** @returns {import('agent-harness/plugins/views').View} */
export function sampleView() {
  return {
    title: 'Everything',
    blocks: [
      { kind: 'text', text: 'Words with **weight** and `code`.' },
      { kind: 'text', text: 'As *written*,\nin ## two lines', isPlain: true },
      {
        kind: 'fields',
        fields: [
          { label: 'Owner', value: 'Ada' },
          { label: 'Spent', value: 0.0412, kind: 'money' },
          { label: 'Parts', value: 12345.5, kind: 'number' },
          { label: 'State', value: 'active', kind: 'state' },
          { label: 'Due', value: '2026-11-20', kind: 'time' },
          { label: 'Nobody', value: null },
        ],
      },
      {
        kind: 'table',
        title: 'Ports',
        columns: [{ title: 'Name' }, { title: 'Depth', kind: 'number' }, { title: 'Fee', kind: 'money' }, { title: 'State', kind: 'state' }],
        rows: [
          { id: 'p1', cells: ['Harbour | one', 12, 3.5, 'done'] },
          { id: 'p2', cells: ['A port with a name that is rather long, longer than others', 7.25, null, 'failed'], actions: ['close'] },
          { cells: ['No actions', 0, 0, 'pending'] },
        ],
        rowActions: [
          { id: 'open', label: 'Open' },
          { id: 'close', label: 'Close', kind: 'danger', confirm: 'Close this port?' },
        ],
      },
      {
        kind: 'list',
        title: 'Steps',
        items: [
          { text: 'Lay the keel', state: 'done' },
          { text: 'Build the hull', state: 'active', detail: 'two planks are missing' },
          { text: 'Caulk it', state: 'pending', level: 1 },
          { text: 'Paint it', state: 'stopped', level: 1 },
          { text: 'A remark' },
        ],
      },
      {
        kind: 'list',
        title: 'Calls',
        isOrdered: true,
        isCompact: true,
        omitted: 3,
        items: [
          {
            text: 'sound',
            state: 'done',
            detail: 'a depth that is told at such a length that no line of a hundred columns has room for all that there is to say',
          },
          { text: 'moor' },
        ],
      },
      {
        kind: 'chart',
        title: 'Ships',
        form: 'bars',
        labels: ['Mon', 'Tue', 'Wed'],
        series: [
          { title: 'In', values: [4, 8, 2] },
          { title: 'Out', values: [1, 4, 2] },
        ],
      },
      { kind: 'chart', title: 'Tide', form: 'line', labels: ['0', '6', '12', '18'], series: [{ title: 'Height', values: [0.5, 3.5, 0.8, 4] }], unit: 'm' },
      {
        kind: 'diff',
        path: 'hull.txt',
        diff: '--- a/hull.txt\n+++ b/hull.txt\n@@ -1,2 +1,2 @@\n oak\n--- pine\n+larch\n@@ -9 +9,2 @@\n tar\n+++ pitch',
        hunks: [{ id: 'h1' }, { id: 'h2', actions: [] }],
        rowActions: [{ id: 'undo', label: 'Undo it' }],
      },
      { kind: 'progress', label: 'Hull', value: 0.4, detail: '4 of 10 planks' },
      { kind: 'form', title: 'Another step', action: 'add' },
    ],
    actions: [
      {
        id: 'add',
        label: 'Add a step',
        kind: 'primary',
        input: {
          type: 'object',
          properties: {
            text: { type: 'string', title: 'What', minLength: 2, maxLength: 80 },
            notes: { type: 'string', title: 'Notes', format: 'multiline' },
            days: { type: 'integer', title: 'Days', minimum: 1, maximum: 90, default: 2 },
            urgent: { type: 'boolean', title: 'Urgent' },
            yard: { type: 'string', title: 'Yard', enum: ['north', 'south'] },
          },
          required: ['text'],
        },
      },
      { id: 'reset', label: 'Begin anew', kind: 'danger', confirm: 'Forget everything?' },
    ],
  };
}

export const manifest = { name: 'sample-view' };

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  /** @type {unknown[]} */
  const calls = [];
  registry.add('view', {
    name: 'sample',
    title: 'Sample',
    description: 'Every kind of block.',
    permission: 'sample.read',
    actPermission: 'sample.write',
    read: () => sampleView(),
    act(call) {
      calls.push(call);
      return { message: `Done: ${JSON.stringify(call)}` };
    },
  });
  registry.add('view', {
    name: 'tides',
    title: 'Tides',
    description: 'What it was read with.',
    permission: 'sample.read',
    actPermission: 'sample.write',
    parameters: {
      type: 'object',
      properties: {
        days: { type: 'integer', title: 'Days', minimum: 1, maximum: 90, default: 7 },
        yard: { type: 'string', title: 'Yard', enum: ['north', 'south'], default: 'north' },
        port: { type: 'string', title: 'Port', maxLength: 20 },
        deep: { type: 'boolean', title: 'Only the deep ones' },
      },
    },
    read: ({ parameters: { days, yard, port = null, deep = null } }) => ({
      blocks: [
        {
          kind: 'table',
          columns: [{ title: 'Tide' }, { title: 'Value' }],
          rows: [
            { id: 't1', cells: ['days', days], opens: { parameters: { days: 90 } } },
            { id: 't2', cells: ['yard', yard] },
            { id: 't3', cells: ['port', port] },
            { id: 't4', cells: ['deep', String(deep)] },
          ],
          rowActions: [{ id: 'mark', label: 'Mark' }],
        },
      ],
      actions: [{ id: 'note', label: 'Note', input: { type: 'object', properties: { text: { type: 'string', title: 'Text' } }, required: ['text'] } }],
    }),
    act: (call, { parameters }) => ({ message: `Done: ${JSON.stringify({ ...call, parameters })}` }),
  });
  registry.add('tool', {
    name: 'show_sample',
    description: 'Shows the sample.',
    input: { type: 'object', properties: {}, additionalProperties: false },
    effects: ['read'],
    replay: 'pure',
    run: () => ({ ok: true, output: 'The sample in words.', view: sampleView() }),
  });
}
