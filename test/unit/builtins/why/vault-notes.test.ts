// Tests vault notes written by the model: listed with their source and deleted with it, except notes the user edited.
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { WhyAnswer } from 'agent-harness/builtins/turn/why';
import { type Harness, runTurn, startHarness, startScriptedModel, useEach, useFolder } from '../../../helpers/in-process.ts';

const builtins = ['model-chat-completions', 'checkpoints', 'files', 'memory', 'origins', 'vault', 'why'];
const said = 'My boat is called Albatross of the seven seas and lies at pier twelve.';
const boat = 'agent/notes/Boat.md';
let harness: Harness;
let environment: Record<string, string>;
const model = useEach(() => startScriptedModel([]));
const vault = useFolder('vault-');
beforeEach(async () => {
  environment = { ...model.environment, AGENT_VAULT_PATH: vault, AGENT_VAULT_AUTO_WRITE: 'off', AGENT_VAULT_DEDUPE: '0' };
  harness = await startHarness({ builtins, environment });
});

interface Done {
  readonly messageId: string;
  readonly turnId: string;
  callId(name: string): string;
}
/** Runs a turn in which the model makes these calls, one per round. */
async function say(text: string, ...calls: readonly (readonly [name: string, args: object])[]): Promise<Done> {
  for (const [name, args] of calls) model.push({ toolCalls: [{ name, args }] });
  model.push({ text: 'Done.' });
  let isOver = false;
  const running = runTurn(harness, text).finally(() => (isOver = true));
  // After external content, storing a note requires approval.
  const answered = async (): Promise<boolean> => {
    for (const { approvalId } of (await harness.call('GET', '/api/pending')).body.approvals)
      await harness.call('POST', '/api/approve', { approvalId, decision: 'approve' });
    return isOver;
  };
  await expect.poll(answered, { timeout: 20_000 }).toBe(true);
  const { events, turnId } = await running;
  const of = (kind: string, name?: string): any => events.find((event: any) => event.kind === kind && (name === undefined || event.name === name));
  expect(events.filter(({ kind, ok }: any) => kind === 'tool_result' && ok !== true)).toEqual([]);
  return { turnId, messageId: of('message_accepted').messageId, callId: (name) => of('tool_start', name).callId };
}
const writes = (title: string, content: string, more: object = {}) => ['vault_write', { title, content, ...more }] as const;
const remembers = (key: string, value: string) => ['remember', { key, value, scope: 'workspace' }] as const;
const ask = async (query: Record<string, string>): Promise<WhyAnswer> =>
  (await harness.call('GET', `/api/why?${new URLSearchParams(query).toString()}`)).body as WhyAnswer;
const derived = async (query: Record<string, string>): Promise<string[]> => ((await ask(query)).derived ?? []).map(({ id }) => id).sort();
const view = async (about: string): Promise<any> => (await harness.call('GET', `/api/views/why?${new URLSearchParams({ about }).toString()}`)).body;
const items = (shown: any): any[] => shown.blocks.find(({ title }: any) => title === 'Derived items')?.items ?? [];
const act = (about: string, action: string, row?: string): Promise<any> =>
  harness.call('POST', `/api/views/why/actions/${action}`, { parameters: { about }, ...(row === undefined ? {} : { row }) });
const actionOf = (shown: any, start: string): any => shown.actions?.find(({ id }: { id: string }) => id.startsWith(start));
const notes = async (): Promise<string[]> =>
  (await readdir(vault, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(vault.length + 1))
    .sort();
const remembered = async (): Promise<string[]> => (await harness.call('GET', '/api/memory')).body.notes.map(({ id }: { id: string }) => id);
const derivedNotesFile = (): Promise<string> => readFile(join(harness.home, 'plugin-data/why/derived-notes.json'), 'utf8').catch(() => '');

test('lists a vault note with the message it repeats, deletes both, and warns that deletion is permanent', async () => {
  const { messageId, callId } = await say(
    said,
    writes('Boat', 'The boat is called Albatross of the seven seas.'),
    remembers('boat', 'The boat is called Albatross of the seven seas.'),
    writes('Tides', 'Tides come and go, twice each day, whoever looks.'),
  );
  await say('Keep another.', writes('Other', 'A note about something else entirely.'));
  const about = `message ${messageId}`;
  const all = [boat, 'agent/notes/Tides.md', 'fact:boat'];
  await expect.poll(() => derived({ message: messageId })).toEqual(all);
  const shown = await view(about);
  expect(items(shown).find(({ text }) => text.startsWith(boat))).toMatchObject({
    text: `${boat}: The boat is called Albatross of the seven seas.`,
    detail: 'It repeats words of this message: “boat is called Albatross of the seven seas”',
    actions: ['delete-text'],
    opens: { parameters: { about: `source ${boat}` } },
  });
  expect(items(shown).find(({ text }) => text.startsWith('agent/notes/Tides.md')).detail).toBe('It was stored in the turn that this message started.');
  const [out, gone] = [actionOf(shown, 'take-out'), actionOf(shown, 'delete-all')];
  for (const { confirm } of [out, gone]) {
    for (const id of all) expect(confirm).toContain(id);
    expect(confirm).toContain('Items deleted from the vault cannot be restored.');
  }
  // The call alone lists only what it wrote.
  expect(await derived({ call: callId('vault_write') })).toEqual([boat]);
  const { body } = await act(about, out.id);
  expect(body.message).toBe(
    'The model no longer reads it. One note is deleted. You can restore them for 30 days on the page Memory. 2 notes of the vault are permanently deleted.',
  );
  expect(await notes()).toEqual(['agent/notes/Other.md']);
  expect(await remembered()).toEqual([]);
  expect(items(body.view)).toEqual([]);
  await expect.poll(derivedNotesFile).not.toContain('Albatross');
});

test('deletes a single note, and traces it from its call and from the note itself', async () => {
  const { callId, messageId } = await say(
    said,
    writes('Boat', 'The boat is called Albatross of the seven seas.'),
    writes('Pier', 'Albatross of the seven seas is at a pier.'),
  );
  await expect.poll(() => derived({ message: messageId })).toEqual([boat, 'agent/notes/Pier.md']);
  const call = await ask({ call: callId('vault_write') });
  expect(call.sources).toMatchObject([{ kind: 'user', field: 'content', asks: { message: messageId } }]);
  expect(call.derived).toMatchObject([{ kind: 'text', id: boat, where: 'the vault', how: 'This call stored it.' }]);
  const note = await ask({ source: boat });
  expect(note.says).toEqual(['The agent wrote it with a call; it is stored in the vault.', 'No call of this chat named it; no note is known to repeat it.']);
  expect(note.parts).toMatchObject([{ kind: 'call', asks: { call: callId('vault_write') } }]);
  expect(note.sources).toMatchObject([{ kind: 'user', quote: 'boat is called Albatross of the seven seas', asks: { message: messageId } }]);
  const about = `message ${messageId}`;
  const listed = (await view(about)).blocks.find(({ title }: any) => title === 'Derived items');
  expect(listed.rowActions).toMatchObject([{ id: 'delete-text', confirm: 'Delete this note? It cannot be restored.' }]);
  const { id } = listed.items.find(({ text }: any) => text.startsWith(boat));
  expect((await act(about, 'delete-text', id)).body.message).toBe('One note of the vault is permanently deleted.');
  expect(await notes()).toEqual(['agent/notes/Pier.md']);
  expect((await act(about, 'delete-text', id)).body.error.code).toBe('no_action');
  // The note itself can be deleted from its own view too.
  const own = await view('source agent/notes/Pier.md');
  expect(own.actions).toMatchObject([{ label: 'Delete this note', confirm: 'Delete agent/notes/Pier.md? Items deleted from the vault cannot be restored.' }]);
  const gone = await act('source agent/notes/Pier.md', own.actions[0].id);
  expect(gone.body.message).toBe('One note of the vault is permanently deleted.');
  expect(gone.body.view.blocks[0].text).toContain('A call stored it, but it no longer exists.');
  expect(await notes()).toEqual([]);
});

test('lists a note that the user edited as theirs and keeps it when the rest is deleted', async () => {
  const { messageId } = await say(said, writes('Boat', said), writes('Pier', said));
  const about = `message ${messageId}`;
  await expect.poll(() => derived({ message: messageId })).toEqual([boat, 'agent/notes/Pier.md']);
  const before = actionOf(await view(about), 'delete-all');
  await appendFile(join(vault, boat), 'She is painted green.\n');
  // The list changed, so the earlier action is rejected.
  expect((await act(about, before.id)).body.error.code).toBe('no_action');
  expect(await notes()).toEqual([boat, 'agent/notes/Pier.md']);
  const shown = await view(about);
  const mine = items(shown).find(({ text }) => text.startsWith(boat));
  expect(mine).toMatchObject({ detail: expect.stringContaining('You edited it, so it cannot be deleted here.'), actions: [] });
  expect(actionOf(shown, 'delete-all').confirm).toBe('Delete agent/notes/Pier.md? Items deleted from the vault cannot be restored.');
  expect((await act(about, 'delete-text', mine.id)).body.error.code).toBe('no_action');
  await act(about, actionOf(shown, 'take-out').id);
  expect(await notes()).toEqual([boat]);
  expect((await ask({ source: boat })).says).toContain('You edited it, so it cannot be deleted here.');
  // A note that the user rewrote completely is no longer derived.
  await writeFile(join(vault, boat), 'Green paint is sold in the harbour.\n');
  expect(await derived({ message: messageId })).toEqual([]);
});

test('lists vault notes with the file or note they repeat, also from another chat and after a restart', async () => {
  await writeFile(join(harness.workspace, 'harbour.txt'), 'The ferry to the northern islands leaves at seven from pier twelve.\n');
  await harness.call('POST', '/api/memory', { type: 'fact', key: 'tide', value: 'High water comes fifty minutes later each day.', scope: 'global' });
  await say('Look and keep it.', ['read_file', { path: 'harbour.txt' }], writes('Ferry', 'It says: the ferry to the northern islands leaves at seven.'));
  await say('And the tide.', writes('Tide', 'High water comes fifty minutes later each day.'));
  await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' });
  const { callId } = await say(
    'Sum it up.',
    ['vault_read', { path: 'agent/notes/Ferry.md' }],
    writes('Sum', 'Note: the ferry to the northern islands leaves at seven.'),
  );
  await expect.poll(() => derived({ source: 'agent/notes/Ferry.md' })).toEqual(['agent/notes/Sum.md']);
  const { home, workspace } = harness;
  await harness.close({ keepFiles: true });
  harness = await startHarness({ builtins, environment, home, workspace });
  expect(await derived({ source: 'harbour.txt' })).toEqual(['agent/notes/Ferry.md']);
  expect(await derived({ note: 'fact:tide' })).toEqual(['agent/notes/Tide.md']);
  expect(await derived({ call: callId('vault_read') })).toEqual(['agent/notes/Sum.md']);
  expect(await derived({ text: 'the ferry to the northern islands leaves at seven' })).toEqual(['agent/notes/Ferry.md', 'agent/notes/Sum.md']);
  const shown = await view('source agent/notes/Ferry.md');
  expect(shown.actions).toMatchObject([
    { label: 'Delete this and derived items', confirm: expect.stringContaining('agent/notes/Ferry.md, agent/notes/Sum.md') },
  ]);
  await act('source agent/notes/Ferry.md', shown.actions[0].id);
  expect(await notes()).toEqual(['agent/notes/Tide.md']);
});

test('traces an appended text to its own source and drops replaced, undone and deleted text', async () => {
  const other = 'The harbour master of the northern pier is called Ingeborg.';
  const first = await say(said, writes('Boat', said));
  const second = await say(other, writes('Boat', other, { path: boat, mode: 'append' }));
  await expect.poll(() => derived({ message: second.messageId })).toEqual([boat]);
  expect(await derived({ message: first.messageId })).toEqual([boat]);
  await say('Anew.', writes('Boat', 'Nothing of all that is in here any more, it is new.', { path: boat, mode: 'replace' }));
  expect(await derived({ message: first.messageId })).toEqual([]);
  expect((await harness.call('POST', '/api/undo', {})).status).toBe(200);
  expect(await derived({ message: first.messageId })).toEqual([boat]);
  expect((await harness.call('POST', '/api/undo', { turnId: second.turnId })).status).toBe(200);
  expect(await derived({ message: second.messageId })).toEqual([]);
  await rm(join(vault, boat));
  expect(await derived({ message: first.messageId })).toEqual([]);
  expect(await derivedNotesFile()).not.toContain('Albatross');
});

test('omits an unreachable vault without forgetting its notes, and reports its failed deletion', async () => {
  const { messageId } = await say(said, remembers('boat', said), writes('Boat', said));
  await expect.poll(() => derived({ message: messageId })).toEqual([boat, 'fact:boat']);
  const { home, workspace } = harness;
  await harness.close({ keepFiles: true });
  harness = await startHarness({ builtins, environment: { ...environment, AGENT_VAULT_PATH: join(vault, 'none') }, home, workspace });
  expect(await derived({ message: messageId })).toEqual(['fact:boat']);
  const about = `message ${messageId}`;
  const { body } = await act(about, actionOf(await view(about), 'take-out').id);
  expect(body.message).toMatch(/Data that the plugin vault derived from it could not be removed: .*does not exist/);
  expect(body.message).toContain('One note is deleted.');
  expect(await derivedNotesFile()).toContain(boat);
});

test('lists no vault notes without the vault', async () => {
  await harness.close();
  harness = await startHarness({ builtins: builtins.filter((name) => name !== 'vault'), environment });
  const { messageId } = await say(said);
  expect(await derived({ message: messageId })).toEqual([]);
});
