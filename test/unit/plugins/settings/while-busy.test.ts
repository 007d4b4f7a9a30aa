// Tests changes during a running turn: rejected, or queued until no turn runs.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEventStream, type EventStream } from '../../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { startScriptedModel, type ScriptedModel } from '../../../helpers/scripted-model.ts';

const builtins = ['model-chat-completions', 'rule-recall'];
let home: string;
let model: ScriptedModel;
let harness: Harness;
let stream: EventStream;
let release: () => void;

const start = async (): Promise<void> => void (harness = await startHarness({ home, builtins, environment: model.environment }));
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'busy-'));
  model = await startScriptedModel([]);
  await start();
});
afterEach(async () => {
  release();
  stream.close();
  expect(await harness.close()).toEqual([]);
  await model.close();
  await rm(home, { recursive: true, force: true });
});

async function beBusy(): Promise<void> {
  const until = new Promise<void>((resolve) => (release = resolve));
  model.push({ text: ['a', 'b'], stallAfter: 1, until });
  stream = await openEventStream(harness, { chatId: 'all' });
  await harness.call('POST', '/api/message', { text: 'Talk' });
  await stream.until('text');
}
const put = (env: Record<string, string | null>, more: object = { whenBusy: 'queue' }) => harness.call('PUT', '/api/settings', { harness: { env }, ...more });
const settings = async (): Promise<any> => (await harness.call('GET', '/api/settings')).body;
const valueOf = async (key: string): Promise<unknown> => (await settings()).fields.find((field: any) => field.key === key)?.value;
const pluginRow = async (name: string): Promise<any> => (await harness.call('GET', '/api/plugins')).body.plugins.find((row: any) => row.name === name);
const inForce = () => stream.until((event) => event.kind === 'settings_pending' && event['keys'].length === 0 && event['plugins'].length === 0);
const nothing = { env: {}, plugins: [], reload: false };

test('rejects a change unless it may be queued, and applies queued changes after the turn', async () => {
  await beBusy();
  expect(await put({ AGENT_MAX_ROUNDS: '7' }, {})).toMatchObject({ status: 409, body: { error: { code: 'turn_in_progress' } } });
  expect(await put({ AGENT_MAX_ROUNDS: '7' })).toMatchObject({
    status: 202,
    body: { ok: true, applied: [], restartNeeded: [], pending: ['AGENT_MAX_ROUNDS'] },
  });
  expect(await stream.until('settings_pending')).toMatchObject({ keys: ['AGENT_MAX_ROUNDS'], plugins: [] });
  await put({ AGENT_UI_VERBOSITY: 'quiet', AGENT_YOLO: '1' });
  expect(await valueOf('AGENT_MAX_ROUNDS')).toBe(128);
  expect((await settings()).pending).toEqual({ ...nothing, env: { AGENT_MAX_ROUNDS: '7', AGENT_UI_VERBOSITY: 'quiet', AGENT_YOLO: '1' } });
  release();
  await inForce();
  expect([await valueOf('AGENT_MAX_ROUNDS'), await valueOf('AGENT_UI_VERBOSITY'), await valueOf('AGENT_YOLO')]).toEqual([7, 'quiet', true]);
  expect((await settings()).pending).toEqual(nothing);
  expect(stream.events.find((event) => event.kind === 'settings_changed')?.['keys']).toContain('AGENT_MAX_ROUNDS');
});

test('rejects an invalid change immediately, busy or not', async () => {
  await beBusy();
  expect((await put({ NOBODY: '1' })).status).toBe(422);
  expect((await put({ AGENT_MAX_ROUNDS: 'many' })).status).toBe(400);
  expect((await put({ AGENT_MAX_ROUNDS: '7' }, { whenBusy: 'steer' })).status).toBe(400);
  expect((await settings()).pending).toEqual(nothing);
});

test('a queued plugin switch and plugin reload run after the turn', async () => {
  await beBusy();
  expect((await harness.call('PUT', '/api/plugins/rule-recall', { disabled: true })).status).toBe(409);
  expect(await harness.call('PUT', '/api/plugins/rule-recall', { disabled: true, whenBusy: 'queue' })).toMatchObject({
    status: 202,
    body: { pending: true, plugin: { name: 'rule-recall', state: 'active', pending: 'off' } },
  });
  expect(await pluginRow('rule-recall')).toMatchObject({ state: 'active', pending: 'off' });
  await mkdir(join(home, 'plugins'), { recursive: true });
  await writeFile(join(home, 'plugins', 'mine.mjs'), 'export function register() {}\n');
  expect((await harness.call('POST', '/api/plugins/reload', {})).status).toBe(409);
  expect(await harness.call('POST', '/api/plugins/reload', { whenBusy: 'queue' })).toMatchObject({ status: 202, body: { pending: true } });
  release();
  await inForce();
  expect(await pluginRow('rule-recall')).toMatchObject({ state: 'disabled' });
  expect(await pluginRow('rule-recall')).not.toHaveProperty('pending');
  expect(await pluginRow('mine')).toMatchObject({ state: 'active', origin: 'user' });
});

test('a queued change applies immediately if no turn runs', async () => {
  await beBusy();
  release();
  await stream.until('turn_end');
  expect(await put({ AGENT_MAX_ROUNDS: '7' })).toMatchObject({ status: 200, body: { applied: ['AGENT_MAX_ROUNDS'] } });
  expect(await valueOf('AGENT_MAX_ROUNDS')).toBe(7);
  expect((await harness.call('PUT', '/api/plugins/rule-recall', { disabled: true, whenBusy: 'queue' })).status).toBe(200);
  expect((await harness.call('POST', '/api/plugins/reload', { whenBusy: 'queue' })).status).toBe(200);
});

test('queued changes survive a restart', async () => {
  await beBusy();
  await put({ AGENT_MAX_ROUNDS: '7' }, { whenBusy: 'queue', provider: { inferenceMode: 'byok' } });
  await harness.call('PUT', '/api/plugins/rule-recall', { disabled: true, whenBusy: 'queue' });
  expect((await settings()).provider.inferenceMode).toBe('auto');
  await harness.close({ keepFiles: true });
  await start();
  expect(await valueOf('AGENT_MAX_ROUNDS')).toBe(7);
  expect((await settings()).provider.inferenceMode).toBe('byok');
  expect(JSON.parse(await readFile(join(home, '.agent_runtime_prefs.json'), 'utf8')).plugins.disabled).toEqual(['rule-recall']);
  expect((await settings()).pending).toEqual(nothing);
});

test('a reload of .env does not apply queued changes', async () => {
  await beBusy();
  await put({ AGENT_MAX_ROUNDS: '7' });
  await writeFile(join(home, '.env'), 'AGENT_UI_VERBOSITY=quiet\n');
  await stream.until((event) => event.kind === 'settings_changed' && event['keys'].includes('AGENT_UI_VERBOSITY'));
  expect([await valueOf('AGENT_UI_VERBOSITY'), await valueOf('AGENT_MAX_ROUNDS')]).toEqual(['quiet', 128]);
  release();
  await inForce();
  expect(await valueOf('AGENT_MAX_ROUNDS')).toBe(7);
});

test('emits an error if a queued change cannot be applied', async () => {
  await beBusy();
  await put({ AGENT_MAX_ROUNDS: '7' });
  await rm(join(home, '.agent_runtime_prefs.json'));
  await mkdir(join(home, '.agent_runtime_prefs.json'));
  release();
  expect(await stream.until((event) => event.kind === 'error' && event['source'] === 'settings')).toMatchObject({
    code: 'SETTINGS_ERR_NOT_IN_FORCE',
  });
  await rm(join(home, '.agent_runtime_prefs.json'), { recursive: true });
});
