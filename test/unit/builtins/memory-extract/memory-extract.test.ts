import { expect, test } from 'vitest';
import { startMemory, webTool, type MemoryWorld } from '../memory/memory-world.ts';
import type { ScriptedReply } from '../../../helpers/scripted-model.ts';

let world: MemoryWorld;
const isExtract = ({ body }: { body: any }): boolean => JSON.stringify(body.messages[0]).includes('You take notes for an assistant');
const extract = (notes: unknown): ScriptedReply => ({ when: isExtract, always: true, text: typeof notes === 'string' ? notes : JSON.stringify({ notes }) });
const extracts = (): number => world.model.requests.filter(isExtract).length;
const builtins = ['memory', 'memory-extract', 'model-chat-completions', 'files'];
const on = { AGENT_MEMORY_AUTO_EXTRACT: '1' };
const list = async (show = 'active'): Promise<any[]> => (await world.call('GET', `/api/memory?show=${show}`)).body.notes;
const editor = { type: 'fact', key: 'editor', value: 'The user works with Helix.', scope: 'global' };

test('with AGENT_MEMORY_AUTO_EXTRACT a turn stores at most five notes with the turn as their source', async () => {
  const many = Array.from({ length: 8 }, (_, at) => ({ key: `note-${at}`, value: `thing ${at}` }));
  world = await startMemory({ builtins, environment: on, script: [extract([editor, ...many]), { text: 'Fine.', always: true }] });
  const end = await world.say('I use Helix.');
  await expect.poll(async () => (await list()).length).toBe(5);
  const note = (await list()).find(({ key }) => key === 'editor');
  expect(note).toMatchObject({ value: editor.value, scope: 'global', source: { kind: 'model', ref: end?.turnId } });
  expect(JSON.stringify(world.model.requests.find(isExtract)?.body)).toContain('I use Helix.');
  expect(world.events.find(({ kind, payload }) => kind === 'usage' && payload.purpose === 'extract')?.payload.plugin).toBe('memory-extract');
});

test('omits invalid notes, long notes and secrets', async () => {
  const bad = [
    { key: 'a\nb', value: 'x' },
    { key: 'x', value: 7 },
    { key: 'long', value: 'x'.repeat(3_000) },
    { key: 'key', value: 'The token is sk-abcdefghijklmnopqrstuvwx' },
    { key: 'pass', value: 'password: hunter2hunter2' },
    'text',
    null,
  ];
  world = await startMemory({ builtins, environment: on, script: [extract([...bad, editor]), { text: 'Fine.', always: true }] });
  await world.say('hello');
  await expect.poll(async () => (await list()).map(({ key }) => key)).toEqual(['editor']);
});

test('notes from a turn with external content wait for review', async () => {
  world = await startMemory({
    builtins,
    environment: on,
    modules: { 'fake-web': webTool as never },
    script: [extract([editor]), { toolCalls: [{ name: 'fetch_page' }] }, { text: 'Fine.' }],
  });
  await world.say('Read the page.');
  await expect.poll(async () => (await list('pending')).map(({ key }) => key)).toEqual(['editor']);
  expect(await list()).toEqual([]);
  expect(await world.notes.recall(world.place, 'helix')).toEqual([]);
});

test('sends no request when disabled, after a slash command, and after a failed turn', async () => {
  world = await startMemory({ builtins, script: [extract([editor]), { text: 'Fine.' }, { status: 401 }] });
  await world.say('hello');
  await world.harness.kernel.control.setPreferences(on);
  await world.say('/help');
  expect((await world.say('this fails'))?.reason).toBe('error');
  await world.harness.close();
  expect(extracts()).toBe(0);
});

test('an aborted turn creates no notes', async () => {
  world = await startMemory({ builtins, environment: on, script: [extract([editor]), { text: ['a', 'b'], stallAfter: 1 }] });
  const ended = world.say('hello');
  await world.model.request(0);
  await world.harness.kernel.resolve('turns').abort();
  expect((await ended)?.reason).toBe('aborted');
  await world.harness.close();
  expect(extracts()).toBe(0);
});

test('unloading the plugin aborts a running request', async () => {
  world = await startMemory({ builtins, environment: on, script: [{ when: isExtract, text: 'x', stallAfter: 0 }, { text: 'Fine.' }] });
  await world.say('hello');
  const request = await world.model.request(1);
  expect(await world.harness.close()).toEqual([]);
  expect(await request.ended).toBe('gone');
});

test('an invalid answer stores nothing and is not an error', async () => {
  world = await startMemory({ builtins, environment: on, script: [extract('I would keep nothing.'), { text: 'Fine.', always: true }] });
  expect((await world.say('hello'))?.reason).toBe('done');
  await expect.poll(extracts).toBe(1);
  expect(await list()).toEqual([]);
});

test('does not store a permanently rejected note under another key', async () => {
  const waiting = { type: 'fact', key: 'spouse', value: 'The wife of the user is called Ada.', scope: 'global', source: { kind: 'web', ref: '' } } as const;
  const wife = { type: 'fact', key: 'wife', value: waiting.value, scope: 'global' };
  world = await startMemory({ builtins, environment: on, script: [extract([wife, editor]), { text: 'Fine.', always: true }] });
  await world.notes.remember(world.place, waiting);
  await world.call('POST', '/api/memory/accept', { id: 'fact:spouse', scope: 'global', isAccepted: false, never: true });
  await world.say('I use Helix.');
  await expect.poll(async () => (await list()).map(({ key }) => key)).toEqual(['editor']);
});
