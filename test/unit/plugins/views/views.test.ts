// Tests views: list, reading, actions, permissions, and rejections that name the plugin.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as views from '../../../../plugins/views/index.ts';
import { startHarness, useAll } from '../../../helpers/in-process.ts';
import * as sample from '../../../helpers/sample-view.mjs';
import { root } from '../../../helpers/sources.ts';
import { loadTestKernel } from '../../../helpers/test-kernel.ts';

/** Imported by path, because the example is untyped JavaScript. */
const example = join(root, 'examples/plugins/reading-list.mjs');
const given: { current: unknown } = { current: undefined };
const other = {
  manifest: { name: 'other', errors: { SHUT: { message: 'It is shut on {day}.', status: 409 } } },
  register(registry: any) {
    registry.add('view', { name: 'odd', title: 'Odd', permission: 'odd.read', read: () => given.current });
    registry.add('view', {
      name: 'moody',
      title: 'Moody',
      read(context: any) {
        if (context.chatId === undefined) throw new Error('no chat');
        throw registry.error('SHUT', { day: 'Sunday' });
      },
    });
    registry.add('view', {
      name: 'patterned',
      title: 'Patterned',
      parameters: { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } },
      read: () => ({ blocks: [] }),
    });
    registry.add('tool', {
      name: 'wrong_view',
      description: 'x',
      input: { type: 'object', properties: {} },
      effects: ['read'],
      run: () => ({ ok: true, output: 'said', view: { blocks: [{ kind: 'frame', src: 'https://elsewhere.test' }] } }),
    });
  },
};

const harness = useAll(async () =>
  startHarness({
    builtins: ['model-demo'],
    modules: { 'sample-view': sample as never, 'reading-list': await import(example), other: other as never },
  }),
);

const read = (name: string) => harness.call('GET', `/api/views/${name}`);
const act = (name: string, id: string, body: object = {}) => harness.call('POST', `/api/views/${name}/actions/${id}`, body);
const slash = async (args: string) => (await harness.call('POST', '/api/commands', { name: 'view', args })).body;

test('views are listed with their plugin and returned unchanged', async () => {
  const { body } = await harness.call('GET', '/api/views');
  expect(body.views).toContainEqual({ name: 'sample', title: 'Sample', plugin: 'sample-view', description: 'Every kind of block.' });
  expect((await read('sample')).body).toEqual({ ...sample.sampleView(), name: 'sample' });
  expect((await read('nothing')).body.error).toMatchObject({ code: 'not_found', message: expect.stringContaining("no view 'nothing'") });
});

test('an offered action with valid input runs, with defaults filled in', async () => {
  const done = await act('sample', 'add', { input: { text: 'Launch it', urgent: true } });
  expect(done.body).toMatchObject({
    message: `Done: ${JSON.stringify({ action: 'add', input: { text: 'Launch it', days: 2, urgent: true } })}`,
    view: { name: 'sample', title: 'Everything' },
  });
  expect((await act('sample', 'open', { row: 'p1' })).body.message).toContain('"row":"p1"');
});

test.each([
  ['a field that is missing', 'add', { input: { days: 3 } }, 400, 'What is needed.'],
  ['one that is too short', 'add', { input: { text: 'x' } }, 400, 'What must NOT have fewer than 2 characters.'],
  ['a number that is none', 'add', { input: { text: 'xx', days: 'many' } }, 400, 'Days must be integer.'],
  ['a choice that is none', 'add', { input: { text: 'xx', yard: 'west' } }, 400, 'Yard must be equal to one of the allowed values: north,south.'],
  ['a field that is not there', 'add', { input: { text: 'xx', more: 1 } }, 400, "There is no field 'more'."],
  ['an action that is not there', 'drop', {}, 409, "does not currently offer the action 'drop'"],
  ['a row that has it not', 'open', { row: 'p2' }, 409, "does not currently offer the action 'open'"],
  ['an action of rows without one', 'open', {}, 409, "does not currently offer the action 'open'"],
  ['a row for what has none', 'reset', { row: 'p1' }, 409, "does not currently offer the action 'reset'"],
])('%s is refused', async (_, id, body, status, sentence) => {
  const reply = await act('sample', id, body);
  expect([reply.status, reply.body.error.message]).toEqual([status, expect.stringContaining(sentence)]);
});

test.each([
  ['nothing', undefined, 'it cannot be serialized as JSON.'],
  ['a text', 'hello', 'it must be object.'],
  ['no blocks', {}, "it must have required property 'blocks'."],
  [
    'an unknown block',
    { blocks: [{ kind: 'frame' }] },
    '/blocks/0/kind must be equal to one of the allowed values: text,fields,table,list,chart,diff,progress,form.',
  ],
  ['an unknown block field', { blocks: [{ kind: 'text', text: 'x', html: '<b>' }] }, "/blocks/0 must NOT have additional properties: 'html'."],
  [
    'hunks missing from its diff',
    { blocks: [{ kind: 'diff', diff: '@@ -1 +1 @@\n-a\n+b', hunks: [{ id: 'a' }, { id: 'b' }] }] },
    'has 2 hunks, but its diff has 1.',
  ],
  [
    'hunks of two files',
    { blocks: [{ kind: 'diff', diff: '--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n--- b\n+++ b\n@@ -1 +1 @@\n-a\n+b', hunks: [{ id: 'a' }] }] },
    'has hunks of more than one file.',
  ],
  ['cells without a column', { blocks: [{ kind: 'table', columns: [{ title: 'A' }], rows: [{ cells: [1, 2] }] }] }, 'has 2 cells in row 0 for 1 columns.'],
  [
    'values without a label',
    { blocks: [{ kind: 'chart', form: 'bars', labels: ['a'], series: [{ title: 'S', values: [] }] }] },
    "has 0 values of 'S' for 1 labels.",
  ],
  ['a form of an action without input', { blocks: [{ kind: 'form', action: 'add' }] }, "is a form of 'add'"],
  [
    'too many rows',
    { blocks: [{ kind: 'list', items: Array.from({ length: 501 }, () => ({ text: 'x' })) }] },
    '/blocks/0/items must NOT have more than 500 items.',
  ],
  ['more than may be', { blocks: Array.from({ length: 20 }, () => ({ kind: 'text', text: 'x'.repeat(19_000) })) }, 'the limit is 262144.'],
  [
    'a pattern in a form',
    { blocks: [], actions: [{ id: 'a', label: 'A', input: { type: 'object', properties: { b: { type: 'string', pattern: '(a+)+$' } } } }] },
    "additional properties: 'pattern'.",
  ],
])('%s is not a view, and the error names its plugin', async (_, view, sentence) => {
  given.current = view;
  const { status, body } = await read('odd');
  expect([status, body.error.code]).toEqual([500, 'broken']);
  expect(body.error.message).toContain("The plugin 'other' returned an invalid view 'odd'");
  expect(body.error.message).toContain(sentence);
});

test('parameters that are not form fields are a plugin fault', async () => {
  const { status, body } = await read('patterned?a=b');
  expect([status, body.error.code]).toEqual([500, 'broken']);
  expect(body.error.message).toContain("/parameters/properties/a must NOT have additional properties: 'pattern'.");
});

test('an exception from a plugin names it, and its own errors pass through', async () => {
  expect((await read('moody')).body.error).toMatchObject({ code: 'failed', message: expect.stringContaining("plugin 'other'") });
  const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
  const { status, body } = await harness.call('GET', `/api/views/moody?chatId=${chatId}`);
  expect([status, body.error]).toEqual([409, expect.objectContaining({ code: 'shut', message: 'It is shut on Sunday.' })]);
});

test('a view without a permission is owner-only, others require their permission', async () => {
  const http = harness.kernel.resolve('http');
  const guest = { kind: 'guest', id: 'g', role: 'viewer' } as const;
  const ask = async (path: string, method: 'GET' | 'POST' = 'GET') => {
    const reply = await http.dispatch({ method, path, ...(method === 'POST' ? { body: {} } : {}) }, { principal: guest });
    return { status: reply.status, body: JSON.parse(reply.body.toString('utf8')) };
  };
  const { views: listed } = (await ask('/api/views')).body;
  expect(listed.map(({ name }: any) => name)).toEqual(expect.arrayContaining(['sample', 'odd']));
  expect(listed.map(({ name }: any) => name)).not.toContain('moody');
  expect((await ask('/api/views/sample')).status).toBe(200);
  expect((await ask('/api/views/moody')).body.error.code).toBe('forbidden');
  expect((await ask('/api/views/sample/actions/reset', 'POST')).body.error.code).toBe('forbidden');
});

test('the reading list is stored by its plugin, and its actions return the updated view', async () => {
  expect((await read('reading-list')).body.blocks[0].rows).toEqual([]);
  const added = await act('reading-list', 'add', { input: { title: 'Ships of oak' } });
  expect(added.body).toMatchObject({
    message: '“Ships of oak” is on the list.',
    view: { blocks: [{ rows: [{ id: 'b1', cells: ['Ships of oak', 300, 'pending'] }] }, {}, {}] },
  });
  expect((await act('reading-list', 'finish', { row: 'b1' })).body.view.blocks[0].rows).toEqual([
    { id: 'b1', cells: ['Ships of oak', 300, 'done'], actions: ['remove'] },
  ]);
  expect((await act('reading-list', 'finish', { row: 'b1' })).status).toBe(409);
  const service = harness.kernel.resolve('views');
  await expect(service.act('reading-list', { action: 'finish', row: 'b1' }, {})).rejects.toThrow(expect.objectContaining({ code: 'VIEWS_ERR_NO_ACTION' }));
  await expect(service.act('reading-list', { action: 'add' }, {})).rejects.toThrow(expect.objectContaining({ code: 'VIEWS_ERR_WRONG_INPUT' }));
});

test('/view lists, shows and runs actions', async () => {
  expect((await slash('')).text).toContain('- /view sample: Every kind of block.');
  const shown = await slash('sample');
  expect(shown.view).toEqual({ ...sample.sampleView(), name: 'sample' });
  expect(shown.text).toMatchSnapshot();
  expect((await slash('sample add text="Launch it" days=4 urgent=yes')).text).toContain('{"action":"add","input":{"text":"Launch it","days":4,"urgent":true}}');
  expect((await slash('sample close p2')).text).toBe('Close this port? Repeat the command with --yes at the end.');
  expect((await slash('sample close p2 --yes')).text).toContain('Done: {"action":"close","row":"p2","input":{}}');
  expect((await slash('sample close p9 --yes')).text).toBe("'close' needs a row: p1, p2.");
  expect((await slash('sample jump')).text).toBe("There is no action 'jump'. Available actions: add, reset, open, close, undo.");
  expect((await slash('sample add colour=red')).text).toMatch(/^'colour=red' is not valid here\. Use this form: add text=… \[notes=…\]/);
});

test('a tool view appears with its result, and an invalid one is omitted and reported', async () => {
  const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
  for (const text of ['call show_sample with {}', 'call wrong_view with {}']) {
    const { turnId } = (await harness.call('POST', '/api/message', { chatId, text })).body;
    await expect
      .poll(async () =>
        (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body.entries.some(
          (one: any) => one.kind === 'assistant' && one.turnId === turnId && !one.isStreaming && one.turnMs,
        ),
      )
      .toBe(true);
  }
  const tools = (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body.entries.filter((one: any) => one.kind === 'tool');
  expect(tools).toMatchObject([
    { name: 'show_sample', output: 'The sample in words.', view: sample.sampleView() },
    { name: 'wrong_view', output: 'said' },
  ]);
  expect(tools[1]).not.toHaveProperty('view');
  expect(harness.logs.join('\n')).toContain('wrong_view of plugin other returned an invalid view: /blocks/0/kind');
});

test('a view is read with its parameters and defaults, and its actions receive them', async () => {
  const rows = async (query: string) => (await read(`tides${query}`)).body.blocks[0].rows.map(({ cells }: any) => cells[1]);
  expect(await rows('')).toEqual([7, 'north', null, 'null']);
  expect(await rows('?days=30&deep=yes&port=')).toEqual([30, 'north', '', 'true']);
  const { body } = await read('tides?days=30&port=Old%20quay');
  expect(body.parameters).toMatchObject({ input: { properties: { days: { default: 7 } } }, values: { days: 30, yard: 'north', port: 'Old quay' } });
  const done = await act('tides', 'mark', { row: 't2', parameters: { days: 12, yard: 'south' } });
  expect(done.body).toMatchObject({
    message: 'Done: {"action":"mark","row":"t2","input":{},"parameters":{"days":12,"yard":"south"}}',
    view: { parameters: { values: { days: 12, yard: 'south' } }, blocks: [{ rows: [{ cells: ['days', 12] }, {}, {}, {}] }] },
  });
  const { views: listed } = (await harness.call('GET', '/api/views')).body;
  expect(listed.find(({ name }: any) => name === 'tides').parameters.properties).toHaveProperty('port');
});

test.each([
  ['a value of another kind', 'tides?days=many', 'Days must be integer.'],
  ['a value out of its range', 'tides?days=91', 'Days must be <= 90.'],
  ['a choice that is none', 'tides?yard=west', 'Yard must be equal to one of the allowed values: north,south.'],
  ['one that is too long', `tides?port=${'x'.repeat(21)}`, 'Port must NOT have more than 20 characters.'],
  ['a parameter that is not there', 'tides?colour=red', "There is no field 'colour'. Valid parameters: [days=1…90] [yard=north|south] [port=…] [deep=yes|no]."],
  ['a parameter of a view that has none', 'sample?days=3', "'sample' has no input. Valid parameters: none."],
])('%s is refused with what the view takes', async (_, path, sentence) => {
  const { status, body } = await read(path);
  expect([status, body.error.code]).toEqual([400, 'wrong_parameter']);
  expect(body.error.message).toContain(sentence);
  const [name, query] = path.split('?');
  const acted = await act(name ?? '', 'mark', { row: 't1', parameters: Object.fromEntries(new URLSearchParams(query)) });
  expect([acted.status, acted.body.error.code]).toEqual([400, 'wrong_parameter']);
});

test('/view accepts parameters before an action', async () => {
  expect((await slash('tides days=30 yard=south')).text).toMatchSnapshot();
  expect((await slash('tides days=30 port="Old quay" note text=high')).text).toContain(
    'Done: {"action":"note","input":{"text":"high"},"parameters":{"days":30,"yard":"north","port":"Old quay"}}',
  );
  expect((await slash('tides days=30 port="Old quay"')).text).toContain('Note: /view tides days=30 port="Old quay" note text=…');
});

test.each([
  ['a missing name', { title: 'A', read: () => ({}) }, "the name 'undefined' of a view must be kebab-case"],
  ['a missing read function', { name: 'a', title: 'A' }, "the view 'a' needs a function 'read'"],
  ['an unknown field', { name: 'a', title: 'A', read: () => ({}), html: '' }, "the view 'a' has the unknown field 'html'"],
  ['parameters without properties', { name: 'a', title: 'A', read: () => ({}), parameters: {} }, "the view 'a' has 'parameters' without properties"],
  [
    'a reserved parameter',
    { name: 'a', title: 'A', read: () => ({}), parameters: { type: 'object', properties: { chatId: { type: 'string' } } } },
    "the view 'a' has a parameter 'chatId', but these names are reserved: chatId, token, authToken.",
  ],
  [
    'a parameter that is not a form field',
    { name: 'a', title: 'A', read: () => ({}), parameters: { type: 'object', properties: { day: 'string' } } },
    "the view 'a' has a parameter 'day' that is not a field with a type.",
  ],
  ['an invalid place', { name: 'a', title: 'A', read: () => ({}), place: 'sky' }, "the place 'sky'; it must be one of page, pane, none"],
])('rejects a contribution with %s', async (_, item, sentence) => {
  const http = { manifest: { provides: ['http'] }, register: (registry: any) => void registry.provide('http', () => ({})) };
  const kernel = await loadTestKernel({ http, views, bad: { register: (registry: any) => void registry.add('view', item) } });
  const reported = [kernel.reason('bad'), ...kernel.errors.map(({ message }) => message)].join('\n');
  await kernel.close();
  expect(reported).toContain(sentence);
});

test('a first block title equal to the view title is shown once, as text lines and as markdown', async () => {
  const block = (title: string) => ({ kind: 'fields', title, fields: [{ label: 'Where', value: 'here' }] });
  given.current = { title: 'Odd', blocks: [block('Odd'), block('More'), block('Odd')] };
  const { view, text } = await slash('odd');
  expect(text.split('\n').filter((line: string) => /^(?:Odd|More)$/.test(line))).toEqual(['Odd', 'More', 'Odd']);
  expect(view.blocks).toHaveLength(3);
  given.current = { title: 'Odd', blocks: [{ kind: 'text', text: 'Something.' }, block('Odd')] };
  expect((await slash('odd')).text.split('\n')).toEqual(['Odd', 'Something.', '', 'Where: here']);
});
