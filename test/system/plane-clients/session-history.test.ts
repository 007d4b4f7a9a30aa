// Tests session history in an account: uploaded after turns, redacted, deduplicated, and searchable from another machine.
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { chunksOf, lineOf } from '../../../builtins/account/session-history/lines.ts';
import { runTool } from '../../helpers/run-tool.ts';
import { createEventRedactor } from '../../../plugins/transcript/removals.ts';
import { addMember, startPlane } from '../../helpers/plane.ts';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { openHome, removeFolders, type Home } from '../../unit/builtins/notes-sync/sync-kit.ts';
import { useAll } from '../../helpers/use-opened.ts';

const homes: Home[] = [];
const plane = useAll(() => startPlane());
const member = useAll(() => addMember(plane, { email: 'ada@example.org', role: 'member', tier: 'pro' }));
const model = useAll(() => startScriptedModel(() => ({ text: 'The harbour is in Bergen.' })));
afterEach(async () => {
  for (const home of homes.splice(0)) expect(await home.close({ keepFiles: true })).toEqual([]);
});
afterAll(async () => {
  await removeFolders();
});

async function open(environment: Record<string, string> = {}, more: object = {}): Promise<Home> {
  const home = await openHome({ plane, member, environment: { AGENT_API_KEY: 'k', AGENT_API_BASE_URL: model.url, AGENT_MODEL: 'm', ...environment }, ...more });
  homes.push(home);
  return home;
}
const storedSession = async (sessionId: string): Promise<any> =>
  (await plane.call('GET', `/api/pro/session_history?sessionId=${sessionId}`, { token: member.token })).body;
async function say(home: Home, text: string): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    home.kernel.emitter.on('turn_end', () => resolve());
  });
  expect((await home.call('POST', '/api/message', { text, chatId: home.chatId })).status).toBe(202);
  await ended;
}

test('uploads new events once after each turn, without secrets', async () => {
  const home = await open({ AGENT_SESSION_HISTORY_CLOUD: '1' });
  await say(home, 'Where is the harbour? My password is hunter2!');
  await vi.waitFor(async () => expect((await storedSession(home.chatId)).total).toBeGreaterThan(2), 20_000);
  const first = await storedSession(home.chatId);
  const text = first.lines.join('\n');
  expect(text).toContain('Bergen');
  expect(text).not.toContain('hunter2');
  for (const line of first.lines) expect(JSON.parse(line)).toHaveProperty('kind');
  await say(home, 'And the fjord?');
  await vi.waitFor(async () => expect((await storedSession(home.chatId)).lines.join('\n')).toContain('fjord'), 20_000);
  const ids = (await storedSession(home.chatId)).lines.map((line: string) => JSON.parse(line).id);
  expect(new Set(ids).size).toBe(ids.length);
  const { hits } = (await plane.call('GET', '/api/pro/session_history?q=harbour', { token: member.token })).body;
  expect(hits[0].sessionId).toBe(home.chatId);
});

test('uploads no redacted message and hides it when it was uploaded before', async () => {
  const home = await open({}, { builtins: ['origins', 'why', 'files'] });
  const messageIds: string[] = [];
  home.kernel.emitter.on('message_accepted', ({ messageId }) => void messageIds.push(messageId));
  const run = (name: string, args: object): Promise<any> => runTool(home.kernel, name, args, { chatId: home.chatId });
  await say(home, 'The kingfisher nests below the old bridge.');
  await say(home, 'The heron waits at the weir.');
  const act = async (messageId: string, action: string): Promise<void> => {
    const about = `message ${messageId}`;
    const { actions } = (await home.call('GET', `/api/views/why?${new URLSearchParams({ about, chatId: home.chatId }).toString()}`)).body;
    const { id } = actions.find((one: { readonly id: string }) => one.id.startsWith(action));
    expect(await home.call('POST', `/api/views/why/actions/${id}`, { parameters: { about }, chatId: home.chatId })).toMatchObject({ status: 200 });
  };

  await act(messageIds[0] ?? '', 'take-out');
  await run('cloud_session_upload', {});
  const { lines } = await storedSession(home.chatId);
  expect(lines.join('\n')).toContain('heron');
  expect(lines.join('\n')).not.toContain('kingfisher');
  const [place] = lines.map((line: string) => JSON.parse(line)).filter(({ isRemoved }: any) => isRemoved === true);
  expect(place).toEqual({
    id: expect.any(Number),
    kind: 'message_accepted',
    at: expect.any(String),
    chatId: home.chatId,
    turnId: expect.any(String),
    messageId: messageIds[0],
    isRemoved: true,
  });

  await act(messageIds[1] ?? '', 'take-out');
  expect((await storedSession(home.chatId)).lines.join('\n')).toContain('heron');
  expect((await run('cloud_session_fetch', { sessionId: home.chatId })).output).not.toContain('heron');
  const found = await run('cloud_session_search', { query: 'weir' });
  expect(found.output).toContain(home.chatId);
  expect(found.output).not.toContain('heron');
});

test('uploads nothing without the setting', async () => {
  const home = await open();
  await say(home, 'Where is the harbour?');
  expect((await plane.call('GET', `/api/pro/session_history?sessionId=${home.chatId}`, { token: member.token })).status).toBe(404);
  expect((await home.call('GET', '/api/tools')).body.tools.map(({ name }: any) => name)).toEqual(
    expect.arrayContaining([
      'cloud_session_upload',
      'cloud_session_search',
      'cloud_session_fetch',
      'cloud_memory_pull',
      'cloud_memory_push',
      'cloud_memory_sync',
    ]),
  );
});

test('repeats a started chunk with the same lines and continues with the next ones', () => {
  const events = Array.from({ length: 1_200 }, (_, at) => ({ id: at + 1, json: JSON.stringify({ id: at + 1 }) }));
  expect([...chunksOf(events, undefined)].map(({ lastId, lines }) => [lastId, lines.length])).toEqual([
    [500, 500],
    [1_000, 500],
    [1_200, 200],
  ]);
  expect([...chunksOf(events, 7)].map(({ lastId }) => lastId)).toEqual([7, 507, 1_007, 1_200]);
});

test('writes each event as one line without secrets and limits its length', () => {
  expect(JSON.parse(lineOf(JSON.stringify({ id: 1, text: 'key sk-abcdefghijkl1234', deep: [{ a: 'Bearer abcdefghijk12345' }] })))).toEqual({
    id: 1,
    text: 'key [redacted]',
    deep: [{ a: '[redacted]' }],
  });
  expect(lineOf(JSON.stringify({ id: 1, parts: Array.from({ length: 10 }, () => 'x'.repeat(99_000)) })).length).toBeLessThan(200_000);
});

test('redacts the result and subtasks of a removed call and every title, and keeps earlier text', () => {
  const leave = createEventRedactor(() => new Map([['call_1', []]]));
  const left = (event: object): unknown => JSON.parse(JSON.stringify(leave({ id: 1, at: 'now', ...event })));
  const out = { id: 1, at: 'now', isRemoved: true };
  expect(left({ kind: 'text', messageId: 'msg_1', delta: 'I look.' })).toMatchObject({ delta: 'I look.' });
  const call = { callId: 'call_1', messageId: 'msg_1' };
  expect(left({ kind: 'tool_start', ...call, name: 'task', args: { goal: 'x' } })).toEqual({ ...out, kind: 'tool_start', ...call });
  expect(left({ kind: 'subtask_start', callId: 'call_1', taskId: 'task_1', goal: 'x' })).toEqual({
    ...out,
    kind: 'subtask_start',
    callId: 'call_1',
    taskId: 'task_1',
  });
  expect(left({ kind: 'subtask_text', taskId: 'task_1', delta: 'x' })).toEqual({ ...out, kind: 'subtask_text', taskId: 'task_1' });
  expect(left({ kind: 'subtask_text', taskId: 'task_2', delta: 'y' })).toMatchObject({ delta: 'y' });
  expect(left({ kind: 'subtask_tool', taskId: 'task_2', toolCallId: 'call_1', output: 'x' })).not.toHaveProperty('output');
  expect(left({ kind: 'subtask_text', taskId: 'task_2', delta: 'z' })).toMatchObject({ delta: 'z' });
  expect(left({ kind: 'turn_start', messageId: 'call_1', model: 'm' })).toMatchObject({ model: 'm' });
  expect(left({ kind: 'tool_result', callId: 'call_2', output: 'y' })).toMatchObject({ output: 'y' });
  expect(left({ kind: 'chat_updated', change: 'renamed', title: 'x' })).not.toHaveProperty('title');
  expect(left({ cut: '{"id":1,"callId":"call_1' })).toEqual({ isRemoved: true });
});
