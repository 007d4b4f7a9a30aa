import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, ListRootsRequestSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Principal } from 'agent-harness/plugins/http';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runCommandLine } from '../../../helpers/command-line.ts';
import { startLocalServer } from '../../../helpers/local-server.ts';
import { type Harness, type ScriptedModel, type ScriptedReply, startHarness, startScriptedModel, useFolder } from '../../../helpers/in-process.ts';

let model: ScriptedModel;
let harness: Harness;
let script: ScriptedReply[];
beforeEach(async () => {
  script = [];
  model = await startScriptedModel(() => script.shift() ?? { text: 'Nothing more.' });
});

const sendOut = {
  register: (registry: any) =>
    registry.add('tool', { name: 'send_out', description: 'Sends.', input: { type: 'object' }, effects: ['external'], run: () => 'sent' }),
};

async function start(listen = true): Promise<void> {
  harness = await startHarness({
    builtins: ['mcp-server', 'model-chat-completions', 'ask-user', 'direct-call', 'files', 'checkpoints', 'skills', 'memory', 'artifacts', 'origins', 'why'],
    modules: { 'send-out': sendOut },
    environment: model.environment,
    listen,
  });
}

interface Session {
  readonly client: Client;
  readonly lines: string[];
  readonly exit: Promise<number>;
  say(name: string, args?: object): Promise<{ text: string; isError: boolean }>;
  end(): Promise<number>;
}

/** Runs `app mcp` with a client at its input and output. `elicit` answers its requests. */
async function open(
  elicit?: (message: string) => { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> },
  options: readonly string[] = [],
  roots?: readonly string[],
): Promise<Session> {
  const lines: string[] = [];
  const input: string[] = [];
  let wake = (): void => undefined;
  let isOver = false;
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => {
      input.push(JSON.stringify(message));
      wake();
    },
    close: async () => {
      isOver = true;
      wake();
      transport.onclose?.();
    },
  };
  const output = {
    out(text: string) {
      for (const line of text.split('\n').filter((one) => one !== '')) {
        lines.push(line);
        setImmediate(() => transport.onmessage?.(JSON.parse(line) as JSONRPCMessage));
      }
    },
    err: () => undefined,
    async *lines() {
      for (;;) {
        const next = input.shift();
        if (next !== undefined) yield next;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    isTerminal: false,
  };
  const exit = harness.kernel.resolve('commands').runCli(['mcp', ...options], output, new AbortController().signal);
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { ...(elicit ? { elicitation: { form: {} } } : {}), ...(roots ? { roots: { listChanged: true } } : {}) } },
  );
  if (roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }));
  if (elicit) client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params.message));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    lines,
    exit,
    async say(name, args = {}) {
      const result: any = await client.callTool({ name, arguments: args as Record<string, unknown> });
      return { text: result.content[0].text, isError: result.isError === true };
    },
    async end() {
      await client.close();
      return exit;
    },
  };
}

test('send_message runs a turn in its own chat, reports progress and returns the answer', async () => {
  await start();
  script = [{ text: ['It ', 'is ', 'noon.'], delayMs: 5 }];
  const session = await open();
  const notes: string[] = [];
  const result: any = await session.client.callTool({ name: 'send_message', arguments: { text: 'What time is it?' } }, undefined, {
    onprogress: ({ message }) => notes.push(message ?? ''),
  });
  expect(result.content[0].text).toMatch(/^It is noon\.\n\n\(chatId: \S+\)$/);
  expect(notes.length).toBeGreaterThan(0);
  const [, chatId] = /chatId: (\S+)\)/.exec(result.content[0].text) ?? [];
  expect(JSON.parse((await session.say('list_chats')).text)).toContainEqual(expect.objectContaining({ chatId, busy: false }));
  const entries = JSON.parse((await session.say('read_chat', { chatId })).text);
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(['user', 'assistant']);
  script = [{ text: 'Still noon.' }];
  expect((await session.say('send_message', { text: 'And now?' })).text).toContain(`chatId: ${chatId}`);
  expect(await session.end()).toBe(0);
});

test('standard output contains MCP messages only', async () => {
  await start();
  const session = await open();
  await session.say('list_chats');
  expect(await session.end()).toBe(0);
  expect(session.lines.length).toBeGreaterThan(1);
  for (const line of session.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

test('notifies the client of changed lists after new chats and changed connections', async () => {
  await start();
  const roots = [harness.workspace];
  const session = await open(undefined, [], roots);
  const changed = (list: string): boolean => session.lines.some((line) => line.includes(`notifications/${list}/list_changed`));
  await session.client.listPrompts();
  await session.client.sendRootsListChanged();
  await session.say('new_chat', { title: 'Another' });
  await vi.waitFor(() => expect(changed('resources') && changed('prompts')).toBe(true), 10_000);
  expect(changed('tools')).toBe(false);
  const { kernel } = harness;
  await kernel.emitter.call('connection.changed', [{ kind: 'mcp', name: 'other', status: 'connected' }]);
  await vi.waitFor(() => expect(changed('tools')).toBe(true), 10_000);
  expect(await session.end()).toBe(0);
});

test('starts a server if none is running, and stops it at the end of the input', async () => {
  await start(false);
  script = [{ text: 'Hello.' }];
  const session = await open();
  expect((await session.say('send_message', { text: 'Hi' })).text).toContain('Hello.');
  expect(harness.kernel.resolve('http').address()).toBeDefined();
  expect(await session.end()).toBe(0);
  expect(harness.kernel.resolve('http').address()).toBeUndefined();
});

test('forwards an approval to the client and applies the decision', async () => {
  await start();
  for (const [decision, wanted] of [
    ['approve', true],
    ['reject', false],
  ] as const) {
    script = [{ toolCalls: [{ name: 'send_out' }] }, { text: 'Done.' }];
    const asked: string[] = [];
    const session = await open((message) => {
      asked.push(message);
      return { action: 'accept', content: { decision } };
    });
    expect((await session.say('send_message', { text: 'Send it' })).text).toContain('Done.');
    expect(asked).toEqual([expect.stringContaining('send_out')]);
    const [row] = JSON.parse((await session.say('list_chats')).text);
    const entries = JSON.parse((await session.say('read_chat', { chatId: row.chatId })).text);
    expect(entries.find(({ kind }: { kind: string }) => kind === 'tool')).toMatchObject({ ok: wanted });
  }
});

test('names the author of a message and the approver of a call, unless it is the owner', async () => {
  await start();
  script = [{ toolCalls: [{ name: 'send_out' }] }, { text: 'Done.' }];
  const ada = { kind: 'teammate', id: 'mate_1', name: 'Ada', role: 'member' } as const;
  const as = async (principal: Principal, method: 'GET' | 'POST', path: string, body?: unknown): Promise<any> =>
    JSON.parse((await harness.kernel.resolve('http').dispatch({ method, path, body }, { principal })).body.toString());
  const { chatId, turnId } = await as(ada, 'POST', '/api/message', { text: 'Send it' });
  let approvals: { approvalId: string }[] = [];
  await expect.poll(async () => ({ approvals } = await as(ada, 'GET', `/api/pending?chatId=${chatId}`)).approvals.length).toBe(1);
  await as({ kind: 'guest', id: 'guest_7', role: 'member' }, 'POST', '/api/approve', { approvalId: approvals[0]?.approvalId, decision: 'approve' });
  await harness.kernel.resolve('turns').ended(turnId);
  const session = await open();
  const [message, call] = JSON.parse((await session.say('read_chat', { chatId })).text);
  expect([message, call]).toMatchObject([
    { text: 'Send it', saidBy: 'Ada' },
    { name: 'send_out', decision: { decision: 'approve', saidBy: 'guest_7' } },
  ]);
  await session.say('send_message', { chatId, text: 'And now?' });
  const own = JSON.parse((await session.say('read_chat', { chatId })).text).findLast(({ kind }: { kind: string }) => kind === 'user');
  expect(own).not.toHaveProperty('saidBy');
});

test('forwards a question of the agent to the client and returns the answer', async () => {
  await start();
  script = [{ toolCalls: [{ name: 'ask_user', args: { prompt: 'Which colour?' } }] }, { text: 'Blue it is.' }];
  const session = await open((message) => (message === 'Which colour?' ? { action: 'accept', content: { answer: 'blue' } } : { action: 'decline' }));
  expect((await session.say('send_message', { text: 'Paint' })).text).toContain('Blue it is.');
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('blue');
});

test('names the pending approval when the client cannot show requests', async () => {
  await start();
  script = [{ toolCalls: [{ name: 'send_out' }] }, { text: 'Done.' }];
  const session = await open();
  const { text, isError } = await session.say('send_message', { text: 'Send it' });
  expect({ isError, text }).toEqual({ isError: false, text: expect.stringContaining('is waiting for approval of send_out') });
  const [, chatId] = /chatId: (\S+)\)/.exec(text) ?? [];
  const { body } = await harness.call('GET', `/api/pending?chatId=${chatId}`);
  expect(body.approvals).toHaveLength(1);
  await harness.call('POST', '/api/approve', { approvalId: body.approvals[0].approvalId, decision: 'reject' });
});

test('cancelling a call stops its turn', async () => {
  await start();
  script = [{ text: ['a', 'b'], stallAfter: 1 }];
  const session = await open();
  const stop = new AbortController();
  const running = session.client.callTool({ name: 'send_message', arguments: { text: 'Talk' } }, undefined, {
    signal: stop.signal,
    onprogress: () => stop.abort(),
  });
  await expect(running).rejects.toThrow();
  await expect.poll(async () => (await harness.call('GET', '/api/status')).body.busy).toBe(false);
});

test('returns the partial text and the end reason of a turn that was stopped elsewhere', async () => {
  await start();
  script = [{ text: ['Half', 'whole'], stallAfter: 1 }];
  const session = await open();
  const running: Promise<any> = session.client.callTool({ name: 'send_message', arguments: { text: 'Talk' } }, undefined, {
    onprogress: () => void harness.call('POST', '/api/session/abort', { chatId: chatOf() }),
  });
  const chatOf = (): string | undefined => harness.kernel.resolve('turns').statuses()[0]?.chatId;
  expect(await running).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^Half\n\nStopped by the user\.\n\n\(chatId: /) }] });
});

test('reports a running server that refuses the token', async () => {
  await start(false);
  const { port } = await startLocalServer((_, reply) => void reply.writeHead(401).end());
  await writeFile(join(harness.home, 'server.json'), JSON.stringify({ pid: process.pid, port }));
  // The text of MCP_SERVER_ERR_TOKEN_REFUSED.
  expect(await runCommandLine(harness.kernel, ['mcp'])).toMatchObject({ code: 1, stderr: expect.stringContaining('refuses the token') });
});

test('returns an error for invalid calls', async () => {
  await start();
  const session = await open();
  expect(await session.say('nothing')).toMatchObject({ isError: true, text: expect.stringContaining("Unknown tool 'nothing'") });
  expect(await session.say('send_message')).toMatchObject({ isError: true, text: "'text' is missing." });
  expect(await session.say('read_chat', { chatId: 'nope' })).toMatchObject({ isError: true, text: expect.stringContaining('not_found') });
  expect(await session.say('read_chat', { chatId: 'x', limit: 0 })).toMatchObject({ isError: true });
  expect(await session.say('list_chats', { colour: 'red' })).toMatchObject({ isError: true });
  expect(JSON.parse((await session.say('new_chat', { title: 'Mine' })).text)).toMatchObject({ chatId: expect.any(String) });
});

const namesOf = async (session: Session): Promise<string[]> => (await session.client.listTools()).tools.map(({ name }) => name);

test("serves the agent's own tools with their schemas and runs them without its model", async () => {
  await start();
  const session = await open();
  const { tools } = await session.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['read_file', 'write_file', 'send_message']));
  const writing = tools.find(({ name }) => name === 'write_file');
  expect(writing).toMatchObject({ inputSchema: { type: 'object', required: ['path', 'content'] }, annotations: { readOnlyHint: false } });
  await session.say('new_chat', { workspaceRoot: harness.workspace });
  const written = await Promise.all(['a', 'b', 'c'].map((name) => session.say('write_file', { path: `${name}.txt`, content: name })));
  expect(written).toEqual(['a', 'b', 'c'].map((name) => ({ isError: false, text: expect.stringContaining(`${name}.txt`) })));
  expect(await session.say('read_file', { path: 'b.txt' })).toMatchObject({ isError: false, text: expect.stringContaining('b') });
  expect(model.requests).toHaveLength(0);
});

test('own tools require approval as usual, and failed, invalid and denied calls return an error', async () => {
  await start();
  const asked: string[] = [];
  const session = await open(
    (message) => {
      asked.push(message);
      return { action: 'accept', content: { decision: asked.length === 1 ? 'approve' : 'reject' } };
    },
    ['--tools', 'all'],
  );
  expect(await session.say('send_out')).toMatchObject({ isError: false, text: 'sent' });
  expect(await session.say('send_out')).toMatchObject({ isError: true, text: expect.stringContaining('rejected') });
  expect(asked).toHaveLength(2);
  expect(await session.say('read_file', { path: 'none.txt' })).toMatchObject({ isError: true, text: expect.stringContaining('none.txt') });
  expect(await session.say('read_file', { pth: 'a' })).toMatchObject({ isError: true, text: expect.stringContaining('/path is missing') });
});

test('--tools selects the own tools to serve', async () => {
  await start();
  for (const [served, names] of [
    ['none', []],
    ['send_out', ['send_out']],
    ['ask-user,send_out', ['ask_user', 'send_out']],
  ] as const) {
    const session = await open(undefined, ['--tools', served]);
    expect((await namesOf(session)).sort()).toEqual(['list_chats', 'new_chat', 'send_message', 'read_chat', ...names].sort());
    if (served === 'none') expect(await session.say('read_file', { path: 'a' })).toMatchObject({ isError: true, text: "Unknown tool 'read_file'." });
  }
});

const workspaceOf = async (text: string): Promise<string> => {
  const [, chatId = ''] = /chatId: (\S+)\)/.exec(text) ?? [];
  return (await harness.call('GET', `/api/chats/${chatId}`)).body.workspaceRoot;
};

test('works in the folder that it was started in', async () => {
  await start();
  const session = await open();
  expect(await workspaceOf((await session.say('send_message', { text: 'Hi' })).text)).toBe(await realpath(harness.workspace));
  expect(JSON.parse((await session.say('new_chat')).text)).toMatchObject({ workspaceRoot: await realpath(harness.workspace) });
  const { workspaceRoot } = JSON.parse((await session.say('new_chat', { workspaceRoot: 'scratch' })).text);
  expect(workspaceRoot.startsWith(await realpath(harness.home))).toBe(true);
});

const [firstRoot, secondRoot] = [useFolder('mcp-root-a-'), useFolder('mcp-root-b-')];
test('works in the root of the client, and in the new root after a change', async () => {
  await start();
  const folders = await Promise.all([firstRoot, secondRoot].map((folder) => realpath(folder)));
  const roots = [folders[0] as string];
  const session = await open(undefined, [], roots);
  expect(await workspaceOf((await session.say('send_message', { text: 'Hi' })).text)).toBe(folders[0]);
  roots[0] = folders[1] as string;
  await session.client.sendRootsListChanged();
  await expect.poll(async () => workspaceOf((await session.say('send_message', { text: 'Hi' })).text)).toBe(folders[1]);
  await session.end();
});

test('prompts are the trusted skills and hand_over', async () => {
  await start();
  const session = await open();
  const names = async (): Promise<string[]> => (await session.client.listPrompts()).prompts.map(({ name }) => name);
  expect(await names()).toEqual(['hand_over']);
  await mkdir(join(harness.workspace, '.agents/skills/whistle'), { recursive: true });
  await writeFile(join(harness.workspace, '.agents/skills/whistle/SKILL.md'), '---\nname: whistle\ndescription: Whistles a tune.\n---\nPurse your lips.\n');
  expect(await names()).toEqual(['hand_over']);
  const trust = harness.kernel.resolve('trust');
  const [row] = await trust.rows(harness.workspace);
  await trust.decide(harness.workspace, row?.name ?? '', row?.digest ?? '', true);
  expect(await names()).toEqual(['hand_over', 'skill:whistle']);
  const { messages, description } = await session.client.getPrompt({ name: 'skill:whistle', arguments: { task: 'Loudly.' } });
  expect(description).toBe('Whistles a tune.');
  expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.stringMatching(/Purse your lips\.\n\nLoudly\.$/) } }]);
  expect((await session.client.getPrompt({ name: 'hand_over', arguments: { task: 'Mow.' } })).messages[0]?.content).toMatchObject({
    text: expect.stringContaining('Mow.'),
  });
  for (const name of ['skill:dance', 'nothing']) await expect(session.client.getPrompt({ name })).rejects.toThrow('Unknown prompt');
  await expect(session.client.getPrompt({ name: 'hand_over' })).rejects.toThrow('missing');
});

test('resources are chats and notes', async () => {
  await start();
  script = [{ text: 'It is noon.' }];
  const session = await open();
  const [, chatId] = /chatId: (\S+)\)/.exec((await session.say('send_message', { text: 'What time is it?' })).text) ?? [];
  await harness.call('POST', '/api/memory', { key: 'tea', value: 'Green tea.', scope: 'global' });
  const { resources } = await session.client.listResources();
  expect(resources[0]).toMatchObject({ uri: 'app://notes' });
  const chat = resources.find(({ uri }) => uri === `app://chats/${chatId}`);
  const textOf = async (uri: string): Promise<string> => JSON.stringify((await session.client.readResource({ uri })).contents[0]);
  expect(await textOf(chat?.uri ?? '')).toContain('It is noon.');
  expect(await textOf('app://notes')).toContain('Green tea.');
  expect((await session.client.listResourceTemplates()).resourceTemplates).toMatchObject([{ uriTemplate: 'app://chats/{chatId}' }]);
  for (const uri of ['app://chats/chat_0', 'app://chats/../settings', 'file:///etc/passwd']) {
    await expect(session.client.readResource({ uri })).rejects.toThrow('Unknown resource');
  }
});

test('omits messages that a person removed from all results and resources', async () => {
  await start();
  script = [{ text: 'Noted.' }];
  const session = await open();
  const [, chatId = ''] = /chatId: (\S+)\)/.exec((await session.say('send_message', { text: 'The secret word is marigold.' })).text) ?? [];
  const readings = async (): Promise<string[]> => [
    (await session.say('read_chat', { chatId })).text,
    (await session.say('list_chats')).text,
    JSON.stringify((await session.client.readResource({ uri: `app://chats/${chatId}` })).contents),
  ];
  const telling = async (): Promise<boolean[]> => (await readings()).map((text) => text.includes('marigold'));
  expect(await telling()).toEqual([true, true, true]);
  const [message] = JSON.parse((await readings())[0]!);
  const parameters = { about: `message ${message.id}`, chat: chatId };
  const { actions } = (await harness.call('GET', `/api/views/why?${new URLSearchParams(parameters).toString()}`)).body;
  await harness.call('POST', `/api/views/why/actions/${actions.find(({ id }: any) => id.startsWith('take-out')).id}`, { parameters });
  expect(await telling()).toEqual([false, false, false]);
  expect((await readings())[0]).toContain('"isRemoved": true');
});
