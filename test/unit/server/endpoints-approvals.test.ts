// Tests approvals, questions, settings, plugins, tools and usage over HTTP, with a scripted model.
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApiCheck } from '../../helpers/api-check.ts';
import { type EventStream, openEventStream, runTurn, startHarness, startScriptedModel, useEach } from '../../helpers/in-process.ts';

const model = useEach(() => startScriptedModel());
const harness = useEach(() => startHarness({ environment: { ...model.environment, AGENT_TOOL_LAZY: '0' } }));
const api = useEach(() => openApiCheck(harness));

const body = async (method: string, path: string, sent?: unknown): Promise<any> => (await api.call(method, path, sent)).body;
const run = (command: string) => ({ toolCalls: [{ name: 'run_command', args: { command } }] });
const ended = (stream: EventStream, turnId: string) => stream.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId);

test('a decision is rejected while invalid, accepted once, and removed from the pending list', async () => {
  model.push(run('touch first'), { text: 'Done.' });
  const stream = await openEventStream(harness, { chatId: 'all' });
  const { turnId, chatId } = await body('POST', '/api/message', { text: 'go' });
  const { approvalId } = await stream.until('tool_approval');
  const other = await body('POST', '/api/chats', { workspaceMode: 'scratch' });
  expect(await body('GET', '/api/pending')).toEqual({ approvals: [], questions: [] });
  for (const query of ['chatId=all', `chatId=${chatId}`])
    expect((await body('GET', `/api/pending?${query}`)).approvals).toMatchObject([{ approvalId, chatId }]);
  expect((await body('GET', '/api/status')).chats).toMatchObject([{ chatId, waitingFor: 'approval' }]);
  expect((await api.call('GET', '/api/pending?chatId=nobody')).status).toBe(404);

  const decide = (more: object) => api.call('POST', '/api/approve', { approvalId, ...more });
  for (const wrong of [{}, { decision: 'maybe' }, { decision: 'edit' }, { decision: 'edit', args: { cwd: '.' } }, { decision: 'approve', remember: 'ever' }])
    expect(await decide(wrong)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  expect(await decide({ decision: 'approve', approvalId: 'appr_01ARZ3NDEKTSV4RRFFQ69G5FAV' })).toMatchObject({ status: 404 });
  expect((await decide({ decision: 'edit', args: { command: 'touch second' } })).body).toEqual({ ok: true });
  expect(await decide({ decision: 'reject' })).toMatchObject({ status: 409, body: { error: { code: 'already_resolved' } } });
  expect(await stream.until('approval_decision')).toMatchObject({ approvalId, decision: 'edit', by: 'user', args: { command: 'touch second' } });
  expect(await ended(stream, turnId)).toMatchObject({ reason: 'done' });
  expect(await readFile(join(harness.workspace, 'second'), 'utf8')).toBe('');
  await expect(readFile(join(harness.workspace, 'first'))).rejects.toThrow('ENOENT');
  expect(other.chatId).not.toBe(chatId);
});

test('a write outside the workspace shows a diff, and an edit streams its new text', async () => {
  const outside = join(tmpdir(), `outside-${process.pid}.txt`);
  await writeFile(join(harness.workspace, 'a.txt'), 'one\ntwo\n');
  const edits = [{ search: 'one', replace: 'ONE' }, { search: 'two', replace: 'TWO' }]; // prettier-ignore
  model.push(
    { toolCalls: [{ name: 'write_file', args: { path: outside, content: 'hello\n', mode: 'create' } }] },
    { toolCalls: [{ name: 'edit_file', args: { path: 'a.txt', edits }, fragments: 12 }] },
    { text: 'Done.' },
  );
  const stream = await openEventStream(harness);
  const { turnId } = await body('POST', '/api/message', { text: 'go' });
  const approval = await stream.until('tool_approval');
  expect(approval).toMatchObject({ name: 'write_file', effects: ['write'], preview: { kind: 'diff', path: outside, diff: expect.stringContaining('+hello') } });
  await body('POST', '/api/approve', { approvalId: approval['approvalId'], decision: 'reject' });
  await ended(stream, turnId);
  const previews = stream.events.filter((event) => event.kind === 'compose_preview' && event['path'] === 'a.txt');
  expect(previews.map((event) => event['delta']).join('')).toBe('ONE\nTWO');
  expect(await readFile(join(harness.workspace, 'a.txt'), 'utf8')).toBe('ONE\nTWO\n');
});

test('settings apply as a whole, name locked and unknown keys, cover the provider, and report restarts', async () => {
  const put = (patch: object) => api.call('PUT', '/api/settings', patch);
  const env = (values: object) => put({ harness: { env: values } });
  expect(await env({ AGENT_MODEL: 'other', AGENT_MAX_ROUNDS: '3' })).toMatchObject({
    status: 422,
    body: { error: { code: 'setting_locked', details: { keys: ['AGENT_MODEL'] } } },
  });
  expect(await put({ provider: { baseURL: 'https://example.org/v1' } })).toMatchObject({
    status: 422,
    body: { error: { details: { keys: ['AGENT_API_BASE_URL'] } } },
  });
  for (const key of ['AGENT_NOTHING', 'AGENT_API_KEY', 'PORT'])
    expect(await env({ [key]: '1', AGENT_MAX_ROUNDS: '3' })).toMatchObject({
      status: 422,
      body: { error: { code: 'setting_unknown', details: { keys: [key] } } },
    });
  for (const value of ['many', '1.5'])
    expect(await env({ AGENT_MAX_ROUNDS: value, AGENT_YOLO: '1' })).toMatchObject({
      status: 400,
      body: { error: { details: { pointer: '/harness/env/AGENT_MAX_ROUNDS' } } },
    });
  const field = async (key: string) => (await body('GET', '/api/settings')).fields.find((one: any) => one.key === key);
  expect(await field('AGENT_MAX_ROUNDS')).toMatchObject({ source: 'default' });
  for (const [value, end] of [
    ['0', 1],
    ['1001', 1000],
  ] as const) {
    expect(await env({ AGENT_MAX_ROUNDS: value })).toMatchObject({ status: 200, body: { applied: ['AGENT_MAX_ROUNDS'] } });
    expect(await field('AGENT_MAX_ROUNDS')).toMatchObject({ value: end, source: 'preferences' });
  }
  await env({ AGENT_MAX_ROUNDS: null });
  expect(await field('AGENT_MAX_ROUNDS')).toEqual({
    ...{ key: 'AGENT_MAX_ROUNDS', tab: 'harness', group: 'agent', label: 'Rounds per turn', description: expect.any(String), kind: 'integer' },
    ...{ minimum: 1, maximum: 1000, default: 128, value: 128, source: 'default', locked: false, sensitive: false, restart: false },
    ...{ rank: expect.any(Number), words: expect.any(String) },
  });
  expect(await field('AGENT_MODEL')).toMatchObject({ value: 'scripted', source: 'environment', locked: true });
  expect(await field('AGENT_YOLO')).toMatchObject({ kind: 'boolean', value: false });
  expect(await field('AGENT_UI_VERBOSITY')).toMatchObject({ kind: 'enum', values: ['quiet', 'normal'] });

  expect((await env({ AGENT_MAX_ROUNDS: '3', AGENT_PLUGIN_DIR: '/tmp' })).body).toEqual({
    ok: true,
    applied: ['AGENT_MAX_ROUNDS', 'AGENT_PLUGIN_DIR'],
    restartNeeded: ['AGENT_PLUGIN_DIR'],
  });
  expect(JSON.parse(await readFile(join(harness.home, '.agent_runtime_prefs.json'), 'utf8')).harness.env).toEqual({
    AGENT_MAX_ROUNDS: '3',
    AGENT_PLUGIN_DIR: '/tmp',
  });
  expect((await put({ provider: { inferenceMode: 'byok' } })).body.applied).toEqual(['provider.inferenceMode']);
  expect((await body('GET', '/api/settings')).provider.inferenceMode).toBe('byok');
  await env({ AGENT_MAX_ROUNDS: null });
  expect(await field('AGENT_MAX_ROUNDS')).toMatchObject({ value: 128, source: 'default' });
});

test('plugins, tools and usage name the plugin of each entry', async () => {
  const { plugins } = await body('GET', '/api/plugins');
  // Plugins without a license are locked.
  const locked = plugins.filter(({ state }: any) => state === 'locked');
  for (const plugin of locked) expect(plugin).toMatchObject({ origin: 'builtin', entitlement: expect.any(String), reason: expect.any(String) });
  for (const { runningTaps = [], isFixed, ...plugin } of plugins.filter((one: any) => !locked.includes(one))) {
    if (plugin.origin === 'platform') expect(isFixed).toBe(true);
    expect(plugin).toEqual({
      name: expect.any(String),
      origin: expect.stringMatching(/platform|builtin/),
      state: 'active',
      bootMs: expect.any(Number),
      adds: expect.any(Array),
    });
    // The server may still be warming up.
    for (const tap of runningTaps) expect(tap).toEqual({ hook: 'server.idle', ms: expect.any(Number), isLeft: false });
  }
  expect(await api.call('PUT', '/api/plugins/agent', { disabled: true })).toMatchObject({ status: 400 });
  expect(await api.call('PUT', '/api/plugins/nobody', { disabled: true })).toMatchObject({ status: 404 });
  const { tools } = await body('GET', '/api/tools');
  expect(tools.find((tool: any) => tool.name === 'run_command')).toEqual({
    ...{ name: 'run_command', family: expect.any(String), plugin: 'shell', description: expect.any(String), effects: expect.arrayContaining(['execute']) },
    visible: true,
  });
  expect((await api.call('GET', '/api/tools?chatId=nobody')).status).toBe(404);

  model.push({ text: 'a', usage: { input: 7, output: 2, cached: 3, cost: 0.5 } }, { text: 'b' });
  const first = await runTurn(harness, 'one');
  const { turnId } = await runTurn(harness, 'two');
  const { chatId } = await body('GET', '/api/workspace/current');
  const usage = await body('GET', `/api/usage?chatId=${chatId}&since=2020-01-01`);
  const sums = { calls: 2, input: 17, output: 7, cached: 3, cost: 0.5 };
  expect(usage).toMatchObject({ totals: sums, byChat: { [chatId]: sums }, byPurpose: { chat: sums }, byPlugin: { agent: sums } });
  expect(usage.byTurn).toEqual({
    [first.turnId]: { calls: 1, input: 7, output: 2, cached: 3, cost: 0.5 },
    [turnId]: { calls: 1, input: 10, output: 5, cached: 0, cost: 0 },
  });
  expect(await body('GET', '/api/usage?since=2999-01-01')).toMatchObject({ rows: [], byTurn: {} });
  expect((await api.call('GET', '/api/usage?since=yesterday')).status).toBe(400);
});
