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
    cap: { type: 'number', default: 0, minimum: 0, maximum: 10, env: 'T_CAP', apply: 'live', mustFit: true },
    place: { type: 'string', default: 'home', env: 'T_PLACE', mustFit: true, normalize: placeOf },
  },
} as any;

function placeOf(text: string): string {
  if (text === 'nowhere') throw new Error('must be a place.');
  return text.trim();
}

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

test('environment overrides preferences, then .env, then the default, and an empty value is unset', async () => {
  const { config, kernel, close } = await resolveConfig({
    environment: { T_PORT: '7', T_MODE: '' },
    preferences: { T_PORT: '8', T_MODE: 'b', T_KEY: 'from preferences' },
    dotenv: { T_MODE: 'a', T_KEY: 'secret', T_ON: '1' },
  });
  expect(config()).toEqual({ port: 7, mode: 'b', on: true, key: 'secret', inner: 0.5, cap: 0, place: 'home' });
  const fields = Object.fromEntries(kernel.control.fields().map((field) => [field.key, field]));
  expect(fields['T_PORT']).toMatchObject({ source: 'environment', locked: true, value: 7, plugin: 'one' });
  expect(fields['T_MODE']).toMatchObject({ source: 'preferences', locked: false });
  expect(fields['T_ON']).toMatchObject({ source: 'environment', locked: false });
  expect(fields['T_KEY']).toMatchObject({ isSet: true });
  expect(fields['T_KEY']).not.toHaveProperty('value');
  await close();
});

test('out-of-range values are clamped, unreadable ones fall back to the default, and both produce a warning', async () => {
  const { config, report, close } = await resolveConfig({ environment: { T_PORT: '500', T_MODE: 'c', T_ON: 'maybe' } });
  expect(config()).toMatchObject({ port: 100, mode: 'a', on: false });
  expect(report.warnings).toEqual([
    'T_PORT: 500 is out of range; 100 is used.',
    'T_MODE: must be one of a, b. The default is used.',
    'T_ON: must be 0 or 1. The default is used.',
  ]);
  await close();
});

test('a live value updates in place, a reload value re-registers the plugin, and a restart value waits', async () => {
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

test('a failed plugin starts after its setting is corrected', async () => {
  const { kernel, state, close } = await resolveConfig({ preferences: { T_DIR: 'relative' } });
  expect(state('one')).toBe('failed');
  await kernel.control.setPreferences({ T_DIR: '/absolute' });
  expect(state('one')).toBe('active');
  await close();
});

test('checkValue returns an error for an unreadable value and clamps out-of-range numbers', async () => {
  const { kernel, close } = await resolveConfig({});
  expect(kernel.control.checkValue('T_PORT', '7')).toBeUndefined();
  expect(kernel.control.checkValue('T_PORT', '700')).toBeUndefined();
  expect(kernel.control.checkValue('T_PORT', 'many')).toContain('must be a number');
  expect(kernel.control.checkValue('T_PORT', 'x')).toBe('must be a number.');
  expect(kernel.control.checkValue('T_PORT', '1.5')).toBe('must be a whole number.');
  expect(kernel.control.checkValue('UNKNOWN', 'x')).toBeUndefined();
  await close();
});

test.each([
  ['T_CAP', 'cap', '2,50', 'must be a number.'],
  ['T_CAP', 'cap', '-1', 'must be from 0 to 10.'],
  ['T_CAP', 'cap', '11', 'must be from 0 to 10.'],
  ['T_PLACE', 'place', 'nowhere', 'must be a place.'],
])('%s: an invalid value of a mustFit setting has no fallback to the default (%s is %s)', async (variable, key, text, why) => {
  const { config, kernel, report, state, close } = await resolveConfig({ environment: { [variable]: text } });
  expect(state('one')).toBe('active');
  expect(() => config()[key]).toThrow(
    expect.objectContaining({ code: 'KRN_ERR_SETTING_UNUSABLE', message: `${variable} cannot be used: its value ${why} Correct ${variable} or remove it.` }),
  );
  expect(report.warnings).toEqual([`${variable}: ${why} Features that need this setting do not run.`]);
  const field = kernel.control.fields().find((one) => one.key === variable);
  expect(field).toMatchObject({ isSet: true, source: 'environment', isUnusable: true });
  expect(field?.value).toBeUndefined();
  expect(kernel.control.checkValue(variable, text)).toBe(why);
  await close();
});

test('a mustFit setting becomes unusable and usable again in place', async () => {
  const { config, kernel, registered, close } = await resolveConfig({});
  const first = config();
  const changed: unknown[] = [];
  kernel.emitter.on('settings_changed', ({ keys }) => changed.push(keys));
  await kernel.control.setPreferences({ T_CAP: 'much' });
  expect(() => first.cap).toThrow('T_CAP cannot be used: its value must be a number.');
  await kernel.control.setPreferences({ T_CAP: '3' });
  expect(first.cap).toBe(3);
  expect(registered()).toBe(1);
  await kernel.control.setPreferences({ T_CAP: '3', T_PLACE: 'nowhere' });
  await kernel.control.setPreferences({ T_CAP: '4', T_PLACE: 'nowhere' });
  expect(registered()).toBe(2);
  expect(() => config().place).toThrow('T_PLACE');
  await kernel.control.setPreferences({});
  expect(config()).toMatchObject({ cap: 0, place: 'home' });
  expect(changed).toEqual([['T_CAP'], ['T_CAP'], ['T_PLACE'], ['T_CAP'], ['T_CAP', 'T_PLACE']]);
  await close();
});

test('a text setting is normalized before use, and a blank result counts as unset', async () => {
  const { config, close } = await resolveConfig({ environment: { T_PLACE: ' away ' } });
  expect(config().place).toBe('away');
  await close();
  const blank = await resolveConfig({ environment: { T_PLACE: '  ' } });
  expect(blank.config().place).toBe('home');
  expect(blank.kernel.control.fields().find(({ key }) => key === 'T_PLACE')).toMatchObject({ isSet: false, source: 'default', value: 'home' });
  await blank.close();
});
