// Tests the requirements of the protocol conformance kit (acp-tck, v1) for agents, by their identifiers.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useServer, type ServerWorld } from '../../helpers/use-server.ts';
import { startEditor, useEditors, viewFromNow, type Editor, type EditorOptions, type Message } from '../../helpers/acp-editor.ts';
import { type ScriptedReply } from '../../helpers/scripted-model.ts';

const stopReasons = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];

let { home, workspace, model } = {} as ServerWorld;
useServer((world) => void ({ home, workspace, model } = world));
/** Most tests share one initialized process. The others call `own`. */
let editor: Editor;
let shared: Editor;
let agent: any;
const owned = useEditors();
const said: ScriptedReply = { text: ['It ', 'is ', 'noon.'] };

beforeAll(async () => {
  shared = start();
  agent = await shared.initialize();
});
afterAll(async () => {
  expect(await shared.end()).toBe(0);
  expect(shared.faults(), 'ACP-SCHEMA-001, ACP-SCHEMA-002').toEqual([]);
});
beforeEach(() => {
  model.play(() => said);
  editor = Object.assign(viewFromNow(shared), { initialize: async () => agent });
});
const start = (more: Partial<EditorOptions> = {}): Editor => startEditor({ home, workspace, ...more });
const slow = (): void => model.play(() => ({ text: Array.from({ length: 200 }, (_, at) => `${at} `), delayMs: 20 }));
const own = (): void => void owned.push((editor = start()));
/** Resolves with the reply to another request, which follows all pending messages. */
const settle = (): Promise<Message> => editor.request('session/list', { cwd: '/nobody/works/here' });
const load = (sessionId: string): object => ({ sessionId, cwd: workspace, mcpServers: [] });

describe('mandatory', () => {
  test('ACP-TRANSPORT-001, 002: writes one UTF-8 message per line of standard output', async () => {
    model.play(() => ({ text: ['Grüße ', '\u2028 ', '🙂'] }));
    await editor.initialize();
    const sessionId = await editor.newSession();
    await editor.prompt(sessionId, 'Say it with a \u2028 in it.');
    expect(editor.words(sessionId)).toBe('Grüße \u2028 🙂');
    expect(editor.received.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('with a \u2028 in it');
  });

  test('ACP-JSONRPC-001, 002: returns the id unchanged and either a result or an error', async () => {
    own();
    for (const id of [7, 'seven']) {
      const reply = await editor.request('initialize', { protocolVersion: 1 }, id);
      expect(reply).toMatchObject({ id, result: expect.any(Object) });
      expect('error' in reply).toBe(false);
    }
    const refused = await editor.request('session/new', { cwd: 5 });
    expect(refused.error).toMatchObject({ code: -32_602, message: expect.stringContaining('cwd') });
    expect('result' in refused).toBe(false);
  });

  test('ACP-JSONRPC-003: sends no reply to a notification', async () => {
    await editor.initialize();
    const before = editor.received.length;
    editor.notify('session/cancel', { sessionId: 'nobody' });
    editor.notify('no/such', {});
    editor.notify('$/cancel_request', { requestId: 99 });
    const reply = await settle();
    expect(editor.received.slice(before)).toEqual([reply]);
  });

  test('ACP-INIT-001, 002, 003: answers version 1 with 1 and an unknown version with its own', async () => {
    own();
    expect((await editor.request('initialize', { protocolVersion: 1, clientCapabilities: {} })).result.protocolVersion).toBe(1);
    const future = await editor.request('initialize', { protocolVersion: 65_535, clientCapabilities: {}, info: { name: 'x', version: '1' } });
    expect(future.result.protocolVersion).toBe(1);
  });

  test('ACP-SESSION-001, 002: creates sessions with unique ids', async () => {
    await editor.initialize();
    const ids = [await editor.newSession(), await editor.newSession()];
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => id.length > 0)).toBe(true);
  });

  test('ACP-PROMPT-001, 002: ends a prompt with a known stop reason and sends updates for its session only', async () => {
    own();
    await editor.initialize();
    const sessionId = await editor.newSession();
    const { result } = await editor.prompt(sessionId, 'What time is it?');
    expect(stopReasons).toContain(result.stopReason);
    const updates = editor.received.filter(({ method }) => method === 'session/update');
    expect(updates.length).toBeGreaterThan(0);
    expect(updates.every(({ params }) => params.sessionId === sessionId)).toBe(true);
    expect(editor.words(sessionId)).toBe('It is noon.');
  });

  test('ACP-CANCEL-001, 002: ends a cancelled prompt as cancelled and sends no later updates', async () => {
    slow();
    await editor.initialize();
    const sessionId = await editor.newSession();
    const reply = editor.prompt(sessionId, 'Count.');
    await editor.until(({ params }) => params?.update?.sessionUpdate === 'agent_message_chunk');
    editor.notify('session/cancel', { sessionId });
    expect((await reply).result).toEqual({ stopReason: 'cancelled' });
    const after = editor.received.indexOf(await reply) + 1;
    await settle();
    expect(editor.updates(sessionId, after)).toEqual([]);
  });

  test('ACP-CONFIG-003: offers no boolean option to an editor without support', async () => {
    await editor.initialize();
    const { result } = await editor.request('session/new', { cwd: workspace, mcpServers: [] });
    expect(result.configOptions.map(({ type }: { type: string }) => type)).not.toContain('boolean');
  });

  test('ACP-AUTH-002: offers terminal sign-in only to an editor with a terminal', async () => {
    const types = ({ authMethods }: any): string[] => authMethods.map(({ type = 'agent' }) => type);
    expect(types(await editor.initialize())).toEqual(['agent']);
    const other = start({ capabilities: { auth: { terminal: true } } });
    expect(types(await other.initialize())).toEqual(['agent', 'terminal']);
    await other.end();
    expect(other.faults()).toEqual([]);
  });

  test('ACP-CLIENTCAP-001, 002, 003: requests no files, terminal or forms from an editor without them', async () => {
    model.play(({ body }) =>
      body.messages.at(-1).role === 'tool'
        ? said
        : {
            toolCalls: [
              { name: 'list_dir', args: { path: '.' } },
              { name: 'run_command', args: { command: 'pwd' } },
              { name: 'ask_user', args: { prompt: 'Which?' } },
            ],
          },
    );
    await editor.initialize();
    const sessionId = await editor.newSession();
    expect((await editor.prompt(sessionId, 'Look around.')).result.stopReason).toBe('end_turn');
    expect((await editor.prompt(sessionId, 'This one.')).result.stopReason).toBe('end_turn');
    const asked = editor.received.filter(({ method, id }) => method !== undefined && id !== undefined).map(({ method }) => method);
    expect(asked.filter((method) => method !== 'session/request_permission')).toEqual([]);
  });

  test('ACP-EXT-001: answers an unknown extension with an error', async () => {
    const { error } = await editor.request('_editor/unknown', {});
    expect(error?.code).toBe(-32_601);
  });
});

describe('capabilities', () => {
  test('declares every capability of the kit, so that no test is skipped', async () => {
    const { agentCapabilities, authMethods } = await editor.initialize();
    expect(agentCapabilities).toMatchObject({
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
      auth: { logout: {} },
    });
    expect(authMethods.length).toBeGreaterThan(0);
  });

  test('ACP-LOAD-001, 002, 003: sends the whole conversation before the reply to load', async () => {
    await editor.initialize();
    const sessionId = await editor.newSession();
    await editor.prompt(sessionId, 'What time is it?');
    const from = editor.received.length;
    const reply = await editor.request('session/load', load(sessionId));
    expect(reply.result).toMatchObject({ modes: { currentModeId: 'ask' }, configOptions: expect.any(Array) });
    const at = editor.received.indexOf(reply);
    expect(editor.updates(sessionId, from).slice(0, 2)).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { text: 'What time is it?' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'It is noon.' } },
    ]);
    await editor.until(({ params }) => params?.update?.sessionUpdate === 'available_commands_update', at);
    await settle();
    expect(editor.updates(sessionId, at).map(({ sessionUpdate }) => sessionUpdate)).toEqual(['available_commands_update']);
  });

  test('ACP-RESUME-001, 002: resumes a session without replaying its messages', async () => {
    own();
    await editor.initialize();
    const sessionId = await editor.newSession();
    await editor.prompt(sessionId, 'What time is it?');
    await editor.end();
    const other = start();
    await other.initialize();
    const { result } = await other.request('session/resume', { sessionId, cwd: workspace });
    expect(result).toMatchObject({ modes: expect.any(Object), configOptions: expect.any(Array) });
    expect((await other.prompt(sessionId, 'And now?')).result.stopReason).toBe('end_turn');
    expect(other.words(sessionId)).toBe('It is noon.');
    expect(other.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')).toEqual([]);
    await other.end();
    expect(other.faults()).toEqual([]);
  });

  test('ACP-LIST-001, 002: lists sessions, optionally by folder', async () => {
    await editor.initialize();
    const sessionId = await editor.newSession();
    const { sessions } = (await editor.request('session/list', {})).result;
    expect(sessions).toContainEqual(expect.objectContaining({ sessionId, cwd: workspace }));
    expect((await editor.request('session/list', { cwd: workspace })).result.sessions.length).toBe(sessions.length);
    expect((await editor.request('session/list', { cwd: '/nobody/works/here' })).result.sessions).toEqual([]);
  });

  test('ACP-DELETE-001, 002: deletes a session, also repeatedly', async () => {
    await editor.initialize();
    const sessionId = await editor.newSession();
    for (const id of [sessionId, sessionId, 'never-there']) expect((await editor.request('session/delete', { sessionId: id })).result).toEqual({});
    expect((await editor.request('session/list', {})).result.sessions).not.toContainEqual(expect.objectContaining({ sessionId }));
  });

  test('ACP-CLOSE-001, 002: closes a session and ends its prompt as cancelled', async () => {
    slow();
    await editor.initialize();
    const idle = await editor.newSession();
    expect((await editor.request('session/close', { sessionId: idle })).result).toEqual({});
    const sessionId = await editor.newSession();
    const reply = editor.prompt(sessionId, 'Count.');
    await editor.until(({ params }) => params?.update?.sessionUpdate === 'agent_message_chunk');
    expect((await editor.request('session/close', { sessionId })).result).toEqual({});
    expect((await reply).result).toEqual({ stopReason: 'cancelled' });
  });

  test('ACP-ADDDIRS-001: accepts additional directories', async () => {
    await editor.initialize();
    const further = await realpath(await mkdtemp(join(tmpdir(), 'acp-tck-further-')));
    expect(await editor.newSession({ additionalDirectories: [further] })).not.toBe('');
    await rm(further, { recursive: true });
  });

  test('ACP-MODES-001, 002: reports a current mode from the available ones and sets another', async () => {
    await editor.initialize();
    const { modes, sessionId } = (await editor.request('session/new', { cwd: workspace, mcpServers: [] })).result;
    expect(modes.availableModes.map(({ id }: { id: string }) => id)).toEqual(['ask', 'careful', 'plan', 'auto']);
    expect(modes.currentModeId).toBe('ask');
    expect((await editor.request('session/set_mode', { sessionId, modeId: 'plan' })).result).toEqual({});
    const modeUpdate = await editor.until(({ params }) => params?.update?.sessionUpdate === 'current_mode_update');
    expect(modeUpdate.params.update.currentModeId).toBe('plan');
    expect((await editor.request('session/set_mode', { sessionId, modeId: 'dance' })).error?.code).toBe(-32_602);
  });

  test('ACP-CONFIG-001, 002: reports options with valid values and returns all of them after a change', async () => {
    await editor.initialize();
    const { configOptions, sessionId } = (await editor.request('session/new', { cwd: workspace, mcpServers: [] })).result;
    for (const { currentValue, options } of configOptions) expect(options.map(({ value }: any) => value)).toContain(currentValue);
    const set = await editor.request('session/set_config_option', { sessionId, configId: 'model', value: 'another-model' });
    expect(set.result.configOptions.map(({ id }: any) => id)).toEqual(configOptions.map(({ id }: any) => id));
    expect(set.result.configOptions.find(({ id }: any) => id === 'model').currentValue).toBe('another-model');
    const setEffort = async (value: string): Promise<any> => editor.request('session/set_config_option', { sessionId, configId: 'effort', value });
    const effort = (await setEffort('high')).result.configOptions.find(({ id }: any) => id === 'effort');
    expect(effort).toMatchObject({ category: 'thought_level', currentValue: 'high' });
    expect(effort.options.map(({ value }: any) => value)).toEqual(['default', 'off', 'low', 'medium', 'high', 'max']);
    expect((await setEffort('huge')).error?.code).toBe(-32_602);
    await editor.prompt(sessionId, 'Who are you?');
    expect(model.requests.at(-1)?.body).toMatchObject({ model: 'another-model', reasoning_effort: 'high' });
    await setEffort('default');
    await editor.prompt(sessionId, 'And now?');
    expect(model.requests.at(-1)?.body).not.toHaveProperty('reasoning_effort');
  });

  test('ACP-PROMPTCAP-001, 002, 003 and ACP-PROMPT-003: accepts images, audio, embedded resources and links', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await editor.initialize();
    const sessionId = await editor.newSession();
    const blocks = [
      { type: 'image', data: pixel, mimeType: 'image/png' },
      { type: 'audio', data: Buffer.from('RIFF').toString('base64'), mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: `file://${workspace}/src/a.ts`, text: 'export const answer = 42;', mimeType: 'text/plain' } },
      { type: 'resource', resource: { uri: 'zed://notes/1', blob: Buffer.from('bytes').toString('base64') } },
      { type: 'resource_link', uri: `file://${workspace}/src/b.ts#L3`, name: 'b.ts' },
    ];
    for (const block of blocks) {
      const { result, error } = await editor.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'See' }, block] });
      expect(error, block.type).toBeUndefined();
      expect(stopReasons).toContain(result.stopReason);
    }
    const sent = JSON.stringify(model.requests.map(({ body }) => body.messages));
    expect(sent).toContain(pixel);
    expect(sent).toContain('export const answer = 42;');
    expect(sent).toContain('See @src/b.ts#L3');
  });

  test('ACP-AUTH-003, 004: rejects an unknown method and creates sessions after logout', async () => {
    own();
    await editor.initialize();
    const refused = await editor.request('authenticate', { methodId: 'nobody' });
    expect(refused.error?.code).toBe(-32_602);
    expect((await editor.request('logout', {})).result).toEqual({});
    expect(await editor.newSession()).not.toBe('');
  });
});

describe('advisory', () => {
  test('ACP-JSONRPC-004, 005, ACP-ERROR-001: returns one-line errors with the right code and continues', async () => {
    own();
    await editor.initialize();
    const faults = [
      await editor.request('no/such/method', {}),
      await editor.request('session/prompt', { sessionId: 'nobody', prompt: [{ type: 'text', text: 'x' }] }),
      await editor.request('session/new', { cwd: 'relative', mcpServers: [] }),
      await editor.request('session/load', load('chat_nobody')),
      await editor.request('session/new', { cwd: '/there/is/no/such/folder', mcpServers: [] }),
    ];
    expect(faults.map(({ error }) => error?.code)).toEqual([-32_601, -32_002, -32_602, -32_002, -32_602]);
    expect(faults.every(({ error }) => error?.message !== '' && !error?.message.includes('\n'))).toBe(true);
    expect(await editor.newSession()).not.toBe('');
  });

  test('ACP-INIT-004, ACP-AUTH-001, 005: reports its name and sign-in methods with unique ids', async () => {
    const { agentInfo, authMethods } = await editor.initialize();
    expect(agentInfo).toMatchObject({ name: 'app', version: expect.stringMatching(/^\d/) });
    const ids = authMethods.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('ACP-META-001: accepts and ignores _meta fields of the editor', async () => {
    await editor.initialize();
    const sessionId = await editor.newSession({ _meta: { zed: true } });
    const { result } = await editor.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'x' }], _meta: { traceparent: '00-1-2-01' } });
    expect(result.stopReason).toBe('end_turn');
  });

  test('ACP-SHUTDOWN-001: exits cleanly when its input ends', async () => {
    own();
    await editor.initialize();
    await editor.newSession();
    expect(await editor.end()).toBe(0);
    expect(editor.stderr()).toBe('');
  });

  test('ACP-INFO: answers malformed lines with errors and continues', async () => {
    own();
    await editor.initialize();
    const from = editor.received.length;
    editor.raw('this is no JSON');
    editor.raw('{"foo":"bar"}');
    await editor.until(({ error }) => error?.code === -32_600, from);
    expect(editor.received.slice(from).map(({ error }) => error?.code)).toEqual([-32_700, -32_600]);
    expect(await editor.newSession()).not.toBe('');
  });
});
