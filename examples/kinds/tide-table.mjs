// A view with parameters: the harbour and the number of days. Selecting a row opens its details.

const offsets = { Bergen: 0, Hull: 190, Brest: 310 };
const highest = { Bergen: 1.6, Hull: 6.9, Brest: 7.4 };

/** Minutes after midnight of the first high water on a day. High water is 50 minutes later each day. */
const minutesOf = (harbour, day) => (offsets[harbour] + 50 * day) % 745;
const clock = (minutes) => `${Math.floor(minutes / 60)}`.padStart(2, '0') + ':' + `${minutes % 60}`.padStart(2, '0');
const metresOf = (harbour, day) => Math.round(10 * highest[harbour] * (0.85 + 0.15 * Math.cos((2 * Math.PI * day) / 14.8))) / 10;

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  registry.add('view', {
    name: 'tide-table',
    title: 'Tide table',
    icon: 'waves',
    parameters: {
      type: 'object',
      properties: {
        harbour: { type: 'string', title: 'Harbour', enum: Object.keys(offsets), default: 'Bergen' },
        days: { type: 'integer', title: 'Days', minimum: 1, maximum: 28, default: 5 },
      },
    },
    read({ parameters: { harbour, days } }) {
      const all = Array.from({ length: days }, (_, day) => day);
      return {
        blocks: [
          {
            kind: 'table',
            title: harbour,
            columns: [{ title: 'Day' }, { title: 'High water' }, { title: 'Metres', kind: 'number' }],
            rows: all.map((day) => ({ id: `d${day}`, cells: [`Day ${day + 1}`, clock(minutesOf(harbour, day)), metresOf(harbour, day)] })),
          },
          {
            kind: 'chart',
            title: 'Metres',
            form: 'line',
            labels: all.map((day) => `${day + 1}`),
            series: [{ title: 'Metres', values: all.map((day) => metresOf(harbour, day)) }],
          },
          {
            kind: 'table',
            title: 'Other harbours',
            columns: [{ title: 'Harbour' }, { title: 'Highest, in metres', kind: 'number' }],
            rows: Object.keys(offsets)
              .filter((one) => one !== harbour)
              .map((one) => ({ id: one, cells: [one, highest[one]], opens: { parameters: { harbour: one, days } } })),
          },
        ],
      };
    },
  });
}
