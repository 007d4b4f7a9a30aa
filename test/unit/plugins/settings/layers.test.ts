// Tests setting layers managed by a fleet or team.
import { afterEach, expect, test } from 'vitest';
import type { Disposable } from 'agent-harness/kernel';
import { plugin, type Modules, type Rig } from './fake-platform.ts';
import { envPatch, startSettingsRig } from './settings-rig.ts';

let rig: Rig;
afterEach(async () => {
  expect(rig.logs.filter((line) => line.startsWith('error'))).toEqual([]);
});

interface Fleet {
  readonly modules: Modules;
  set(env: Record<string, string>): void;
  clear(): void;
}

function fleet(first?: Record<string, string>): Fleet {
  let layer: Disposable | undefined;
  let add = (_: Record<string, string>): void => undefined;
  const modules = plugin('fleet', {}, (registry) => {
    add = (env) => void (layer = registry.add('settings_layer', { env }));
    if (first) add(first);
  });
  return { modules, set: (env) => (layer?.dispose(), add(env)), clear: () => void layer?.dispose() };
}

const fieldOf = async (key: string): Promise<any> => (await rig.call('GET', '/api/settings')).body.fields.find((field: any) => field.key === key);
const valueOf = (key: string): unknown => rig.kernel.control.fields().find((field) => field.key === key)?.value;
const put = (env: Record<string, string | null>): ReturnType<Rig['call']> => rig.call('PUT', '/api/settings', envPatch(env));

test('a layer overrides preferences and .env, has the source fleet, and is locked', async () => {
  const team = fleet();
  rig = await startSettingsRig({ builtins: team.modules, dotenv: { AGENT_MODEL: 'of-dotenv' } });
  await put({ AGENT_PROFILE: 'calm', AGENT_SHARE: '0.2' });
  team.set({ AGENT_PROFILE: 'bold', AGENT_MODEL: 'of-the-team' });
  await expect.poll(() => valueOf('AGENT_PROFILE')).toBe('bold');
  expect(await fieldOf('AGENT_PROFILE')).toMatchObject({ value: 'bold', source: 'fleet', locked: true });
  expect(await fieldOf('AGENT_MODEL')).toMatchObject({ value: 'of-the-team', source: 'fleet' });
  expect(await fieldOf('AGENT_SHARE')).toMatchObject({ value: 0.2, source: 'preferences', locked: false });
  const refused = { status: 422, body: { error: { code: 'setting_locked', details: { keys: ['AGENT_PROFILE'] } } } };
  expect(await put({ AGENT_SHARE: '0.3', AGENT_PROFILE: 'calm' })).toMatchObject(refused);
  expect((await put({ AGENT_SHARE: '0.3' })).status).toBe(200);
  expect([valueOf('AGENT_SHARE'), valueOf('AGENT_PROFILE')]).toEqual([0.3, 'bold']);
});

test("removing the layer restores the user's own values", async () => {
  const team = fleet({ AGENT_PROFILE: 'bold', AGENT_SHARE: '7' });
  rig = await startSettingsRig({ builtins: team.modules, preferences: { AGENT_PROFILE: 'calm' } });
  await expect.poll(() => valueOf('AGENT_SHARE')).toBe(1);
  team.set({ AGENT_SHARE: '0.1' });
  await expect.poll(() => valueOf('AGENT_SHARE')).toBe(0.1);
  team.clear();
  await expect.poll(() => valueOf('AGENT_SHARE')).toBe(0.5);
  expect(await fieldOf('AGENT_PROFILE')).toMatchObject({ locked: false });
});

test('the environment overrides the layer', async () => {
  const team = fleet({ AGENT_PROFILE: 'calm', AGENT_SHARE: '0.1' });
  rig = await startSettingsRig({ builtins: team.modules, environment: { AGENT_PROFILE: 'bold' } });
  await expect.poll(() => valueOf('AGENT_SHARE')).toBe(0.1);
  expect(await fieldOf('AGENT_PROFILE')).toMatchObject({ value: 'bold', source: 'environment', locked: true });
});

test('a layer cannot set secrets, environment-only or ephemeral variables', async () => {
  const given = { AGENT_API_KEY: 'stolen', AGENT_SHOWN_KEY: 'x', PORT: '9', AGENT_YOLO: '1', NOBODY: '1', AGENT_SHARE: '0.1' };
  rig = await startSettingsRig({ builtins: fleet(given).modules });
  await expect.poll(() => valueOf('AGENT_SHARE')).toBe(0.1);
  const set = rig.kernel.control.fields().filter((field) => field.isSet);
  expect(set.map(({ key }) => key)).toEqual(['AGENT_SHARE']);
  expect(valueOf('AGENT_YOLO')).toBe(false);
});

test('a layer takes effect only when no turn runs', async () => {
  let isBusy = true;
  const busy = plugin('busy', { errors: { TURN_IN_PROGRESS: { message: 'Wait.', status: 409 } } }, (registry, emitter) => {
    emitter.tap('settings.guard', () => (isBusy ? registry.error('TURN_IN_PROGRESS') : undefined));
    emitter.hook('turn.after', 'series');
  });
  const team = fleet({ AGENT_SHARE: '0.1' });
  rig = await startSettingsRig({ builtins: { ...team.modules, ...busy } });
  await put({ AGENT_PROFILE: 'bold' });
  expect(valueOf('AGENT_SHARE')).toBe(0.5);
  isBusy = false;
  await rig.kernel.emitter.call('turn.after', [{} as never, {} as never]);
  expect(valueOf('AGENT_SHARE')).toBe(0.1);
});
