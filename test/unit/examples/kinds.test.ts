// Tests the minimal example of each contribution kind, loaded as a user plugin, against the guide.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';

const folder = join(import.meta.dirname, '../../../examples/kinds');

let harness: Harness;
let systems: any[];
beforeAll(async () => {
  systems = [];
  harness = await startHarness({
    environment: { AGENT_PLUGIN_DIR: folder, EXAMPLE_SMALL_MODEL: 'small', AGENT_TTS_ENGINE: 'beeps' },
    modules: { spy: { register: (_registry, emitter) => void emitter.tap('model.request', (request) => (systems.push(request), request)) } },
  });
});
afterAll(() => harness.close());

const get = async (path: string): Promise<any> => (await harness.call('GET', path)).body;
async function say(text: string): Promise<{ tools: any[]; notes: any[]; answer: string; chatId: string }> {
  const { status, body } = await harness.call('POST', '/api/message', { text });
  expect([status, body.error]).toEqual([202, undefined]);
  await harness.kernel.resolve('turns').ended(body.turnId);
  const { entries } = await get(`/api/chats/${body.chatId}/transcript`);
  const own = entries.filter((entry: any) => entry.turnId === body.turnId);
  const of = (kind: string): any[] => own.filter((entry: any) => entry.kind === kind);
  return { tools: of('tool'), notes: entries.filter((entry: any) => entry.kind === 'system'), answer: of('assistant').at(-1)?.text, chatId: body.chatId };
}

test('every example is active without warnings and appears in the guide', async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
  const { plugins } = await get('/api/plugins');
  const rows = plugins.filter(({ origin }: any) => origin === 'user').map(({ name, state, warnings, reason }: any) => ({ name, state, warnings, reason }));
  for (const name of names) expect(rows).toContainEqual(expect.objectContaining({ name: name.replace('.mjs', ''), state: 'active', reason: undefined }));
  expect(rows.flatMap(({ warnings = [] }: any) => warnings)).toEqual([]);
  const guide = await readFile(join(folder, '../../docs/guides/what-a-plugin-can-add.md'), 'utf8');
  expect(names.filter((name) => !guide.includes(`<!-- file: examples/kinds/${name} -->`))).toEqual([]);
});

test('model-facing examples work: a tool family, a result view and an offered skill', async () => {
  expect((await say('call miles_to_km with {"value": 26.2}')).tools).toMatchObject([{ name: 'miles_to_km', ok: true, output: '42.16 km' }]);
  expect((await say('call list_ships with {}')).tools).toMatchObject([
    { ok: true, output: 'Two ships: Vasa (1628), Fram (1892).', view: { blocks: [{ kind: 'table' }] } },
  ]);
  expect(JSON.stringify(systems.at(-1))).toContain('brew-tea');
});

test('UI examples work: views, a chat pane, a status line, a message badge, a page part and translations', async () => {
  const shapes = await get('/api/views/shapes');
  expect(new Set(shapes.blocks.map(({ kind }: any) => kind))).toEqual(new Set(['text', 'fields', 'table', 'list', 'chart', 'progress', 'diff', 'form']));
  expect((await harness.call('POST', '/api/views/shapes/actions/note', { input: { text: 'wind' } })).body).toMatchObject({ message: 'Noted: wind' });
  const tides = await get('/api/views/tide-table?harbour=Hull&days=2');
  expect(tides.blocks[0]).toMatchObject({ title: 'Hull', rows: [{ cells: ['Day 1', '03:10', 6.9] }, { cells: ['Day 2', '04:00', 6.8] }] });
  expect(tides.blocks[2].rows[0]).toMatchObject({ opens: { parameters: { harbour: 'Bergen', days: 2 } } });
  const { views } = await get('/api/views');
  expect(views.find(({ name }: any) => name === 'beside-chat')).toMatchObject({ place: 'pane' });
  const { notes } = await say('/bell');
  expect(notes).toContainEqual(expect.objectContaining({ text: 'The bell rang 8 times.' }));
  const { answer, chatId } = await say('hello');
  await say('/star');
  const marked = await get(`/api/chats/${chatId}/transcript`);
  const ids = marked.marks.find(({ label }: any) => label === 'Starred').ids;
  expect(marked.entries.find(({ id }: any) => id === ids[0]).text).toBe(answer);
  expect((await get('/api/ui/panels')).panels).toContainEqual(expect.objectContaining({ id: 'sail', slot: 'over-composer' }));
  expect(JSON.stringify(await get('/api/ui/messages?language=eo'))).toContain('Formoj');
});

test('slash commands use a setting, an event and a service of another plugin', async () => {
  expect((await say('/crew')).answer).toBe('4, and speeds are told in knots.');
  await harness.call('PATCH', '/api/settings', { values: { EXAMPLE_CREW: '9' } });
  expect((await say('/turns')).answer).toMatch(/^[1-9]\d* so far\.$/);
  expect((await say('/tide')).answer).toBe('High tide at 18:37.');
});

test('hooks and rules refuse a message, change content and request an approval', async () => {
  expect(await harness.call('POST', '/api/message', { text: 'My password: hunter2' })).toMatchObject({
    status: 422,
    body: { error: { code: 'secret', message: 'There is a password in it. Take it out, and send it again.' } },
  });
  await say('write crew.txt with ada@example.org');
  const read = await say('read crew.txt');
  expect(read.tools.at(-1).output).toContain('(address)');
  expect(read.tools.at(-1).output).not.toContain('ada@');
  const { body } = await harness.call('POST', '/api/message', { text: 'run `git push`' });
  const approvals = async (): Promise<any[]> => (await get('/api/pending')).approvals.filter(({ turnId }: any) => turnId === body.turnId);
  await expect.poll(approvals, { timeout: 20_000 }).toMatchObject([{ reason: expect.stringContaining('It would push to a server.') }]);
  await harness.call('POST', '/api/session/abort', { chatId: body.chatId });
  await harness.kernel.resolve('turns').ended(body.turnId);
});

test('server examples work: reply fields, jobs, connections, caps, a voice, checks and commands', async () => {
  expect(await get('/api/status')).toMatchObject({ shipsInHarbour: 2 });
  expect(JSON.stringify(await get('/api/integrations'))).toContain('Harbour office');
  const { engine, info } = await harness.kernel.resolve('audioEngines').engine('speech');
  expect(info.name).toBe('beeps');
  const spoken = await engine.synthesize({ text: 'three short tones', voice: 'sine', caller: { plugin: 'test' } }, new AbortController().signal);
  const parts: Uint8Array[] = [];
  for await (const part of spoken.audio) parts.push(part);
  const bytes = Buffer.concat(parts);
  expect([bytes.subarray(0, 4).toString(), bytes.length]).toEqual(['RIFF', 44 + 3 * 1_600 * 2]);
  const found = harness.kernel.control.report().plugins.flatMap(({ origin, adds }) => (origin === 'user' ? adds : []));
  for (const label of ['job:look-at-the-sea', 'cli_command:tides', 'doctor_check:room for charts', 'persona_artifact:motto', 'spending_cap:helpers'])
    expect(found).toContain(label);
});
