// Tests explanations of turns, calls, sentences and notes, and deletion of data derived from a source.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { WhyAnswer } from 'agent-harness/builtins/turn/why';
import { type Harness, runTurn, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';

const builtins = ['model-chat-completions', 'checkpoints', 'files', 'memory', 'origins', 'recall-prime', 'skills', 'ask-user', 'compression', 'why'];
let harness: Harness;
const model = useEach(() => startScriptedModel([]));
beforeEach(async () => {
  harness = await startHarness({ builtins, environment: model.environment });
  await writeFile(join(harness.workspace, 'harbour.txt'), 'The ferry to the northern islands leaves at seven from pier twelve.\nTickets are sold on board.\n');
});

const ask = async (query: Record<string, string> = {}): Promise<WhyAnswer> => {
  const { status, body } = await harness.call('GET', `/api/why?${new URLSearchParams(query).toString()}`);
  expect(body).toMatchObject({ title: expect.any(String) });
  expect(status).toBe(200);
  return body as WhyAnswer;
};
const callIn = (events: readonly any[], name: string): string =>
  events.find((event) => event.kind === 'tool_start' && event.name === name && event.args).callId as string;
const view = async (about: string, text = ''): Promise<any> =>
  (await harness.call('GET', `/api/views/why?${new URLSearchParams({ about, text }).toString()}`)).body;
const list = (shown: any, title: string): any => shown.blocks.find((block: any) => block.title === title);
const remembers = (value: string, key = 'ferry'): object => ({
  text: 'I keep that.',
  toolCalls: [{ name: 'remember', args: { key, value, scope: 'workspace' } }],
});

test('explains a turn by its sections with plugin and hook, and its messages and calls with their cause', async () => {
  model.push({ text: 'I look.', toolCalls: [{ name: 'read_file', args: { path: 'harbour.txt' } }] }, { text: 'It leaves at seven.' });
  const { turnId } = await runTurn(harness, 'When does the ferry leave, please?');
  const answer = await ask();
  expect(answer.title).toBe('Why: the turn “When does the ferry leave, please?”');
  expect(answer.says[0]).toBe('You sent it.');
  const sections = answer.parts.filter(({ kind }) => kind === 'section');
  expect(sections.find(({ text }) => text.startsWith('rules:'))).toMatchObject({
    plugin: 'agent',
    hook: 'prompt.build',
    asks: { turn: turnId, section: 'rules' },
  });
  expect(sections.find(({ text }) => text.startsWith('tool_families:'))).toMatchObject({
    plugin: 'tools',
    by: 'The plugin tools added it at the hook prompt.build.',
  });
  expect(answer.parts.filter(({ kind }) => kind === 'call')).toMatchObject([
    { text: 'read_file harbour.txt', by: 'No rule required an approval: the call can read.', plugin: 'files' },
  ]);

  const rules = await ask({ turn: turnId, section: 'rules' });
  const sentence = rules.parts.find(({ text }) => text.includes('Never claim a result'));
  expect(sentence?.asks).toEqual({ turn: turnId, text: '- Never claim a result that no tool returned.' });
  const explanation = await ask({ turn: turnId, text: sentence!.text });
  expect(explanation.says).toEqual(['It is in the prompt, in ‘rules’. The plugin agent added it at the hook prompt.build.']);
});

test('traces a sentence to the file it repeats and reports one without a source', async () => {
  model.push(
    { toolCalls: [{ name: 'read_file', args: { path: 'harbour.txt' } }] },
    { text: 'As it says: the ferry to the northern islands leaves at seven from pier twelve. You will surely enjoy the crossing very much.' },
  );
  const { events } = await runTurn(harness, 'When does the ferry leave?');
  const call = callIn(events, 'read_file');
  const messageId = events.findLast((event) => event.kind === 'text')!['messageId'] as string;
  const answer = await ask({ message: messageId });
  expect(answer.sources).toEqual([
    { kind: 'workspace', ref: 'harbour.txt', quote: expect.stringContaining('ferry to the northern islands leaves at seven from pier twelve'), asks: { call } },
  ]);
  const own = answer.parts.find(({ text }) => text.includes('surely enjoy'));
  expect((await ask({ message: messageId, text: own!.text })).says).toEqual([
    'It is in an answer of the model.',
    'Written by the model: nothing in it repeats what the chat contained before.',
  ]);
});

test('traces the arguments of a call to earlier content and not to its own output', async () => {
  const line = 'The ferry to the northern islands leaves at seven from pier twelve.';
  model.push(
    { toolCalls: [{ name: 'read_file', args: { path: 'harbour.txt' } }] },
    { toolCalls: [{ name: 'write_file', args: { path: 'copy.txt', content: line } }] },
    { toolCalls: [{ name: 'read_file', args: { path: 'copy.txt' } }] },
    { text: 'Done.' },
  );
  const { events } = await runTurn(harness, 'Copy the first line.');
  const [read, written] = [callIn(events, 'read_file'), callIn(events, 'write_file')];
  const answer = await ask({ call: written });
  expect(answer.sources).toMatchObject([{ kind: 'workspace', ref: 'harbour.txt', field: 'content', asks: { call: read } }]);
  expect(answer.says).toContain('No rule required an approval: the call can write, and can be undone.');
});

test('traces a note to its call and message, names it in the prompt, and deletes exactly the listed notes', async () => {
  const said = 'My boat is called Albatross of the seven seas and lies at pier twelve.';
  model.push(remembers('The boat is called Albatross of the seven seas.', 'boat'), { text: 'Kept.' });
  const { events, turnId } = await runTurn(harness, said);
  const call = callIn(events, 'remember');
  const messageId = events.find((event) => event.kind === 'message_accepted')!['messageId'] as string;
  await expect
    .poll(async () => (await ask({ note: 'fact:boat' })).sources)
    .toEqual([
      { kind: 'user', ref: `your message “${said.slice(0, 59)}…”`, quote: 'boat is called Albatross of the seven seas', asks: { message: messageId } },
    ]);
  const note = await ask({ note: 'fact:boat' });
  expect(note.says[1]).toMatch(/^The agent stored it with a call, .* UTC, for this workspace\.$/);
  expect(note.parts).toMatchObject([{ asks: { call } }, { asks: { turn: turnId } }]);

  model.push({ text: 'Albatross.' });
  const next = await runTurn(harness, 'What is the name of my boat?');
  const turn = await ask({ turn: next.turnId });
  const memory = turn.parts.find(({ plugin }) => plugin === 'recall-prime');
  expect(memory?.by).toBe('The plugin recall-prime added it at the hook prompt.build, from the note fact:boat.');

  model.push(remembers('Tides matter to sailors.', 'tides'), { text: 'Kept.' });
  await runTurn(harness, 'Keep that tides matter.');
  const before = await view(`message ${messageId}`);
  expect(list(before, 'Derived items').items).toMatchObject([
    {
      text: 'fact:boat: The boat is called Albatross of the seven seas.',
      detail: 'It repeats words of this message: “boat is called Albatross of the seven seas”',
    },
  ]);
  const [out, all] = before.actions;
  expect(out).toMatchObject({ label: 'Remove it and delete derived items', confirm: expect.stringContaining('Also deleted: fact:boat.') });
  expect(all).toMatchObject({ label: 'Delete derived items', confirm: 'Delete fact:boat?' });
  const parameters = { about: `message ${messageId}` };
  // A changed list has another action id, so entries that were not shown are not deleted.
  expect((await harness.call('POST', '/api/views/why/actions/delete-all-000000000000', { parameters })).body.error.code).toBe('no_action');
  const done = await harness.call('POST', `/api/views/why/actions/${all.id}`, { parameters });
  expect(done.body.message).toBe('One note is deleted. You can restore them for 30 days on the page Memory.');
  expect(done.body.view.actions).toMatchObject([{ label: 'Remove from the conversation' }]);
  const left = (await harness.call('GET', '/api/memory')).body.notes.map(({ id }: { id: string }) => id);
  expect(left).toEqual(['fact:tides']);
  expect((await harness.call('POST', '/api/memory/restore', { id: 'fact:boat', scope: 'workspace' })).status).toBe(200);
  expect(list(await view(`message ${messageId}`), 'Derived items').items).toHaveLength(1);
});

test('explains a pending call that stores file content, and lists its note under that file', async () => {
  model.push({ toolCalls: [{ name: 'read_file', args: { path: 'harbour.txt' } }] }, remembers('The ferry to the northern islands leaves at seven.'), {
    text: 'Kept.',
  });
  const sent = await harness.call('POST', '/api/message', { text: 'Look and keep it.' });
  const pending = async (): Promise<any[]> => (await harness.call('GET', '/api/pending')).body.approvals;
  await expect.poll(async () => (await pending()).length).toBe(1);
  const [{ approvalId, callId, reason }] = await pending();
  expect((await ask({ call: callId })).says).toEqual([
    'The model made the call; the tool belongs to the plugin memory.',
    `An approval was requested: ${reason}`,
    'It is waiting for a decision.',
    'Parts of the arguments come from the sources below.',
  ]);
  await harness.call('POST', '/api/approve', { approvalId, decision: 'approve' });
  await harness.kernel.resolve('turns').ended(sent.body.turnId);
  expect((await ask({ call: callId })).says[2]).toBe('Approved by you.');
  await expect.poll(async () => (await ask({ source: 'harbour.txt' })).derived.map(({ id }) => id)).toEqual(['fact:ferry']);
  const shown = await view('note fact:ferry');
  expect(shown.actions).toMatchObject([{ label: 'Delete this note', confirm: 'Delete fact:ferry?' }]);
});

test('attributes an announcement to its plugin and reason', async () => {
  const { messageId } = await harness.kernel.resolve('turns').announce({ text: 'The tide is turning.', origin: { plugin: 'heartbeat', reason: 'it is noon' } });
  expect((await ask({ message: messageId })).says).toEqual([
    'The plugin heartbeat sent it on its own: it is noon',
    'It is an announcement, which the model does not read.',
  ]);
});

test('returns 404 for an unknown reference in the API and in the view', async () => {
  await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' });
  for (const query of ['call=call_x', 'message=msg_x', 'turn=turn_x', 'note=fact:x', 'source=x.txt']) {
    const { status, body } = await harness.call('GET', `/api/why?${query}`);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    expect(body.error.message).toBe(
      `This chat does not contain the subject: ${query.replace('=', ' ')}. /why explains its last turn and links to everything in it.`,
    );
  }
  expect((await harness.call('GET', '/api/why?word=x')).status).toBe(400);
  expect((await harness.call('GET', '/api/views/why?about=call+call_x')).status).toBe(404);
  expect((await ask()).says).toEqual(['This chat has no turns yet.']);
});

test('explains the last turn and a sentence with /why, and copies explanations to a fork', async () => {
  model.push({ text: 'Hello there.' });
  const { turnId } = await runTurn(harness, 'Greet me.');
  const run = async (args: string): Promise<string> => {
    const { body } = await harness.call('POST', '/api/commands', { name: 'why', args });
    return body.text as string;
  };
  expect(await run('')).toContain('Why: the turn “Greet me.”');
  expect(await run('Never claim a result that no tool returned.')).toContain('The plugin agent added it at the hook prompt.build.');
  const [chat] = (await harness.call('GET', '/api/chats')).body.chats;
  await expect.poll(async () => (await ask({ turn: turnId })).parts.length).toBeGreaterThan(3);
  const fork = (await harness.call('POST', `/api/chats/${chat.chatId}/fork`, {})).body;
  const parts = (await ask({ chatId: fork.chatId, turn: turnId })).parts;
  expect(parts.some(({ kind }) => kind === 'section')).toBe(true);
});

test('traces selected text to the result, argument, message, answer or note that contains it', async () => {
  const line = 'The ferry to the northern islands leaves at seven from pier twelve.';
  model.push(
    { toolCalls: [{ name: 'read_file', args: { path: 'harbour.txt' } }] },
    { text: `1. See [the **ferry** to the northern islands](https://harbour.example/a) leaves at seven.\n2. Bring a coat, it is windy on deck.` },
    remembers(line),
    { text: 'Kept.' },
  );
  const { events } = await runTurn(harness, 'Please tell me when that ferry sails.');
  const call = callIn(events, 'read_file');
  const message = events.findLast((event) => event.kind === 'text')!['messageId'] as string;
  const sent = events.find((event) => event.kind === 'message_accepted')!['messageId'] as string;

  const result = await ask({ call, text: 'Tickets are sold on board.' });
  expect(result.says).toEqual(['It comes from the result of this call, which is external content.']);
  expect(result.sources).toEqual([{ kind: 'workspace', ref: 'harbour.txt', quote: expect.stringContaining('Tickets are sold on board'), asks: { call } }]);
  expect((await ask({ call, text: 'harbour.txt' })).says.at(-1)).toMatch(/^Written by the model/);
  expect((await ask({ message: sent, text: 'when that ferry' })).says).toEqual([
    '“when that ferry” is too short to be identified; this explains the sentence around it.',
    'It is in a message. You sent it.',
  ]);
  // The text as rendered on the page: without markup, addresses and list numbers.
  const drawn = await ask({ message, text: 'See the ferry to the northern islands leaves at seven.\nBring a coat' });
  expect(drawn.says).toEqual(['It is in an answer of the model.']);
  expect(drawn.sources).toMatchObject([{ kind: 'workspace', ref: 'harbour.txt' }]);
  expect((await ask({ message, text: 'islands' })).title).toContain('Why “See [the **ferry** to the northern islands]');

  const keeping = runTurn(harness, 'Keep the first line.');
  const pending = async (): Promise<any[]> => (await harness.call('GET', '/api/pending')).body.approvals;
  await expect.poll(async () => (await pending()).length).toBe(1);
  await harness.call('POST', '/api/approve', { approvalId: (await pending())[0].approvalId, decision: 'approve' });
  await keeping;
  await expect.poll(async () => (await ask({ text: line })).derived.map(({ id }) => id)).toEqual(['fact:ferry']);
  const whole = await ask({ text: line });
  expect(whole.parts.map(({ kind, by }) => [kind, by])).toEqual([
    ['call', 'It comes from the result of this call, which is external content.'],
    ['call', 'It is in the argument value of this call.'],
  ]);
  const shown = await view('', line);
  expect(shown.actions).toMatchObject([{ label: 'Delete derived items', confirm: 'Delete fact:ferry?' }]);
  expect((await ask({ message, text: 'What the model thought and did not say.' })).says).toEqual([
    'It is not in the stored text: it is reasoning of the model, or a label of the page.',
  ]);
  expect((await harness.call('GET', '/api/why?text=x&message=msg_x')).body.error.code).toBe('not_found');
});

test('explains the last model turn by default, ignores command turns, and counts no command as a source', async () => {
  model.push({ text: 'Hello there.' });
  await runTurn(harness, 'Greet me.');
  await runTurn(harness, '/why Never claim a result that no tool returned.');
  expect((await ask()).title).toBe('Why: the turn “Greet me.”');
  expect((await view('')).blocks[0].title).toBe('Why: the turn “Greet me.”');
  const explanation = await ask({ text: 'Never claim a result that no tool returned.' });
  expect(explanation.says).toEqual(['It is in the prompt, in ‘rules’. The plugin agent added it at the hook prompt.build.']);
  expect(explanation.sources).toEqual([]);
});

test('withholds removed entries from the model, also in a fork and after a restart, until they are restored', async () => {
  const said = 'The secret word of the harbour is marigold.';
  model.push({ text: 'I look.', toolCalls: [{ name: 'read_file', args: { path: 'harbour.txt' } }] }, { text: 'Noted.' });
  const { events } = await runTurn(harness, said);
  const call = callIn(events, 'read_file');
  const messageId = events.find((event) => event.kind === 'message_accepted')!['messageId'] as string;
  const act = async (about: string, action: string): Promise<any> => {
    const found = (await view(about)).actions.find(({ id }: { id: string }) => id.startsWith(action));
    return (await harness.call('POST', `/api/views/why/actions/${found.id}`, { parameters: { about } })).body;
  };
  expect((await act(`message ${messageId}`, 'take-out')).message).toBe('The model no longer reads it.');
  expect((await act(`call ${call}`, 'take-out')).view.blocks[0].text).toMatch(/^A person removed it: the model no longer reads it\./);

  const asked = async (chatId?: string): Promise<string> => {
    model.push({ text: 'I cannot say.' });
    await runTurn(harness, 'Which word, and when does the ferry leave?', chatId === undefined ? {} : { chatId });
    return JSON.stringify(model.requests.at(-1)?.body.messages);
  };
  const marked = async (chatId: string): Promise<any> => (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body.marks;
  const mark = (...ids: string[]) => [{ label: 'Removed from the conversation', ids }];
  const isThere = (request: string): boolean[] => [request.includes('marigold'), request.includes('northern islands')];
  expect(isThere(await asked())).toEqual([false, false]);
  const [{ chatId }] = (await harness.call('GET', '/api/chats')).body.chats;
  const fork = (await harness.call('POST', `/api/chats/${chatId}/fork`, {})).body.chatId;
  expect(isThere(await asked(fork))).toEqual([false, false]);
  expect(await marked(fork)).toEqual(mark(messageId, call));
  await harness.call('POST', `/api/chats/${chatId}/activate`, {});

  const { home, workspace } = harness;
  await harness.close({ keepFiles: true });
  harness = await startHarness({ builtins, environment: model.environment, home, workspace });
  expect(isThere(await asked())).toEqual([false, false]);
  expect(await marked(chatId)).toEqual(mark(messageId, call));
  expect(JSON.stringify((await harness.call('GET', `/api/chats/${chatId}/transcript`)).body)).toContain('marigold');
  await act(`message ${messageId}`, 'put-back');
  expect(isThere(await asked())).toEqual([true, false]);
  expect(await marked(chatId)).toEqual(mark(call));
});

test('lists everything derived from a chat', async () => {
  model.push(remembers('The boat is called Albatross.', 'boat'), { text: 'Kept.' });
  await runTurn(harness, 'Keep it.');
  expect((await ask({ text: 'boat is called Albatross' })).parts.at(-1)).toMatchObject({ kind: 'note', asks: { note: 'fact:boat' } });
  const shown = await view('chat');
  expect(list(shown, 'Derived items').items).toMatchObject([{ text: 'fact:boat: The boat is called Albatross.' }]);
  expect(shown.actions).toMatchObject([{ label: 'Delete derived items' }]);
});

test('leaves no route, view or file without the plugin', async () => {
  await harness.close();
  harness = await startHarness({ builtins: builtins.filter((name) => name !== 'why'), environment: model.environment });
  model.push(remembers('The boat is called Albatross.', 'boat'), { text: 'Kept.' });
  await runTurn(harness, 'Keep it.');
  expect((await harness.call('GET', '/api/why')).status).toBe(404);
  expect((await harness.call('GET', '/api/views/why')).status).toBe(404);
  const files = await readdir(harness.home, { recursive: true });
  expect(files.filter((file) => /provenance|derived-notes|taken-out/.test(file))).toEqual([]);
});

test('deletes the derived-note records of a chat when its memories are forgotten', async () => {
  const value = 'The boat is called Albatross of the seven seas.';
  model.push(remembers(value, 'boat'), { text: 'Kept.' });
  const { end } = await runTurn(harness, value);
  const filesNamed = async (name: string): Promise<string[]> => (await readdir(harness.home, { recursive: true })).filter((file) => file.endsWith(name));
  await expect.poll(async () => [(await filesNamed('provenance.jsonl')).length, (await filesNamed('derived-notes.json')).length]).toEqual([1, 1]);
  const read = async (): Promise<any[]> => JSON.parse(await readFile(join(harness.home, 'plugin-data/why/derived-notes.json'), 'utf8'));
  expect(await read()).toMatchObject([{ noteId: 'fact:boat', turnId: end['turnId'] }]);
  await harness.call('POST', '/api/memory/forget-chat', {});
  expect(await read()).toEqual([]);
});

test('stores no note text in provenance, and shows current notes with changed and forgotten ones marked', async () => {
  const value = 'The boat is called Albatross of the seven seas.';
  const put = async (key: string, text: string): Promise<unknown> => harness.call('POST', '/api/memory', { type: 'fact', key, value: text, scope: 'global' });
  await put('boat', value);
  await put('pier', 'The name of the pier of the boat: it lies at pier twelve.');
  model.push({ text: 'Albatross.' });
  const { turnId } = await runTurn(harness, 'What is the name of my boat?');
  const filesNamed = async (): Promise<string> => {
    const files = (await readdir(harness.home, { recursive: true })).filter((file) => file.endsWith('provenance.jsonl'));
    return (await Promise.all(files.map((file) => readFile(join(harness.home, file), 'utf8')))).join();
  };
  await expect.poll(filesNamed).toContain(turnId);
  expect(await filesNamed()).not.toMatch(/Albatross|pier twelve/);
  const explanation = async (): Promise<string> => (await ask({ turn: turnId, section: 'after-memory' })).parts.map(({ text }) => text).join('\n');
  await expect.poll(explanation).toContain(`[fact:boat] ${value}`);

  await put('pier', 'The name of the pier of the boat: it lies at pier nine.');
  expect((await harness.call('POST', '/api/memory/forget', { id: 'fact:boat', scope: 'global' })).status).toBe(200);
  expect(await explanation()).toContain('it lies at pier nine. (changed later)');
  expect(await explanation()).toContain('[A deleted note was here.]');
  expect(await explanation()).not.toContain('Albatross');

  // Version 0.1 stored note text and an index of its chats: both are cleaned when the note is forgotten.
  const chatId = (await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body.chatId as string;
  const folder = harness.kernel.resolve('chats').folder(chatId);
  await mkdir(folder, { recursive: true });
  const turns = [{ turnId: 'turn_0', steps: [], pieces: [{ place: 'tail', id: 'memory', of: 'a', from: [{ kind: 'note', ref: 'fact:pier' }] }] }];
  await writeFile(join(folder, 'makings.json'), JSON.stringify({ version: 1, texts: { a: 'pier twelve' }, turns }));
  await mkdir(join(harness.home, 'plugin-data/why'), { recursive: true });
  await writeFile(join(harness.home, 'plugin-data/why/notes-in-prompts.json'), JSON.stringify({ 'fact:pier': [chatId] }));
  expect((await harness.call('POST', '/api/memory/forget', { id: 'fact:pier', scope: 'global' })).status).toBe(200);
  await expect.poll(() => readdir(folder)).not.toContain('makings.json');
  expect(await readFile(join(folder, 'provenance.jsonl'), 'utf8')).not.toContain('pier twelve');
});

test('attributes the nudge of a rejected answer to its plugin and hook', async () => {
  await harness.close();
  const register = (_: unknown, emitter: any): void => {
    emitter.tap('turn.finalize', (answer: any) => ({ ...answer, sendBack: 'Say it once more, and name the pier this time.' }));
  };
  harness = await startHarness({ builtins, environment: model.environment, modules: { nudger: { manifest: { name: 'nudger' }, register } as never } });
  model.push({ text: 'At seven.' }, { text: 'At seven, from pier twelve.' });
  const { turnId } = await runTurn(harness, 'When does the ferry leave?');
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('name the pier this time');
  const nudge = (await ask()).parts.find(({ plugin, kind }) => plugin === 'nudger' && kind === 'section');
  expect(nudge).toMatchObject({
    text: 'system (after the conversation): Say it once more, and name the pier this time.',
    hook: 'turn.finalize',
    by: 'The plugin nudger added it at the hook turn.finalize, from request 2 on.',
  });
  expect((await ask(nudge!.asks as Record<string, string>)).says).toEqual([nudge!.by]);
  expect((await ask({ turn: turnId, text: 'name the pier this time' })).says[0]).toContain('The plugin nudger added it');
});
