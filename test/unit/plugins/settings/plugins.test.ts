// Tests the plugin list and enabling and disabling plugins.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plugin, type Rig } from './fake-platform.ts';
import { startSettingsRig } from './settings-rig.ts';

let rig: Rig;

const builtins = {
  ...plugin('painter', {}, (registry, emitter) => {
    registry.add('settings_tab', { id: 'paint', title: 'Paint' });
    emitter.on('kernel_ready', () => undefined);
    registry.defer(() => undefined, 'brush');
  }),
  ...plugin('gated', { entitlement: 'pro.cloud_sync' }),
  ...plugin('other', {}),
};
const rowOf = async (name: string): Promise<any> => (await rig.call('GET', '/api/plugins')).body.plugins.find((row: { name: string }) => row.name === name);
const savedOff = async (): Promise<unknown> => JSON.parse(await readFile(join(rig.home, '.agent_runtime_prefs.json'), 'utf8')).plugins.disabled;

test('lists a plugin with state, reason and contributions', async () => {
  rig = await startSettingsRig({ builtins });
  expect(await rowOf('painter')).toEqual({
    name: 'painter',
    origin: 'builtin',
    state: 'active',
    bootMs: expect.any(Number),
    adds: ['settings_tab:paint'],
  });
  expect(await rowOf('gated')).toMatchObject({ state: 'locked', entitlement: 'pro.cloud_sync', reason: expect.stringContaining('pro.cloud_sync') });
  const { bootMs } = await rowOf('painter');
  expect(Math.round(bootMs * 10) / 10).toBe(bootMs);
});

test('a disabled plugin unloads immediately and the setting is saved, and enabling loads it again', async () => {
  rig = await startSettingsRig({ builtins });
  const off = await rig.call('PUT', '/api/plugins/painter', { disabled: true });
  expect(off).toMatchObject({ status: 200, body: { ok: true, plugin: { name: 'painter', state: 'disabled', adds: [] } } });
  expect((await rig.call('GET', '/api/settings')).body.tabs).not.toContainEqual({ id: 'paint', title: 'Paint' });
  expect(await savedOff()).toEqual(['painter']);
  const on = await rig.call('PUT', '/api/plugins/painter', { disabled: false });
  expect(on.body.plugin.state).toBe('active');
  expect(await savedOff()).toEqual([]);
});

test('plugins disabled elsewhere stay disabled', async () => {
  rig = await startSettingsRig({ builtins, disabled: ['other'] });
  await rig.call('PUT', '/api/plugins/painter', { disabled: true });
  expect((await rowOf('other')).state).toBe('disabled');
  expect(await savedOff()).toEqual(['painter']);
  await rig.call('PUT', '/api/plugins/other', { disabled: false });
  expect((await rowOf('other')).state).toBe('active');
  expect((await rowOf('painter')).state).toBe('disabled');
});

test('a plugin that fails when enabled again emits an error', async () => {
  const broken = plugin('broken', {}, () => {
    throw new Error('no luck');
  });
  rig = await startSettingsRig({ builtins: broken });
  const errors: object[] = [];
  rig.kernel.emitter.on('error', (error) => void errors.push(error));
  await rig.call('PUT', '/api/plugins/broken', { disabled: true });
  expect(errors).toEqual([]);
  await rig.call('PUT', '/api/plugins/broken', { disabled: false });
  expect(errors).toMatchObject([{ source: 'plugin', plugin: 'broken', message: expect.stringContaining('no luck') }]);
});

test('disabling a platform plugin is rejected, and an unknown plugin returns 404', async () => {
  rig = await startSettingsRig({ builtins });
  expect(await rig.call('PUT', '/api/plugins/settings', { disabled: true })).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  expect(await rig.call('PUT', '/api/plugins/nobody', { disabled: true })).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect((await rig.call('PUT', '/api/plugins/painter', { disabled: true, more: 1 })).status).toBe(400);
});

test('a reload without a plugin folder is rejected', async () => {
  rig = await startSettingsRig({ builtins });
  expect(await rig.call('POST', '/api/plugins/reload', {})).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
});
