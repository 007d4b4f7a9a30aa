import { expect, test } from 'vitest';
import { loadTestKernel } from '../../helpers/test-kernel.ts';

const schema = {
  type: 'object',
  properties: {
    port: { type: 'integer', default: 3001, minimum: 1, maximum: 100, env: 'T_PORT', apply: 'live' },
    mode: { enum: ['a', 'b'], default: 'a', env: 'T_MODE' },
    on: { type: 'boolean', default: false, env: 'T_ON', apply: 'restart' },
    key: { type: 'string', env: 'T_KEY', secret: true },
    dir: { type: 'string', pattern: '^/', env: 'T_DIR' },
    inner: { type: 'number', default: 0.5 },
  },
} as any;

async function resolveConfig(kernel: object) {
  let config: any;
  let registered = 0;
  const loaded = await loadTestKernel(
    {
      one: {
        manifest: { config: schema },
        register: (registry) => {
          registered++;
          config = registry.config;
        },
      },
    },
    { kernel },
  );
  return { ...loaded, config: () => config, registered: () => registered };
}

test('environment beats preferences, they beat .env, it beats the default; empty is unset', async () => {
  const { config, kernel, close } = await resolveConfig({
    environment: { T_PORT: '7', T_MODE: '' },
    preferences: { T_PORT: '8', T_MODE: 'b', T_KEY: 'from preferences' },
    dotenv: { T_MODE: 'a', T_KEY: 'secret', T_ON: '1' },
  });
  expect(config()).toEqual({ port: 7, mode: 'b', on: true, key: 'secret', inner: 0.5 });
  const fields = Object.fromEntries(kernel.control.fields().map((field) => [field.key, field]));
  expect(fields['T_PORT']).toMatchObject({ source: 'environment', locked: true, value: 7, plugin: 'one' });
  expect(fields['T_MODE']).toMatchObject({ source: 'preferences', locked: false });
  expect(fields['T_ON']).toMatchObject({ source: 'environment', locked: false });
  expect(fields['T_KEY']).toMatchObject({ isSet: true });
  expect(fields['T_KEY']).not.toHaveProperty('value');
  await close();
});

test('out of range is clamped, unreadable falls back to the default, both are reported', async () => {
  const { config, report, close } = await resolveConfig({ environment: { T_PORT: '500', T_MODE: 'c', T_ON: 'maybe' } });
  expect(config()).toMatchObject({ port: 100, mode: 'a', on: false });
  expect(report.warnings).toEqual(['T_PORT: 500 is out of range; 100 is used.', 'T_MODE: must be one of a, b.', 'T_ON: must be 0 or 1.']);
  await close();
});

test('an unreadable value without a default fails that plugin only', async () => {
  const { state, reason, close } = await resolveConfig({ environment: { T_DIR: 'relative' } });
  expect(state('one')).toBe('failed');
  expect(reason('one')).toContain("T_DIR of plugin 'one' is not valid: must match ^/");
  await close();
});

test('a live value changes in place, a reload value registers the plugin again, a restart value waits', async () => {
  const { config, kernel, registered, close } = await resolveConfig({});
  const first = config();
  const changed: unknown[] = [];
  kernel.emitter.on('settings_changed', ({ keys }) => changed.push(keys));
  await kernel.control.setPreferences({ T_PORT: '9', T_ON: '1' });
  expect(first.port).toBe(9);
  expect(first.on).toBe(false);
  expect(registered()).toBe(1);
  await kernel.control.setPreferences({ T_PORT: '9', T_ON: '1', T_MODE: 'b' });
  expect(registered()).toBe(2);
  expect(config()).toMatchObject({ port: 9, mode: 'b' });
  expect(changed).toEqual([['T_PORT', 'T_ON'], ['T_MODE']]);
  await close();
});

test('a failed plugin comes up once its setting is mended', async () => {
  const { kernel, state, close } = await resolveConfig({ preferences: { T_DIR: 'relative' } });
  expect(state('one')).toBe('failed');
  await kernel.control.setPreferences({ T_DIR: '/absolute' });
  expect(state('one')).toBe('active');
  await close();
});

test('a text is checked before it is saved', async () => {
  const { kernel, close } = await resolveConfig({});
  expect(kernel.control.checkValue('T_PORT', '7')).toBeUndefined();
  expect(kernel.control.checkValue('T_PORT', '700')).toBeUndefined();
  expect(kernel.control.checkValue('T_PORT', 'many')).toContain('must be a number');
  expect(kernel.control.checkValue('T_PORT', 'x')).toBe('must be a number.');
  expect(kernel.control.checkValue('T_PORT', '1.5')).toBe('must be a whole number.');
  expect(kernel.control.checkValue('UNKNOWN', 'x')).toBeUndefined();
  await close();
});
