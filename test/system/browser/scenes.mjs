// The conversations that the pictures show, and the small project that they are about.

export const weatherFiles = {
  'README.md': '# weather-report\n\nPrints the day’s temperature from a list of readings.\n',
  'report.ts': `import { readings } from './readings.ts';

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

console.log(\`temperature: \${average(readings)} °C\`);
`,
  'readings.ts': 'export const readings = [12.4, 13.1, 15.8, 17.2, 16.9, 14.3];\n',
};

export const scenes = [
  { name: 'fox', title: 'A haiku about foxes', messages: ['Write a haiku about a fox in the snow.'] },
  { name: 'sql', title: 'Why is this query slow?', messages: ['Why is a query with OFFSET 100000 slow?'] },
  {
    name: 'work',
    title: 'Round the temperature',
    messages: ['What does this project do?', 'Round the temperature to one digit, and say what happens when there are no readings.'],
  },
  { name: 'question', title: 'Choose a licence', messages: ['Add a licence to the project.'], isOpenEnded: true },
  { name: 'approval', title: 'Publish the package', messages: ['Set the version to 1.2.0 and publish it.'], isOpenEnded: true },
  { name: 'empty', title: 'New chat', messages: [] },
];

/** For the memory page. */
export const notes = [
  { type: 'fact', key: 'units', value: 'Temperatures are in degrees Celsius, rounded to one digit.' },
  { type: 'recipe', key: 'release', value: 'Run the tests, set the version, publish.' },
  { type: 'fact', key: 'name', value: 'Call me Sam.', scope: 'global' },
];

/** For the connections page. */
export const apiDocument = {
  openapi: '3.1.0',
  info: { title: 'Weather stations', version: '1.0.0' },
  servers: [{ url: 'https://stations.example' }],
  paths: {
    '/stations': { get: { operationId: 'listStations', summary: 'All stations.', responses: { 200: { description: 'A list.' } } } },
    '/readings': { get: { operationId: 'listReadings', summary: 'The newest readings.', responses: { 200: { description: 'A list.' } } } },
  },
};

const call = (name, args) => ({ name, args });

/** For each scene's message, the replies of its turn; which one is due is told by the results that are there. */
const turns = {
  fox: [{ text: 'Red on white silence,\\\none step, one breath, one heartbeat.\\\nThe vole is elsewhere.' }],
  offset: [
    {
      text: `\`OFFSET\` does not jump: the database **reads and throws away** every row before it.

| Way | Rows read for page 1,000 |
|---|---|
| \`OFFSET 100000\` | 100,100 |
| keyset (\`WHERE id > ?\`) | 100 |

\`\`\`sql
SELECT id, title FROM posts
WHERE id > :last_seen
ORDER BY id
LIMIT 100;
\`\`\``,
    },
  ],
  'this project': [
    { reasoning: 'Let me look at the files first.', toolCalls: [call('list_dir', {}), call('read_file', { path: 'report.ts' })] },
    { text: 'It averages a list of temperature readings and prints one line. The code is in `report.ts`, the numbers are in `readings.ts`.' },
  ],
  Round: [
    {
      text: 'I will round in one place and make the empty list explicit.',
      toolCalls: [call('grep_files', { pattern: 'average' }), call('read_file', { path: 'readings.ts' })],
    },
    {
      toolCalls: [
        call('edit_file', {
          path: 'report.ts',
          edits: [
            {
              search: 'export function average(values: readonly number[]): number {\n',
              replace: 'export function average(values: readonly number[]): number | undefined {\n  if (values.length === 0) return undefined;\n',
            },
            { search: '${average(readings)} °C', replace: "${average(readings)?.toFixed(1) ?? 'unknown'} °C" },
          ],
        }),
      ],
    },
    {
      text: `Done. All twelve tests pass.

- One digit after the point: \`14.9\` instead of \`14.950000000000001\`.
- With **no readings** it says \`temperature: unknown °C\`; before, it was \`NaN\`.

\`\`\`ts
export function average(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined; // nothing was measured
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
\`\`\``,
    },
  ],
  licence: [
    {
      text: 'There are a few that fit a small library.',
      toolCalls: [call('ask_user', { prompt: 'Which licence should the project have?', options: ['MIT', 'Apache 2.0', 'MPL 2.0'] })],
    },
  ],
  publish: [
    {
      text: 'The version first, then the release.',
      toolCalls: [call('write_file', { path: 'package.json', content: '{\n  "name": "weather-report",\n  "version": "1.2.0"\n}\n' })],
    },
    { toolCalls: [call('run_command', { command: 'npm publish --access public', network: true })] },
  ],
};

export function scriptOfScenes({ body }) {
  const { messages } = body;
  const last = messages.findLastIndex((message) => message.role === 'user');
  const asked = typeof messages[last]?.content === 'string' ? messages[last].content : JSON.stringify(messages[last]?.content);
  const key = Object.keys(turns).find((one) => asked.includes(one));
  const round = messages.slice(last).filter((message) => message.role === 'assistant').length;
  const reply = turns[key]?.[round] ?? { text: 'Hello.' };
  return { usage: { input: 1_850 + round * 420, output: 160, cached: round * 1_200, cost: 0.0041 }, ...reply };
}
