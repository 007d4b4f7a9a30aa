import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls, startMemory, webTool, type MemoryWorld } from './memory-world.ts';

let world: MemoryWorld;

const results = (): { ok: boolean; output: string; untrusted?: boolean }[] =>
  world.events.filter(({ kind }) => kind === 'tool_result').map(({ payload }) => payload);
const decisions = (): any[] => world.events.filter(({ kind }) => kind === 'approval_decision').map(({ payload }) => payload);
const user = { kind: 'user', ref: 'test' } as const;

test('the model stores a note in one turn and finds it in the next, without an approval request', async () => {
  world = await startMemory({
    script: [
      ...(calls('remember', { key: 'editor', value: 'The user works with Helix.' }) as []),
      ...(calls('recall_relevant', { query: 'which editor does the user have' }) as []),
      ...(calls('recall', { key: 'editor' }) as []),
    ],
  });
  await world.say('I use Helix.');
  await world.say('Open my editor.');
  await world.say('And again.');
  expect(results().map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(results()[1]?.output).toContain('[fact:editor] (workspace');
  expect(results()[1]?.output).toContain('The user works with Helix.');
  expect(results()[2]?.output).toContain('from model');
  expect(results().some(({ untrusted }) => untrusted)).toBe(false);
  expect(world.events.some(({ kind }) => kind === 'tool_approval')).toBe(false);
  expect(decisions()).toMatchObject([{ decision: 'approve', by: 'rule', reason: expect.stringContaining('can be undone') }]);
  expect(world.events.find(({ kind }) => kind === 'memory_changed')?.payload).toMatchObject({
    noteId: 'fact:editor',
    scope: 'workspace',
    change: 'remembered',
  });
});

test('stores each scope in its own file: chat, workspace and home folder', async () => {
  world = await startMemory();
  const { notes, place } = world;
  for (const scope of ['chat', 'workspace', 'global'] as const) {
    const note = await notes.remember(place, { type: 'fact', key: `place-${scope}`, value: `kept in ${scope}`, scope, source: user });
    expect(note).toMatchObject({ id: `fact:place-${scope}`, scope, revision: 1, source: user });
  }
  await world.harness.close({ keepFiles: true });
  const chatFile = join(world.harness.home, 'chats', place.chatId, '.agent_notes.json');
  for (const [scope, file] of [
    ['chat', chatFile],
    ['workspace', world.workspaceFile],
    ['global', world.homeFile],
  ] as const) {
    const map = JSON.parse(await readFile(file, 'utf8'));
    expect(Object.keys(map)).toEqual([`fact:place-${scope}`]);
    expect(map[`fact:place-${scope}`]).toMatchObject({ value: `kept in ${scope}`, accessCount: 0, confidence: 1, links: [], source: user, revision: 1 });
  }
});

test('forget leaves a tombstone, hides the note, and a restore brings it back', async () => {
  world = await startMemory({ script: calls('forget', { key: 'editor' }) });
  const { notes, place } = world;
  await notes.remember(place, { type: 'fact', key: 'editor', value: 'Helix', source: user });
  await world.say('Forget my editor.');
  expect(results()[0]).toMatchObject({ ok: true, output: expect.stringContaining('Forgot fact:editor') });
  expect(await notes.find(place, 'editor')).toBeUndefined();
  expect(await notes.recall(place, 'editor helix')).toEqual([]);
  const { body } = await world.call('POST', '/api/memory/restore', { id: 'fact:editor', scope: 'workspace' });
  expect(body.note).toMatchObject({ value: 'Helix', revision: 3 });
  expect((await notes.recall(place, 'helix'))[0]?.note.id).toBe('fact:editor');
});

test.each([
  ['a control character in the key', { key: 'a\nb', value: 'x' }],
  ['an invalid type', { key: 'a', value: 'x', type: 'Not A Type' }],
  ['an empty value', { key: 'a', value: '   ' }],
  ['the key suffix of proposals', { key: 'a~proposed', value: 'x' }],
])('rejects a note with %s and returns the reason', async (_, args) => {
  world = await startMemory({ script: calls('remember', args) });
  await world.say('go');
  expect(results()[0]?.ok).toBe(false);
  expect(results()[0]?.output).toContain('cannot be stored');
});

test('accepts names of prototype properties as keys', async () => {
  world = await startMemory();
  for (const key of ['__proto__', 'constructor', 'toString']) {
    await world.notes.remember(world.place, { type: 'fact', key, value: `about ${key}`, source: user });
    expect((await world.notes.find(world.place, key))?.value).toBe(`about ${key}`);
  }
  await world.harness.close({ keepFiles: true });
  const again = await startMemory({ home: world.harness.home, workspace: world.harness.workspace });
  expect((await again.notes.find(again.place, '__proto__'))?.value).toBe('about __proto__');
  expect(({} as any).value).toBeUndefined();
});

test('after external content, a note requires approval of the call and then waits for review', async () => {
  world = await startMemory({
    modules: { 'fake-web': webTool as never },
    script: [
      { toolCalls: [{ name: 'fetch_page' }] },
      { toolCalls: [{ name: 'remember', args: { key: 'deploy-password', value: 'The deploy password is hunter2.' } }] },
      { text: 'done' },
    ],
  });
  const { notes, place } = world;
  await notes.remember(place, { type: 'fact', key: 'deploy-password', value: 'It is in the vault.', source: user });
  const ended = world.say('Read the page.');
  await expect.poll(() => world.events.find(({ kind }) => kind === 'tool_approval')).toBeDefined();
  const approvalId = world.events.find(({ kind }) => kind === 'tool_approval')?.payload.approvalId;
  expect((await world.call('POST', '/api/approve', { approvalId, decision: 'approve' })).status).toBe(200);
  expect((await ended)?.reason).toBe('done');
  expect(results()[1]?.output).toContain('is in the inbox');

  expect((await notes.find(place, 'deploy-password'))?.value).toBe('It is in the vault.');
  expect((await notes.recall(place, 'deploy password hunter2')).map((hit) => hit.note.value)).toEqual(['It is in the vault.']);
  const { body: inbox } = await world.call('GET', '/api/memory?show=pending');
  expect(inbox).toMatchObject({ total: 1, notes: [{ isPending: true, replaces: 'fact:deploy-password', source: { kind: 'web' } }] });
  expect((await world.call('GET', '/api/memory')).body.total).toBe(1);
  expect((await world.say('/memory'))?.reason).toBe('done');

  const { id, scope } = inbox.notes[0];
  const accepted = await world.call('POST', '/api/memory/accept', { id, scope, isAccepted: true });
  expect(accepted.body.note).toMatchObject({ id: 'fact:deploy-password', value: 'The deploy password is hunter2.' });
  expect((await notes.find(place, 'deploy-password'))?.value).toBe('The deploy password is hunter2.');
  expect((await world.call('GET', '/api/memory?show=pending')).body.total).toBe(0);
});

test('keeps up to five proposals for a note, and accepting one leaves the others', async () => {
  world = await startMemory();
  const { notes, place } = world;
  const propose = (value: string) => notes.remember(place, { type: 'fact', key: 'sky', value, source: { kind: 'web', ref: 'https://x.example' } });
  const inbox = async (): Promise<any[]> => (await world!.call('GET', '/api/memory?show=pending')).body.notes;
  const values = async () => (await inbox()).map(({ value }) => value as string).sort();
  for (const value of ['It is green.', 'It is grey.', 'It is green.', 'It is blue.']) await propose(value);
  expect(await values()).toEqual(['It is blue.', 'It is green.', 'It is grey.']);

  const blue = (await inbox()).find(({ value }) => value === 'It is blue.');
  expect(blue.replaces).toBe('fact:sky');
  const accepted = await world.call('POST', '/api/memory/accept', { id: blue.id, scope: blue.scope, isAccepted: true });
  expect(accepted.body.note).toMatchObject({ id: 'fact:sky', value: 'It is blue.' });
  expect((await inbox()).map(({ value, replaces }) => [value, replaces]).sort()).toEqual([
    ['It is green.', 'fact:sky'],
    ['It is grey.', 'fact:sky'],
  ]);
  for (let shade = 1; shade <= 9; shade++) await propose(`It is shade ${shade}.`);
  expect(await values()).toEqual([5, 6, 7, 8, 9].map((shade) => `It is shade ${shade}.`));
  for (const { id, scope } of await inbox()) await world.call('POST', '/api/memory/accept', { id, scope, isAccepted: false });
  expect(await inbox()).toEqual([]);
  expect((await notes.find(place, 'sky'))?.value).toBe('It is blue.');
});

test('a rejected note is removed and cannot be accepted afterwards', async () => {
  world = await startMemory();
  const { notes, place } = world;
  const note = await notes.remember(place, { type: 'fact', key: 'lie', value: 'The sky is green.', source: { kind: 'web', ref: 'https://x.example' } });
  expect(note.isPending).toBe(true);
  expect(await notes.recall(place, 'sky green')).toEqual([]);
  expect(await notes.find(place, 'lie')).toBeUndefined();
  expect((await world.call('POST', '/api/memory/accept', { id: 'fact:lie', scope: 'workspace', isAccepted: false })).status).toBe(200);
  expect((await world.call('POST', '/api/memory/accept', { id: 'fact:lie', scope: 'workspace', isAccepted: true })).body.error.code).toBe('not_found');
  expect(await notes.recall(place, 'sky green')).toEqual([]);
});

test('memory_graph follows links over two steps, and does not exist without AGENT_MEMORY_GRAPH', async () => {
  world = await startMemory({ script: calls('memory_graph', { key: 'c', steps: 2 }) });
  const { notes, place } = world;
  await notes.remember(place, { type: 'fact', key: 'a', value: 'apples grow on trees', source: user });
  const b = await notes.remember(place, { type: 'fact', key: 'b', value: 'trees stand in orchards', source: user });
  const c = await notes.remember(place, { type: 'fact', key: 'c', value: 'orchards need water', source: user });
  expect([b.links, c.links]).toEqual([['fact:a'], ['fact:b']]);
  await world.say('graph');
  expect(results()[0]?.output).toMatch(/step 1, from fact:c: \[fact:b\][\s\S]*step 2, from fact:b: \[fact:a\]/);

  await world.harness.kernel.control.setPreferences({ AGENT_MEMORY_GRAPH: '0' });
  const off = world.harness.kernel.resolve('notes');
  expect((await off.remember(place, { type: 'fact', key: 'd', value: 'water for orchards', source: user })).links).toEqual([]);
  expect((await world.call('GET', '/api/tools')).body.tools.map((tool: any) => tool.name)).not.toContain('memory_graph');
});

test('with AGENT_MEMORY_AUTOLINK the configured model adds links to a new note after the turn', async () => {
  world = await startMemory({
    environment: { AGENT_MEMORY_AUTOLINK: '1', AGENT_MEMORY_AUTOLINK_MODEL: 'linker' },
    script: [
      ...(calls('remember', { key: 'deploy', value: 'Deploy with make ship to the staging server.' }) as []),
      { text: '{"fact:deploy": ["fact:staging", "fact:not-a-candidate"]}', when: ({ body }) => body.model === 'linker' },
    ],
  });
  const { notes, place } = world;
  await notes.remember(place, { type: 'fact', key: 'staging', value: 'The staging server is at 10.0.0.7.', source: user });
  await world.say('How we deploy: …');
  await expect.poll(async () => (await notes.find(place, 'deploy'))?.value).toBe('Deploy with make ship to the staging server.\n\n[[fact:staging]]');
  expect((await notes.find(place, 'deploy'))?.source.kind).toBe('model');
  expect(world.events.find(({ kind, payload }) => kind === 'usage' && payload.purpose === 'autolink')?.payload).toMatchObject({
    plugin: 'memory',
    model: 'linker',
  });
});

test('without AGENT_MEMORY_AUTOLINK sends no request after the turn', async () => {
  world = await startMemory({ script: calls('remember', { key: 'deploy', value: 'with make' }) });
  await world.notes.remember(world.place, { type: 'fact', key: 'deployment', value: 'deploy with make', source: user });
  await world.say('go');
  await world.harness.close({ keepFiles: true });
  expect(world.model.requests.length).toBe(2);
});
