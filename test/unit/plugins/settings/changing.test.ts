// Tests changes of settings: rejection, storage and effect.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plugin, type Rig } from './fake-platform.ts';
import { envPatch, startSettingsRig } from './settings-rig.ts';

let rig: Rig;

const put = (body: unknown): ReturnType<Rig['call']> => rig.call('PUT', '/api/settings', body);
const prefsPath = (): string => join(rig.home, '.agent_runtime_prefs.json');
const prefs = async (): Promise<any> => JSON.parse(await readFile(prefsPath(), 'utf8'));
const valueOf = (key: string): unknown => rig.kernel.control.fields().find((field) => field.key === key)?.value;

test('a change is saved with owner-only permissions, takes effect, and emits settings_changed', async () => {
  rig = await startSettingsRig();
  const announced: unknown[] = [];
  rig.kernel.emitter.on('settings_changed', (payload) => announced.push(payload));
  const reply = await put({
    harness: { env: { AGENT_PROFILE: 'bold' } },
    provider: { model: 'other', baseURL: 'http://127.0.0.1:9/v1', inferenceMode: 'byok' },
  });
  expect(reply.body).toEqual({ ok: true, applied: ['AGENT_PROFILE', 'AGENT_MODEL', 'AGENT_API_BASE_URL', 'provider.inferenceMode'], restartNeeded: [] });
  expect(await prefs()).toEqual({
    harness: { env: { AGENT_PROFILE: 'bold', AGENT_MODEL: 'other', AGENT_API_BASE_URL: 'http://127.0.0.1:9/v1' } },
    provider: { inferenceMode: 'byok' },
  });
  expect((await stat(prefsPath())).mode & 0o777).toBe(0o600);
  expect(valueOf('AGENT_MODEL')).toBe('other');
  expect(announced).toEqual([{ keys: ['AGENT_MODEL', 'AGENT_API_BASE_URL', 'AGENT_PROFILE'] }]);
  expect((await rig.call('GET', '/api/settings')).body.provider).toMatchObject({ inferenceMode: 'byok', model: 'other' });
});

test('null or empty text removes a preference', async () => {
  rig = await startSettingsRig();
  await put(envPatch({ AGENT_PROFILE: 'bold', AGENT_SHARE: '0.7' }));
  expect((await put(envPatch({ AGENT_PROFILE: null, AGENT_SHARE: '' }))).body.applied).toEqual(['AGENT_PROFILE', 'AGENT_SHARE']);
  expect(await prefs()).toEqual({ harness: { env: {} } });
  expect(valueOf('AGENT_PROFILE')).toBe('calm');
});

test('a variable from the environment is locked and rejects the whole patch', async () => {
  rig = await startSettingsRig({ environment: { AGENT_PROFILE: 'bold' } });
  const reply = await put(envPatch({ AGENT_SHARE: '0.7', AGENT_PROFILE: null }));
  expect(reply).toMatchObject({ status: 422, body: { error: { code: 'setting_locked', details: { keys: ['AGENT_PROFILE'] } } } });
  expect(valueOf('AGENT_SHARE')).toBe(0.5);
  await expect(prefs()).rejects.toThrow();
});

test.each(['NOBODY_DECLARES_THIS', 'PORT', 'AGENT_API_KEY', 'AGENT_SHOWN_KEY', 'constructor', 'PATH'])('%s cannot be set through the settings', async (key) => {
  rig = await startSettingsRig({ environment: { AGENT_API_KEY: 'set' } });
  expect(await put(envPatch({ [key]: '1' }))).toMatchObject({ status: 422, body: { error: { code: 'setting_unknown', details: { keys: [key] } } } });
});

test.each([
  ['AGENT_APPROVAL_TIMEOUT_MS', '9999', 10_000],
  ['AGENT_APPROVAL_TIMEOUT_MS', '600001', 600_000],
  ['AGENT_SHARE', '-3', 0],
])('%s=%s is clamped to its range', async (key, value, end) => {
  rig = await startSettingsRig();
  expect(await put(envPatch({ [key]: value }))).toMatchObject({ status: 200, body: { applied: [key] } });
  expect(rig.kernel.control.fields().find((field) => field.key === key)?.value).toBe(end);
  expect(await prefs()).toMatchObject({ harness: { env: { [key]: String(end) } } });
});

test.each([
  ['AGENT_APPROVAL_TIMEOUT_MS', '10000.5'],
  ['AGENT_APPROVAL_TIMEOUT_MS', 'soon'],
  ['AGENT_PROFILE', 'wild'],
  ['AGENT_YOLO', 'perhaps'],
  ['AGENT_PLUGIN_DIR', 'relative/folder'],
  ['AGENT_API_BASE_URL', 'ftp://models.example'],
  ['AGENT_API_BASE_URL', 'https://user:secret@models.example'],
])('%s=%s is rejected with pointer and reason, and the patch is not saved', async (key, value) => {
  rig = await startSettingsRig();
  const reply = await put(envPatch({ AGENT_SHARE: '0.7', [key]: value }));
  expect(reply).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', details: { errors: [{ pointer: `/harness/env/${key}` }] } } } });
  await expect(prefs()).rejects.toThrow();
});

test('the provider section validates its base URL the same way and rejects conflicting values for one variable', async () => {
  rig = await startSettingsRig();
  expect(await put({ provider: { baseURL: 'file:///etc/passwd' } })).toMatchObject({
    status: 400,
    body: { error: { details: { errors: [{ pointer: '/provider/baseURL' }] } } },
  });
  expect((await put({ ...envPatch({ AGENT_MODEL: 'a' }), provider: { model: 'b' } })).status).toBe(400);
});

test.each([
  { nonsense: 1 },
  { harness: { nonsense: 1 } },
  { provider: { apiKey: 'sk' } },
  envPatch({ AGENT_SHARE: 1 as never }),
  { provider: { inferenceMode: 'free' } },
])('rejects the body %j', async (body) => {
  rig = await startSettingsRig();
  expect(await put(body)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
});

test('an ephemeral variable applies to this process and is never written, even by later saves', async () => {
  rig = await startSettingsRig();
  expect((await put(envPatch({ AGENT_YOLO: '1' }))).body).toEqual({ ok: true, applied: ['AGENT_YOLO'], restartNeeded: [] });
  await expect(prefs()).rejects.toThrow();
  await put(envPatch({ AGENT_SHARE: '0.7' }));
  expect(valueOf('AGENT_YOLO')).toBe(true);
  expect(await prefs()).toEqual({ harness: { env: { AGENT_SHARE: '0.7' } } });
  await put(envPatch({ AGENT_YOLO: null }));
  expect(valueOf('AGENT_YOLO')).toBe(false);
});

test('an ephemeral variable in the file has no effect, even after later saves', async () => {
  rig = await startSettingsRig();
  await writeFile(prefsPath(), JSON.stringify({ harness: { env: { AGENT_YOLO: '1' } } }));
  await put(envPatch({ AGENT_SHARE: '0.7' }));
  expect([valueOf('AGENT_YOLO'), valueOf('AGENT_SHARE')]).toEqual([false, 0.7]);
});

test('changing a variable read at startup reports that a restart is needed', async () => {
  rig = await startSettingsRig();
  const patch = envPatch({ AGENT_AT_START: 'x', AGENT_SHARE: '0.7' });
  expect((await put(patch)).body).toMatchObject({ applied: ['AGENT_AT_START', 'AGENT_SHARE'], restartNeeded: ['AGENT_AT_START'] });
  expect((await put(patch)).body.restartNeeded).toEqual([]);
});

test('a guard rejects with its own error before validation', async () => {
  const busy = plugin('busy', { errors: { TURN_IN_PROGRESS: { message: 'Wait.', status: 409 } } }, (registry, emitter) => {
    emitter.tap('settings.guard', () => registry.error('TURN_IN_PROGRESS'));
  });
  rig = await startSettingsRig({ builtins: busy });
  expect(await put(envPatch({ NOBODY: '1' }))).toMatchObject({ status: 409, body: { error: { code: 'turn_in_progress' } } });
  expect((await rig.call('PUT', '/api/plugins/busy', { disabled: true })).status).toBe(409);
});

test('concurrent changes are all saved', async () => {
  rig = await startSettingsRig();
  await Promise.all([
    put(envPatch({ AGENT_SHARE: '0.1' })),
    put({ provider: { model: 'm' } }),
    put(envPatch({ AGENT_PROFILE: 'bold' })),
    put(envPatch({ NOBODY: '1' })),
  ]);
  expect(await prefs()).toEqual({ harness: { env: { AGENT_SHARE: '0.1', AGENT_MODEL: 'm', AGENT_PROFILE: 'bold' } } });
  expect([valueOf('AGENT_SHARE'), valueOf('AGENT_MODEL'), valueOf('AGENT_PROFILE')]).toEqual([0.1, 'm', 'bold']);
});

test('a save preserves unknown content of the file, and an unparsable file is quarantined', async () => {
  rig = await startSettingsRig();
  await writeFile(
    prefsPath(),
    JSON.stringify({ other: 1, harness: { env: { FROM_A_LATER_VERSION: 'x', NUMBER: 5, LIST: ['y'] }, more: 2 }, provider: { inferenceMode: 'managed' } }),
  );
  expect(rig.kernel.resolve('settings').inferenceMode()).toBe('managed');
  await put(envPatch({ AGENT_SHARE: '0.7' }));
  expect(await prefs()).toEqual({
    other: 1,
    harness: { env: { FROM_A_LATER_VERSION: 'x', NUMBER: '5', LIST: ['y'], AGENT_SHARE: '0.7' }, more: 2 },
    provider: { inferenceMode: 'managed' },
  });
  await writeFile(prefsPath(), '{ broken');
  const faults: string[] = [];
  rig.kernel.emitter.on('error', (fault) => faults.push(fault.code));
  expect((await rig.call('GET', '/api/settings')).status).toBe(200);
  expect(faults).toEqual(['STORAGE_ERR_CORRUPT']);
});
