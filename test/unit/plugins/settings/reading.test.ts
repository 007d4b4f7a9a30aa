// Tests the replies of the settings page, the plugin list and the configuration.
import { expect, test } from 'vitest';
import { plugin, type Rig } from './fake-platform.ts';
import { startSettingsRig } from './settings-rig.ts';

let rig: Rig;

const fieldsByKey = async (): Promise<Record<string, any>> => {
  const { body } = await rig.call('GET', '/api/settings');
  return Object.fromEntries(body.fields.map((field: { key: string }) => [field.key, field]));
};

test('fields contain kind, range, choices, default, value and source', async () => {
  rig = await startSettingsRig({ environment: { AGENT_PROFILE: 'bold' }, preferences: { AGENT_APPROVAL_TIMEOUT_MS: '20000' } });
  const fields = await fieldsByKey();
  expect(fields['AGENT_APPROVAL_TIMEOUT_MS']).toEqual({
    key: 'AGENT_APPROVAL_TIMEOUT_MS',
    tab: 'safety',
    group: 'variables',
    label: 'A title',
    description: 'A sentence.',
    kind: 'integer',
    minimum: 10_000,
    maximum: 600_000,
    default: 120_000,
    value: 20_000,
    source: 'preferences',
    locked: false,
    sensitive: false,
    restart: false,
  });
  expect(fields['AGENT_PROFILE']).toMatchObject({ kind: 'enum', values: ['calm', 'bold'], value: 'bold', source: 'environment', locked: true });
  expect(fields['AGENT_YOLO']).toMatchObject({ kind: 'boolean', default: false, value: false, source: 'default' });
  expect(fields['AGENT_SHARE']).toMatchObject({ kind: 'number', label: 'Share' });
  expect(fields['AGENT_PLUGIN_DIR']).toMatchObject({ kind: 'string', restart: true, tab: 'advanced' });
  expect(fields['AGENT_UI_VERBOSITY']).toMatchObject({ tab: 'session_ui', values: ['quiet', 'normal'], value: 'normal' });
});

test('variables without a tab are not listed, and a secret never includes its value', async () => {
  rig = await startSettingsRig({ environment: { AGENT_API_KEY: 'sk-one', AGENT_SHOWN_KEY: 'sk-two' } });
  const reply = await rig.call('GET', '/api/settings');
  const fields = await fieldsByKey();
  expect(fields).not.toHaveProperty('PORT');
  expect(fields).not.toHaveProperty('AGENT_API_KEY');
  expect(fields['AGENT_SHOWN_KEY']).toMatchObject({ sensitive: true, value: null, default: null });
  expect(JSON.stringify(reply.body)).not.toMatch(/sk-one|sk-two/);
  expect(reply.body.provider).toEqual({
    model: 'first-model',
    baseURL: 'https://models.example',
    apiKeyConfigured: true,
    inferenceMode: 'auto',
    route: 'none',
  });
});

test('plugins add tabs and provider fields, and a field of an unknown tab appears under advanced', async () => {
  const extra = plugin('extra', {}, (registry, emitter) => {
    registry.add('settings_tab', { id: 'garden', title: 'Garden' });
    emitter.tap('settings.provider', (provider) => ({ ...provider, route: 'demo' }));
  });
  rig = await startSettingsRig({ builtins: extra });
  const { body } = await rig.call('GET', '/api/settings');
  expect(body.tabs.map((tab: { id: string }) => tab.id)).toEqual(
    ['models_api', 'session_ui', 'memory_vault', 'web_research', 'safety', 'harness', 'advanced', 'garden'], // prettier-ignore
  );
  expect(body.provider.route).toBe('demo');
  expect((await fieldsByKey())['AGENT_AT_START']).toMatchObject({ tab: 'advanced' });
});

test('a plugin with a missing service has no fields', async () => {
  const config = { type: 'object', properties: { isOn: { type: 'boolean', default: true, env: 'AGENT_LONELY', tab: 'safety' } } };
  rig = await startSettingsRig({ builtins: plugin('lonely', { requires: ['nobody' as never], config }) });
  expect(rig.kernel.control.fields().map(({ key }) => key)).toContain('AGENT_LONELY');
  expect(await fieldsByKey()).not.toHaveProperty('AGENT_LONELY');
});

test('rejects a duplicate tab and an invalid tab id', async () => {
  const twice = plugin('twice', {}, (registry) => void registry.add('settings_tab', { id: 'safety', title: 'Mine' }));
  const odd = plugin('odd', {}, (registry) => void registry.add('settings_tab', { id: 'No Name', title: 'Mine' }));
  rig = await startSettingsRig({ builtins: { ...twice, ...odd } });
  const { body } = await rig.call('GET', '/api/plugins');
  expect(body.plugins.find((row: { name: string }) => row.name === 'twice')).toMatchObject({ state: 'failed' });
  expect(body.plugins.find((row: { name: string }) => row.name === 'odd')).toMatchObject({ state: 'failed' });
});

test('the configuration contains all its own fields', async () => {
  rig = await startSettingsRig({ preferences: { AGENT_UI_VERBOSITY: 'quiet' } });
  const { body } = await rig.call('GET', '/api/config');
  expect(body).toMatchObject({
    webAuthToken: 'secret-token',
    productName: 'Agent Harness',
    version: '9.9.9',
    uiVerbosity: 'quiet',
  });
  expect(body.plugins).toContainEqual({ name: 'settings', origin: 'platform', state: 'active' });
  expect(rig.routes.get('GET /api/config')).toMatchObject({ auth: 'open', waitsForReady: true, takesSections: true });
});

test('an anonymous remote caller gets 401, and a remote caller gets no token', async () => {
  rig = await startSettingsRig();
  const stranger = await rig.call('GET', '/api/config', undefined, { principal: undefined, isLocal: false });
  expect(stranger).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
  const device = await rig.call('GET', '/api/config', undefined, { isLocal: false });
  expect(device.status).toBe(200);
  expect(device.body).not.toHaveProperty('webAuthToken');
  const local = await rig.call('GET', '/api/config', undefined, { principal: undefined, isLocal: true });
  expect(local.body.webAuthToken).toBe('secret-token');
});

test('kernel events reach clients without being journaled, and recent errors also reach later clients', async () => {
  rig = await startSettingsRig();
  for (const name of ['settings_changed', 'plugin_changed']) expect(rig.wireEvents.get(name)).toMatchObject({ keep: 'live' });
  expect(rig.wireEvents.get('error')).toMatchObject({ keep: 'newest' });
});
