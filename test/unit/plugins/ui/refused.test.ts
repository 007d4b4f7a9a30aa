// Tests rejected panels and their error messages.
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as ui from '../../../../plugins/ui/index.ts';
import { loadTestKernel, type TestKernel } from '../../../helpers/test-kernel.ts';

const good = { id: 'good', title: 'Good', slot: 'panel', module: '/x/good.js' };
const cases: readonly (readonly [string, unknown, string])[] = [
  ['nothing', null, 'a panel must be an object'],
  ['an id with capitals', { ...good, id: 'Good' }, "the id 'Good' of a panel must be kebab-case"],
  ['an id with a path traversal', { ...good, id: '../good' }, 'must be kebab-case'],
  ['no id', { ...good, id: undefined }, "the id 'undefined'"],
  ['no title', { ...good, id: 'a', title: ' ' }, "the panel 'a' needs a title"],
  [
    'an unknown slot',
    { ...good, id: 'a', slot: 'sidebar' },
    "the slot 'sidebar'; it must be one of panel, tool_result, note, header, over-composer, composer, first-run, settings, account, connections",
  ],
  ['a field that nobody knows', { ...good, id: 'a', css: 'x' }, "the unknown field 'css'"],
  ['a result of no tool', { ...good, id: 'a', slot: 'tool_result' }, 'must list the names of the tools'],
  ['a result of a wrong tool', { ...good, id: 'a', slot: 'tool_result', tools: ['Read File'] }, 'must list the names of the tools'],
  ['tools of a page', { ...good, id: 'a', tools: ['read_file'] }, 'only allowed for the slot tool_result'],
  ['a line of no event', { ...good, id: 'a', slot: 'note' }, 'must list the kinds of the events'],
  ['a line of a wrong event', { ...good, id: 'a', slot: 'note', events: ['Mark Set'] }, 'must list the kinds of the events'],
  ['events of a page', { ...good, id: 'a', events: ['mark_set'] }, 'only allowed for the slot note'],
  ['a place of a part', { ...good, id: 'a', slot: 'settings', place: 'chat' }, 'only allowed for the slot panel'],
  ['a place that is none', { ...good, id: 'a', place: 'top' }, "the place 'top'; it must be one of chats, chat, or be left out"],
  ['an order that is none', { ...good, id: 'a', order: Number.NaN }, "an 'order' that is not a number"],
  ['a relative module', { ...good, id: 'a', module: './panel.js' }, 'absolute path or file: URL'],
  ['a remote module', { ...good, id: 'a', module: 'https://example.org/panel.js' }, 'absolute path or file: URL'],
  ['a module that is not a script', { ...good, id: 'a', module: '/etc/passwd' }, 'of a .js or .mjs file'],
  ['an invalid use', { ...good, id: 'a', uses: { routes: ['/api/status'] } }, "like 'GET /api/status'"],
  ['an unknown use', { ...good, id: 'a', uses: { files: [] } }, "a wrong 'uses'"],
  ['an icon of many signs', { ...good, id: 'a', icon: 'x'.repeat(17) }, 'neither the name of an icon nor a single character'],
  ['an id that is taken', { ...good, title: 'Other' }, "the panel 'good' is contributed by both 'a-first' and 'bad-22'; rename one of them."],
];

let kernel: TestKernel;
beforeAll(async () => {
  const add = (item: unknown) => ({ register: (registry: any) => void registry.add('ui.panel', item) });
  const bad = Object.fromEntries(cases.map(([, item], at) => [`bad-${at}`, add(item)]));
  const http = { manifest: { provides: ['http'] }, register: (registry: any) => void registry.provide('http', () => ({})) };
  kernel = await loadTestKernel({ http, ui: ui, 'a-first': add(good), ...bad });
});
afterAll(() => kernel.close());

test.each(cases.map(([what, , sentence], at) => [what, sentence, `bad-${at}`]))('rejects %s', (_, sentence, plugin) => {
  const reported = [kernel.reason(plugin), ...kernel.errors.filter((error) => error.plugin === plugin).map((error) => error.message)].join('\n');
  expect(reported).toContain(sentence);
});

test('the plugin with a valid panel and the contribution point are active', () => {
  expect([kernel.state('ui'), kernel.state('a-first')]).toEqual(['active', 'active']);
});
