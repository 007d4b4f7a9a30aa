// Tests that no other reader of a chat sends removed entries to a model or stores them.
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Harness, runTurn, type ScriptedModel, type ScriptedRequest, startHarness, startScriptedModel, useFolder } from '../../../helpers/in-process.ts';
import { addTools, createGate, ownTool } from '../../plugins/agent/agent-bench.ts';

const word = 'marigold';
const said = `The secret word of the harbour is ${word}, keep it in mind.`;
let model: ScriptedModel;
let harness: Harness;
const vault = useFolder('vault-');
/** Delays helper replies until it resolves. */
let held: Promise<void> | undefined;
/** The reply of a dream. */
let dreamt: object;

const builtins = [
  ...['model-chat-completions', 'artifacts', 'origins', 'memory', 'evidence-gates', 'dream', 'vault', 'vault-episodes', 'reflexion', 'chat-export', 'why'],
];
beforeEach(async () => {
  held = undefined;
  dreamt = { summary: '', upserts: [], deletes: [] };
  let calls = 0;
  model = await startScriptedModel(async (request) => {
    const asked = JSON.stringify(request.body.messages.at(-1));
    if (is(request, 'notes while it is idle')) return { text: JSON.stringify(dreamt) };
    if (is(request, 'You take notes for an assistant')) {
      await held;
      const value = tells(request) ? `The harbour says ${word}.` : 'They live in Basel.';
      return { text: JSON.stringify({ notes: [{ type: 'fact', key: tells(request) ? 'word' : 'home', value, scope: 'workspace' }] }) };
    }
    if (is(request, 'what an agent should learn')) {
      await held;
      return { text: JSON.stringify({ lesson: `Say ${word}.`, rootCause: 'It was not said.', fixPattern: 'Say it.' }) };
    }
    if (asked.includes('Look it up')) return { toolCalls: [{ id: `call_look${calls++}`, name: 'look', args: {} }] };
    const reads = /Read (\S+?)[\\"]/.exec(asked)?.[1];
    if (reads !== undefined) {
      const call = reads.startsWith('attachment:') ? { name: 'look', args: { path: reads } } : { name: 'read_artifact', args: { id: reads } };
      return { toolCalls: [{ id: `call_read${calls++}`, ...call }] };
    }
    if (asked.includes('In a task')) return { toolCalls: [{ id: `call_wait${calls++}`, name: 'wait', args: {} }] };
    if (asked.includes('Hand it on')) return { toolCalls: [{ id: `call_task${calls++}`, name: 'spawn_task', args: { goal: `In a task: ${said}` } }] };
    if (asked.includes('Look everywhere')) return { toolCalls: [{ id: `call_all${calls++}`, name: 'look_all', args: {} }] };
    if (asked.includes('Keep it'))
      return { toolCalls: [{ id: `call_keep${calls++}`, name: 'remember', args: { key: 'word', value: said, scope: 'workspace' } }] };
    if (/Ask me/.test(asked)) return { toolCalls: [{ id: `call_ask${calls++}`, name: 'fail', args: {} }] };
    return { text: 'Noted.' };
  });
});

const own = {
  manifest: { name: 'own' },
  register(registry: any) {
    addTools(
      ownTool('look', () => said),
      ownTool('wait', async () => {
        await held;
        return 'It is time.';
      }),
      ownTool('look_all', () => `${said}\n`.repeat(2_000)),
      ownTool('fail', () => ({ ok: false, error: `No ${word} here.` })),
    )(registry);
  },
} as never;
const start = async (environment: Record<string, string> = {}, more: readonly string[] = []): Promise<void> => {
  harness = await startHarness({ builtins: [...builtins, ...more], modules: { own }, environment: { ...model.environment, ...environment } });
};
const is = ({ body }: ScriptedRequest, words: string): boolean => JSON.stringify(body.messages[0]).includes(words);
const tells = ({ body }: ScriptedRequest): boolean => JSON.stringify(body.messages).includes(word);
const say = async (text: string): Promise<readonly any[]> => (await runTurn(harness, text)).events;
const takeOut = async (about: string): Promise<void> => {
  const shown = (await harness.call('GET', `/api/views/why?${new URLSearchParams({ about }).toString()}`)).body;
  const found = shown.actions.find(({ id }: { id: string }) => id.startsWith('take-out'));
  expect((await harness.call('POST', `/api/views/why/actions/${found.id}`, { parameters: { about } })).status).toBe(200);
};
const messageIdOf = (events: readonly any[]): string => events.find(({ kind }) => kind === 'message_accepted').messageId;
const callIdOf = (events: readonly any[]): string => events.find(({ kind }) => kind === 'tool_start').callId;
const activeChat = async (): Promise<string> => (await harness.kernel.resolve('chats').active()).chatId;
const notes = async (): Promise<readonly any[]> => (await harness.call('GET', '/api/memory?limit=500')).body.notes;
test('excludes removed messages and calls from a dream and stores nothing derived from them', async () => {
  await start();
  const chatId = await activeChat();
  const messageId = messageIdOf(await say(said));
  const callId = callIdOf(await say('Look it up.'));
  await say('I live in Basel.');
  const dream = async (): Promise<any> => (await harness.call('POST', '/api/dreams', {})).body.run;
  await dream();
  expect(tells(model.requests.at(-1)!)).toBe(true);

  dreamt = {
    summary: '',
    upserts: [
      { key: 'word', type: 'fact', scope: 'workspace', value: said, evidence: [{ chatId, entryId: messageId, quote: said }] },
      { key: 'looked', type: 'fact', scope: 'workspace', value: said, evidence: [{ chatId, entryId: callId, quote: said }] },
    ],
    deletes: [],
  };
  await takeOut(`message ${messageId}`);
  await takeOut(`call ${callId}`);
  const before = model.requests.length;
  const run = await dream();
  expect(JSON.stringify(model.requests.at(-1)!.body)).toContain('Basel');
  expect(model.requests.slice(before).filter(tells)).toEqual([]);
  expect(run).toMatchObject({ state: 'done', changes: [] });
  expect(await notes()).toEqual([]);
});

test('removes text derived from a removed message from dream reports', async () => {
  await start();
  const chatId = await activeChat();
  const messageId = messageIdOf(await say(said));
  dreamt = {
    summary: `I heard of ${word}.`,
    upserts: [{ key: 'word', type: 'fact', scope: 'workspace', value: said, evidence: [{ chatId, entryId: messageId, quote: said }] }],
    deletes: [],
  };
  await harness.call('POST', '/api/dreams', {});
  const reports = async (): Promise<string> => JSON.stringify((await harness.call('GET', '/api/dreams')).body);
  expect(await reports()).toContain(`I heard of ${word}`);
  expect(await notes()).toMatchObject([{ key: 'word' }]);
  await takeOut(`message ${messageId}`);
  expect(await reports()).not.toContain(word);
  expect(await notes()).toEqual([]);
});

test('stores no note from a turn whose message is removed during extraction', async () => {
  await start({ AGENT_MEMORY_AUTO_EXTRACT: '1' }, ['memory-extract']);
  const gate = createGate();
  held = gate.opened;
  const messageId = messageIdOf(await say(said));
  const isPicked = (): boolean => model.requests.some((request) => is(request, 'You take notes for an assistant'));
  await expect.poll(isPicked).toBe(true);
  await takeOut(`message ${messageId}`);
  gate.open();
  // Turns are extracted in order: once the next one is done, this one is too.
  await say('I live in Basel.');
  await expect.poll(async () => (await notes()).map(({ key }) => key)).toContain('home');
  expect(await notes()).toHaveLength(1);
});

test('stores no lesson about a call that is removed during the lesson call', async () => {
  await start();
  const gate = createGate();
  held = gate.opened;
  const callId = callIdOf(await say('Ask me.'));
  await expect.poll(() => model.requests.some((request) => is(request, 'what an agent should learn'))).toBe(true);
  await takeOut(`call ${callId}`);
  gate.open();
  const changes: unknown[] = [];
  harness.kernel.emitter.on('memory_changed', (change) => void changes.push(change));
  // The same kind of failure updates the same note, so a stored lesson would cause two changes.
  await say('Ask me once more.');
  await expect.poll(async () => (await notes()).length).toBe(1);
  expect(changes).toHaveLength(1);
});

test('deletes the episode note of a removed message from the vault unless the user edited it', async () => {
  await start({ AGENT_VAULT_PATH: vault, AGENT_VAULT_AUTO_WRITE: 'off', AGENT_MEMORY_EPISODE: '1' });
  const episodes = async (): Promise<string[]> =>
    (await readdir(vault, { recursive: true, withFileTypes: true })).flatMap(({ parentPath, name }) => (name.endsWith('.md') ? [join(parentPath, name)] : []));
  const messageIds = [messageIdOf(await say(said)), messageIdOf(await say(`Again: ${said}`))];
  await expect.poll(async () => (await episodes()).length).toBe(2);
  const texts = await Promise.all((await episodes()).map((path) => readFile(path, 'utf8')));
  const own = (await episodes())[texts.findIndex((text) => text.includes('Again'))]!;
  await appendFile(own, 'I wrote this.\n');
  for (const messageId of messageIds) await takeOut(`message ${messageId}`);
  expect(await episodes()).toEqual([own]);
});

test('marks removed entries in an exported chat and excludes them from a chat imported from it', async () => {
  await start();
  const chatId = await activeChat();
  const messageId = messageIdOf(await say(said));
  const callId = callIdOf(await say('Look it up.'));
  const title = async (id: string): Promise<string> => (await harness.call('GET', `/api/chats/${id}`)).body.title;
  expect(await title(chatId)).toContain(word);
  await takeOut(`message ${messageId}`);
  await takeOut(`call ${callId}`);
  expect(await title(chatId)).toBe('New chat');
  const { entries } = (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body;
  expect(entries.filter((entry: any) => entry.isRemoved).map(({ id }: any) => id)).toEqual([messageId, callId]);
  const exported = async (format: string): Promise<any> => (await harness.call('GET', `/api/chats/${chatId}/export?format=${format}`)).body;
  expect(String(await exported('markdown')).match(/\*Removed from the conversation/g)).toHaveLength(2);
  const file = await exported('json');
  expect(file.entries.filter((entry: any) => entry.isTakenOut).map(({ kind }: any) => kind)).toEqual(['user', 'tool']);
  const made = (await harness.call('POST', '/api/chats/import', file)).body.chatId;
  const before = model.requests.length;
  await harness.call('POST', `/api/chats/${made}/activate`, {});
  await say('What do you know?');
  expect(model.requests.slice(before).filter(tells)).toEqual([]);
  expect(JSON.stringify(model.requests.at(-1)!.body)).toContain('[The user removed this from the conversation.]');
});

test('withholds attachments of a removed message from the model, also when a tool reads them by id', async () => {
  await start({}, ['files', 'checkpoints']);
  const text = `${said}\n`.repeat(300);
  const file = { name: 'harbour.txt', dataUrl: `data:text/plain;base64,${Buffer.from(text).toString('base64')}` };
  const sent = (await harness.call('POST', '/api/message', { text: 'Hi', attachments: [file] })).body;
  await harness.kernel.resolve('turns').ended(sent.turnId);
  expect(tells(model.requests.at(-1)!)).toBe(true);
  const [attached] = (await harness.call('GET', `/api/chats/${await activeChat()}/transcript`)).body.entries[0].attachments;
  await takeOut(`message ${sent.messageId}`);
  const before = model.requests.length;
  // A message that only starts with the same text is another message.
  await say('Hi\nthere');
  for (const id of [attached.artifactId, `attachment:${attached.attachmentId}`]) await say(`Read ${id}`);
  expect(model.requests.slice(before).filter(tells)).toEqual([]);
  expect(JSON.stringify(model.requests.at(-1)!.body)).toContain('there');
  expect(JSON.stringify(model.requests.at(-1)!.body).match(/The user removed this content from the conversation/g)).toHaveLength(2);
});

test('withholds the full output of a removed call until the call is restored', async () => {
  await start();
  const events = await say('Look everywhere.');
  const { callId, artifactId } = events.find(({ kind }) => kind === 'tool_result');
  expect(artifactId).toMatch(/^[0-9a-f]{64}$/);
  await takeOut(`call ${callId}`);
  const before = model.requests.length;
  await say(`Read ${artifactId}`);
  expect(model.requests.slice(before).filter(tells)).toEqual([]);
  const about = `call ${callId}`;
  expect((await harness.call('POST', '/api/views/why/actions/put-back', { parameters: { about } })).status).toBe(200);
  await say(`Read ${artifactId}`);
  expect(tells(model.requests.at(-1)!)).toBe(true);
});

test('deletes the text of a forgotten note from the provenance file and writes it again on restore', async () => {
  await start();
  await say(said);
  await say(`Keep it`);
  const derived = async (): Promise<string> => readFile(join(harness.home, 'plugin-data/why/derived-notes.json'), 'utf8').catch(() => '');
  await expect.poll(derived).toContain(word);
  const [note] = await notes();
  const point = { chatId: await activeChat(), id: note.id, scope: note.scope };
  expect((await harness.call('POST', '/api/memory/forget', point)).status).toBe(200);
  await expect.poll(derived).not.toContain(word);
  expect(await derived()).toContain(note.id);
  expect((await harness.call('POST', '/api/memory/restore', point)).status).toBe(200);
  await expect.poll(derived).toContain(word);
});

test('withholds a message from a running task once it is removed', async () => {
  await start({}, ['subagents']);
  const gate = createGate();
  held = gate.opened;
  const messageId = messageIdOf(await say(said));
  const isOfTask = ({ body }: ScriptedRequest): boolean =>
    body.messages.some(({ role, content }: any) => role === 'user' && String(content).startsWith('In a task'));
  const { turnId } = (await harness.call('POST', '/api/message', { text: 'Hand it on.' })).body;
  await expect.poll(() => model.requests.filter(isOfTask).length).toBe(1);
  expect(model.requests.filter(isOfTask).filter(tells)).toHaveLength(1);
  await takeOut(`message ${messageId}`);
  gate.open();
  await harness.kernel.resolve('turns').ended(turnId);
  expect(model.requests.filter(isOfTask).slice(1).map(tells)).toEqual([false]);
});
