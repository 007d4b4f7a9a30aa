// Tests an editor with the built program: approvals, forms, plans, MCP servers, cancellation, crashes, shared chats.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { client as acpClient, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { afterAll, expect, test } from 'vitest';
import { useServer, type ServerWorld } from '../../helpers/use-server.ts';
import { startEditor, useEditors, viewFromNow, type Editor, type EditorOptions, type Message } from '../../helpers/acp-editor.ts';
import { isOfTurn, type ScriptedReply } from '../../helpers/scripted-model.ts';
import { startServerProcess } from '../../helpers/server-process.ts';
import { root } from '../../helpers/sources.ts';

let { home, workspace, model, server } = {} as ServerWorld;
useServer((world) => void ({ home, workspace, model, server } = world), {
  async prepare({ home: folder }) {
    await mkdir(join(folder, 'plugins'));
    await copyFile(join(root, 'examples/plugins/reading-list.mjs'), join(folder, 'plugins/reading-list.mjs'));
  },
});
const editors = useEditors();
let shared: Editor | undefined;

afterAll(async () => {
  expect(await shared?.end()).toBe(0);
  expect(shared?.faults()).toEqual([]);
});

async function open(more: Partial<EditorOptions>): Promise<Editor> {
  const editor = startEditor({ home, workspace, ...more });
  editors.push(editor);
  await editor.initialize();
  return editor;
}

async function share(): Promise<Editor> {
  if (!shared) {
    shared = startEditor({ home, workspace });
    await shared.initialize();
  }
  return viewFromNow(shared);
}

const isUpdate =
  (kind: string) =>
  (message: Message): boolean =>
    message.params?.update?.sessionUpdate === kind;
const script = (...replies: readonly ScriptedReply[]): void =>
  model.play([...replies.map((reply) => ({ when: isOfTurn, ...reply })), { text: 'Done.', always: true }]);
const call = (name: string, args: object): ScriptedReply => ({ toolCalls: [{ name, args }] });

async function isSleeping(): Promise<boolean> {
  return promisify(execFile)('pgrep', ['-x', '-f', 'sleep 317']).then(
    () => true,
    () => false,
  );
}

test('requests permission with a diff for an edit in careful mode and applies it after approval', async () => {
  await writeFile(join(workspace, 'a.txt'), 'one\ntwo\nthree\n');
  script(call('edit_file', { path: 'a.txt', edits: [{ search: 'two', replace: '2' }] }));
  const editor = await share();
  const sessionId = await editor.newSession();
  await editor.request('session/set_mode', { sessionId, modeId: 'careful' });
  expect((await editor.prompt(sessionId, 'Change it.')).result.stopReason).toBe('end_turn');
  const asked = editor.received.find(({ method }) => method === 'session/request_permission');
  expect(asked?.params.toolCall).toMatchObject({ kind: 'edit', locations: [{ path: join(workspace, 'a.txt') }] });
  const diff = asked?.params.toolCall.content.find(({ type }: { type: string }) => type === 'diff');
  expect(diff.path).toBe(join(workspace, 'a.txt'));
  expect(diff.oldText).toContain('two');
  expect(diff.newText).toContain('2');
  expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('one\n2\nthree\n');
  const statuses = editor.updates(sessionId).flatMap(({ sessionUpdate, status }) => (/^tool_call/.test(sessionUpdate) && status ? [status] : []));
  expect(asked?.params.toolCall.status).toBe('pending');
  expect(statuses.at(-1)).toBe('completed');
});

test('skips the question for an always allowed command and does not run a rejected one', async () => {
  script(
    call('run_command', { command: 'touch ran.txt' }),
    call('run_command', { command: 'touch ran.txt' }),
    call('run_command', { command: 'touch other.txt' }),
  );
  const answers = ['allow_always', 'reject'];
  const editor = await open({ answer: () => ({ outcome: { outcome: 'selected', optionId: answers.shift() } }) });
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, 'Run.');
  const asked = editor.received.filter(({ method }) => method === 'session/request_permission');
  // Sandboxed commands add a network option.
  const optionsOf = ({ params }: any): any[] => params.options.filter(({ optionId }: any) => optionId !== 'allow_network');
  expect(asked.map((one) => optionsOf(one).map(({ kind }: { kind: string }) => kind))).toEqual([
    ['allow_once', 'allow_always', 'allow_always', 'reject_once'],
    ['allow_once', 'allow_always', 'allow_always', 'reject_once'],
  ]);
  expect(await readdir(workspace)).toContain('ran.txt');
  expect(await readdir(workspace)).not.toContain('other.txt');
});

test('cancels the permission request when another client decides', async () => {
  script(call('run_command', { command: 'touch elsewhere.txt' }));
  const editor = await open({ answer: () => new Promise(() => undefined) });
  const sessionId = await editor.newSession();
  const reply = editor.prompt(sessionId, 'Run.');
  const asked = await editor.until(({ method }) => method === 'session/request_permission');
  const { body } = await server.call('GET', `/api/pending?chatId=${sessionId}`);
  await server.call('POST', '/api/approve', { approvalId: body.approvals[0].approvalId, decision: 'approve' });
  const back = await editor.until(({ method }) => method === '$/cancel_request');
  expect(back.params).toEqual({ requestId: asked.id });
  expect((await reply).result.stopReason).toBe('end_turn');
});

test('asks with a form if supported, else with text that the next prompt answers', async () => {
  script(call('ask_user', { prompt: 'Which colour?', options: ['red', 'blue'] }));
  const forms = await open({ capabilities: { elicitation: { form: {} } }, answer: () => ({ action: 'accept', content: { choice: 'blue' } }) });
  const first = await forms.newSession();
  await forms.prompt(first, 'Paint.');
  expect(forms.received.find(({ method }) => method === 'elicitation/create')?.params).toMatchObject({ mode: 'form', message: 'Which colour?' });
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('blue');

  script(call('ask_user', { prompt: 'Which colour?', options: ['red', 'blue'] }));
  const plain = await share();
  const second = await plain.newSession();
  expect((await plain.prompt(second, 'Paint.')).result.stopReason).toBe('end_turn');
  expect(plain.words(second)).toContain('Which colour?\n1. red\n2. blue');
  expect((await plain.prompt(second, '1')).result.stopReason).toBe('end_turn');
  expect(plain.words(second)).toContain('Done.');
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('red');
  expect((await server.call('GET', `/api/chats/${second}`)).body.turns).toBe(1);
});

test('collects the input of a view action with a form and asks for its confirmation', async () => {
  const answers: unknown[] = [];
  const editor = await open({ capabilities: { elicitation: { form: {} } }, answer: () => answers.shift() });
  const session = await editor.newSession();
  const titles = async (): Promise<string[]> => (await server.call('GET', '/api/views/reading-list')).body.blocks[0].rows.map(({ cells }: any) => cells[0]);
  const asked = (method: string): any[] => editor.received.filter((one) => one.method === method).map(({ params }) => params);
  const say = async (text: string, ...given: unknown[]): Promise<string> => {
    answers.push(...given);
    return (await editor.prompt(session, text)).result.stopReason;
  };
  const title = 'Ships "of" oak,\nand\\ tar';

  expect(await say('/view reading-list add', { action: 'decline' })).toBe('end_turn');
  expect(await say('/view reading-list add', { action: 'accept', content: { title, pages: 420, begun: true, strange: 'x' } })).toBe('end_turn');
  expect(asked('elicitation/create')[1]).toMatchObject({
    message: 'Add',
    requestedSchema: { properties: { title: { type: 'string', title: 'Title' }, pages: { type: 'integer' }, begun: { type: 'boolean' } }, required: ['title'] },
  });
  expect(await titles()).toEqual([title]);
  await say('/view reading-list add title=Tides');
  expect(await titles()).toEqual([title, 'Tides']);
  expect(asked('elicitation/create')).toHaveLength(2);

  const [{ id }] = (await server.call('GET', '/api/views/reading-list')).body.blocks[0].rows;
  const choose = (optionId: string): object => ({ outcome: { outcome: 'selected', optionId } });
  await say(`/view reading-list remove ${id}`, choose('leave'));
  expect(await titles()).toHaveLength(2);
  await say(`/view reading-list remove ${id}`, choose('do'));
  expect(await titles()).toEqual(['Tides']);
  const [permission] = asked('session/request_permission');
  expect(permission.toolCall.content[0].content.text).toBe('Take this book off the list?');
  const states = editor.updates(session).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call_update');
  expect(states.map(({ status }) => status)).toEqual(['failed', 'completed']);

  const from = editor.received.length;
  answers.push(new Promise(() => undefined));
  const waiting = editor.prompt(session, '/view reading-list add');
  await editor.until(({ method }) => method === 'elicitation/create', from);
  editor.notify('session/cancel', { sessionId: session });
  expect((await waiting).result.stopReason).toBe('cancelled');
  expect(await titles()).toEqual(['Tides']);
});

test('reports missing input of an action to an editor without forms', async () => {
  const editor = await share();
  const session = await editor.newSession();
  await editor.prompt(session, '/view reading-list add');
  expect(editor.words(session)).toContain('Title is needed.');
});

test('sends the plan, the context usage and the title of a session', async () => {
  const items = [
    { text: 'Look', status: 'done' },
    { text: 'Act', status: 'active' },
  ];
  script({ ...call('update_plan', { items }), usage: { input: 900, output: 100 } });
  model.listModels(() => ({ body: { data: [{ id: 'scripted', context_length: 10_000 }] } }));
  const editor = await open({});
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, 'Plan the work.');
  expect(editor.updates(sessionId).find(({ sessionUpdate }) => sessionUpdate === 'plan').entries).toEqual([
    { content: 'Look', priority: 'medium', status: 'completed' },
    { content: 'Act', priority: 'medium', status: 'in_progress' },
  ]);
  const used = await editor.until((message) => isUpdate('usage_update')(message) && message.params.sessionId === sessionId);
  expect(used.params.update).toMatchObject({ used: expect.any(Number), size: 10_000 });
  const titled = await editor.until((message) => isUpdate('session_info_update')(message) && message.params.sessionId === sessionId);
  expect(titled.params.update.title).toBe('Plan the work.');
});

test('sends messages and mode changes of other clients to the editor', async () => {
  script({ text: 'Heard.' });
  const editor = await share();
  const sessionId = await editor.newSession();
  await server.call('POST', '/api/message', { chatId: sessionId, text: 'From the page' });
  const words = await editor.until(isUpdate('user_message_chunk'));
  expect(words.params.update.content.text).toBe('From the page');
  await editor.until(({ params }) => params?.update?.content?.text?.includes('Heard.') === true);
  await server.call('PATCH', `/api/chats/${sessionId}`, { mode: 'plan' });
  expect((await editor.until(isUpdate('config_option_update'))).params.update.configOptions[0].currentValue).toBe('plan');
});

test('starts MCP servers of the editor for its session only', async () => {
  const mcp = { name: 'My Memory', command: process.execPath, args: [join(root, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')], env: [] };
  script(call('my_memory_read_graph', {}));
  const editor = await share();
  const sessionId = await editor.newSession({ mcpServers: [mcp] });
  await editor.prompt(sessionId, 'Look.');
  const done = editor.updates(sessionId).find(({ status }) => status === 'completed' || status === 'failed');
  expect(done).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(done.content)).toContain('entities');
  script(call('my_memory_read_graph', {}));
  const other = await editor.newSession();
  await editor.prompt(other, 'Look.');
  expect(JSON.stringify(editor.updates(other))).toContain('was added to another chat');
  const bad = await editor.newSession({ mcpServers: [{ name: 'gone', command: join(home, 'no-such-program'), args: [], env: [] }] });
  script({ text: 'Without it.' });
  expect((await editor.prompt(bad, 'Go on.')).result.stopReason).toBe('end_turn');
});

test('stops a running command with its child processes and sends no later updates', async () => {
  script(call('run_command', { command: 'sleep 317 & sleep 317' }));
  const editor = await open({});
  const sessionId = await editor.newSession();
  const reply = editor.prompt(sessionId, 'Wait.');
  await editor.until(({ params }) => params?.update?.status === 'in_progress');
  while (!(await isSleeping())) await delay(20);
  editor.notify('session/cancel', { sessionId });
  expect((await reply).result).toEqual({ stopReason: 'cancelled' });
  expect(await isSleeping()).toBe(false);
  const from = editor.received.length;
  // The reply to another request follows all pending messages.
  const listed = await editor.request('session/list', { cwd: '/nobody/works/here' });
  expect(editor.received.slice(from)).toEqual([listed]);
});

test('cancels a prompt when the cancellation follows it immediately', async () => {
  model.play(() => ({ text: Array.from({ length: 200 }, (_, at) => `${at} `), delayMs: 20 }));
  const editor = await share();
  const sessionId = await editor.newSession();
  for (let round = 0; round < 5; round++) {
    const reply = editor.prompt(sessionId, `Count ${round}.`);
    editor.notify('session/cancel', { sessionId });
    expect((await reply).result).toEqual({ stopReason: 'cancelled' });
  }
});

test('cancels a prompt when its request is cancelled', async () => {
  model.play(() => ({ text: Array.from({ length: 200 }, (_, at) => `${at} `), delayMs: 20 }));
  const editor = await share();
  const sessionId = await editor.newSession();
  const reply = editor.prompt(sessionId, 'Count.');
  const requestId = editor.lastId();
  await editor.until(isUpdate('agent_message_chunk'));
  editor.notify('$/cancel_request', { requestId });
  expect((await reply).result).toEqual({ stopReason: 'cancelled' });
});

test('continues a turn after the editor process dies and replays it on load', async () => {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  model.play(() => ({ text: ['Before, ', 'and after.'], stallAfter: 1, until }));
  const first = startEditor({ home, workspace });
  await first.initialize();
  const sessionId = await first.newSession();
  void first.prompt(sessionId, 'Go on.').catch(() => undefined);
  await first.until(isUpdate('agent_message_chunk'));
  await first.kill();
  const second = await share();
  const loaded = await second.request('session/load', { sessionId, cwd: workspace, mcpServers: [] });
  const at = second.received.indexOf(loaded);
  expect(second.words(sessionId)).toBe('Before, ');
  expect(second.updates(sessionId).length).toBe(second.updates(sessionId, at).length + 2);
  release();
  await second.until(({ params }) => params?.update?.content?.text?.includes('and after.') === true);
  expect(second.words(sessionId)).toBe('Before, and after.');
});

test('starts a shared server that outlives its editor and ends when it is unused', async () => {
  const ownHome = await realpath(await mkdtemp(join(tmpdir(), 'acp-own-home-')));
  const running = async (): Promise<any> => JSON.parse(await readFile(join(ownHome, 'server.json'), 'utf8').catch(() => 'null'));
  const [first, second] = await Promise.all([open({ home: ownHome }), open({ home: ownHome })]);
  const sessionId = await first.newSession();
  await second.newSession();
  const { pid } = await running();
  await first.kill();
  editors.splice(editors.indexOf(first), 1);
  expect((await second.prompt(sessionId, 'x')).error?.code).toBe(-32_002);
  expect((await second.request('session/load', { sessionId, cwd: workspace, mcpServers: [] })).error).toBeUndefined();
  expect((await running()).pid).toBe(pid);
  expect(await second.end()).toBe(0);
  while ((await running()) !== null) await delay(50);
  await rm(ownHome, { recursive: true, force: true });
});

test('reconnects to a restarted server, starts a missing one and restores the additional directories', async () => {
  const ownHome = await realpath(await mkdtemp(join(tmpdir(), 'acp-again-home-')));
  const first = await startServerProcess({ home: ownHome, workspace, environment: model.environment });
  const editor = await open({ home: ownHome, environment: model.environment });
  const sessionId = await editor.newSession({ additionalDirectories: ['/somewhere/else'] });
  script({ text: 'Before.' });
  expect((await editor.prompt(sessionId, 'Hi.')).result).toEqual({ stopReason: 'end_turn' });
  await first.stop();
  const second = await startServerProcess({ home: ownHome, workspace, environment: model.environment });
  expect(second.url).not.toBe(first.url);
  const headers = { authorization: `Bearer ${second.token}`, 'content-type': 'application/json' };
  script({ text: 'For the page.' });
  await fetch(`${second.url}/api/message`, { method: 'POST', headers, body: JSON.stringify({ chatId: sessionId, text: 'From the page.' }) });
  await editor.until(({ params }) => params?.update?.content?.text?.includes('For the page.') === true);
  expect(editor.words(sessionId).match(/Before\./g)).toHaveLength(1);
  script({ text: 'After.' });
  expect((await editor.prompt(sessionId, 'Again.')).result).toEqual({ stopReason: 'end_turn' });
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('/somewhere/else');
  await second.stop();
  script({ text: 'By itself.' });
  expect((await editor.prompt(sessionId, 'Once more.')).result).toEqual({ stopReason: 'end_turn' });
  expect(editor.words(sessionId)).toContain('By itself.');
  expect(await editor.end()).toBe(0);
  const running = async (): Promise<unknown> => readFile(join(ownHome, 'server.json')).catch(() => undefined);
  while ((await running()) !== undefined) await delay(50);
  await rm(ownHome, { recursive: true, force: true });
});

test('shows an image from a tool in its card, during the turn and after loading', async () => {
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await writeFile(join(workspace, 'dot.png'), Buffer.from(data, 'base64'));
  script(call('read_file', { path: 'dot.png' }));
  const editor = await share();
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, 'Look.');
  const pictures = (updates: any[]): any[] =>
    updates.flatMap(({ content }) => (Array.isArray(content) ? content.filter((one: any) => one.content?.type === 'image') : []));
  expect(pictures(editor.updates(sessionId))).toEqual([{ type: 'content', content: { type: 'image', data, mimeType: 'image/png' } }]);
  const second = await open({});
  await second.request('session/load', { sessionId, cwd: workspace, mcpServers: [] });
  expect(pictures(second.updates(sessionId))).toHaveLength(1);
});

test('reports a refused token and a server that fails to start', async () => {
  const ownHome = await realpath(await mkdtemp(join(tmpdir(), 'acp-odd-home-')));
  const odd = await startServerProcess({ home: ownHome, workspace, environment: { AGENT_WEB_TOKEN: 'another-token-of-32-characters-xx' } });
  const refused = await open({ home: ownHome });
  const { error } = await refused.request('session/new', { cwd: workspace, mcpServers: [] });
  expect(error?.data).toEqual({ code: 'ACP_ERR_TOKEN_REFUSED' });
  // The server uses this home, but without server.json its address is unknown.
  await rm(join(ownHome, 'server.json'));
  const blocked = await open({ home: ownHome });
  const failed = await blocked.request('session/list', {});
  expect(failed.error).toMatchObject({ data: { code: 'ACP_ERR_SERVER_FAILED' }, message: expect.stringMatching(/home/i) });
  await odd.stop();
  await rm(ownHome, { recursive: true, force: true });
});

test('reports a rate limit wait once, as a notice if supported, else as a thought', async () => {
  const limited: ScriptedReply = { status: 429, headers: { 'retry-after': '3' } };
  const through: ScriptedReply = { text: 'Through.' };
  const ownHome = await mkdtemp(join(tmpdir(), 'acp-home-'));
  const patient = await startServerProcess({ home: ownHome, workspace, environment: { ...model.environment, AGENT_RETRY_MAX_DELAY_MS: '4000' } });
  script(limited, limited, through, through);
  const run = async (capabilities: object, read: (update: any) => string | undefined): Promise<void> => {
    const editor = await open({ home: ownHome, capabilities });
    const sessionId = await editor.newSession();
    expect((await editor.prompt(sessionId, 'Go.')).result).toEqual({ stopReason: 'end_turn' });
    const notices = editor.updates(sessionId).flatMap((update) => read(update) ?? []);
    expect(notices).toEqual([expect.stringMatching(/\. Attempt 2 of \d+ in \d s\.$/)]);
    expect(editor.words(sessionId)).toBe('Through.');
  };
  await Promise.all([
    run({ session: { notices: {} } }, ({ sessionUpdate, title }) => (sessionUpdate === 'notice' ? title : undefined)),
    run({}, ({ sessionUpdate, content }) => (sessionUpdate === 'agent_thought_chunk' ? content.text : undefined)),
  ]);
  await patient.stop();
  await rm(ownHome, { recursive: true, force: true });
});

test('works with the client of the official SDK', async () => {
  script({ text: 'Hello, SDK.' });
  const child = spawn(process.execPath, [join(root, 'dist/main.mjs'), 'acp'], {
    cwd: workspace,
    env: { PATH: process.env['PATH'], HOME: home, APP_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const words: string[] = [];
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  const result = await acpClient({ name: 'test' })
    .onNotification(methods.client.session.update, ({ params }) => {
      if (params.update.sessionUpdate === 'agent_message_chunk' && params.update.content.type === 'text') words.push(params.update.content.text);
    })
    .connectWith(stream, async (context) => {
      await context.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
      const { sessionId } = await context.request(methods.agent.session.new, { cwd: workspace, mcpServers: [] });
      return context.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'Hi' }] });
    });
  expect(result.stopReason).toBe('end_turn');
  expect(words.join('')).toBe('Hello, SDK.');
  child.kill();
  await ended;
});
