// Settings and configuration through the real server.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

let harness: Harness;
beforeEach(async () => void (harness = await startHarness({ builtins: ['model-demo'], environment: { AGENT_APPROVAL_TIMEOUT_MS: '60000' } })));
afterEach(async () => void (await harness.close()));

test('the settings page shows fields of every kind with their values', async () => {
  const { status, body } = await harness.call('GET', '/api/settings');
  expect(status).toBe(200);
  const fields = Object.fromEntries(body.fields.map((field: { key: string }) => [field.key, field]));
  expect(fields['AGENT_APPROVAL_TIMEOUT_MS']).toMatchObject({ kind: 'integer', value: 60_000, minimum: 0, source: 'environment', locked: true });
  expect(fields['AGENT_YOLO']).toMatchObject({ kind: 'boolean', value: false, default: false });
  expect(fields['AGENT_PLUGIN_DIR']).toMatchObject({ kind: 'string', value: '' });
  expect(fields).not.toHaveProperty('PORT');
  expect(body.fields.every((field: { label: string; description: string }) => field.label !== '' && field.description !== '')).toBe(true);
  const tabs = new Set(body.tabs.map((tab: { id: string }) => tab.id));
  expect(body.fields.filter((field: { tab: string }) => !tabs.has(field.tab))).toEqual([]);
});

test('a change takes effect and can be taken back with null', async () => {
  expect((await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_UI_VERBOSITY: 'quiet' } } })).body.applied).toEqual(['AGENT_UI_VERBOSITY']);
  expect((await harness.call('GET', '/api/config')).body.uiVerbosity).toBe('quiet');
  expect((await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_UI_VERBOSITY: null } } })).status).toBe(200);
  expect((await harness.call('GET', '/api/config')).body.uiVerbosity).toBe('normal');
});

test('what is refused says why in the form of every error', async () => {
  const locked = await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_APPROVAL_TIMEOUT_MS: '20000' } } });
  expect(locked).toMatchObject({ status: 422, body: { error: { code: 'setting_locked', details: { keys: ['AGENT_APPROVAL_TIMEOUT_MS'] } } } });
  const unknown = await harness.call('PUT', '/api/settings', { harness: { env: { NOBODY: '1' } } });
  expect(unknown).toMatchObject({ status: 422, body: { error: { code: 'setting_unknown', requestId: expect.any(String) } } });
  const wrong = await harness.call('PUT', '/api/settings', { nonsense: true });
  expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
});

test('a page on this machine learns the token from the configuration, and a foreign one learns nothing', async () => {
  const local = await fetch(`${harness.url}/api/config`);
  expect(local.status).toBe(200);
  expect(await local.json()).toMatchObject({ webAuthToken: harness.token, productName: 'Agent Harness', approvalTimeoutMs: 60_000, demoModel: true });
  const foreign = await fetch(`${harness.url}/api/config`, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(foreign.status).toBe(401);
});

test('plugins are listed and can be switched', async () => {
  const { body } = await harness.call('GET', '/api/plugins');
  expect(body.plugins).toContainEqual(expect.objectContaining({ name: 'settings', origin: 'platform', state: 'active' }));
  const off = await harness.call('PUT', '/api/plugins/model-demo', { disabled: true });
  expect(off.body).toMatchObject({ ok: true, plugin: { name: 'model-demo', state: 'disabled' } });
});

test('preferences that do not parse are moved aside and reported, and changes begin anew', async () => {
  const kinds: string[] = [];
  harness.kernel.resolve('eventLog').subscribe((frames) => kinds.push(...frames.map((frame) => frame.kind)));
  await writeFile(join(harness.home, '.agent_runtime_prefs.json'), '{ broken');
  expect((await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_UI_VERBOSITY: 'quiet' } } })).status).toBe(200);
  expect((await readdir(harness.home)).filter((name) => name.startsWith('.agent_runtime_prefs.json.corrupt-'))).toHaveLength(1);
  await vi.waitFor(() => expect(kinds).toEqual(expect.arrayContaining(['error', 'settings_changed'])));
});
