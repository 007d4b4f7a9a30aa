// Tests unusable settings in a whole server: where the fault is shown, and which operations are rejected.
import { expect, test } from 'vitest';
import { propertiesOf } from '../../../plugins/settings/config-store.ts';
import { openApiCheck } from '../../helpers/api-check.ts';
import { allModules, type Harness, load, runTurn, startHarness } from '../../helpers/in-process.ts';

let harness: Harness;

const environment = {
  AGENT_API_BASE_URL: 'ftp://models.example',
  AGENT_AUDIO_BASE_URL: 'http://a b',
  AGENT_HUB_SITE_URL: 'file:///hub',
  AGENT_BUDGET_USD_PER_DAY: '2,50',
  AGENT_SAFETY_JUDGE: 'yes!',
  AGENT_SANDBOX: 'on',
  AGENT_APPROVAL_TIMEOUT_MS: 'soon',
  AGENT_BROWSER_ALLOWED_HOSTS: 'http://nas',
  AGENT_MAX_ROUNDS: 'many',
};

test('every address, budget, gate and port setting of a plugin is declared as mustFit', async () => {
  const modules = Object.values({ ...(await load(allModules.platform)), ...(await load(allModules.builtin)) });
  const declared = modules.flatMap(({ manifest }) => propertiesOf((manifest as { config?: unknown } | undefined)?.config).map(([, property]) => property));
  const names = declared.flatMap(({ env = '' }) => (env === '' ? [] : [env]));
  expect(names.length).toBeGreaterThan(150);
  const watched =
    /(_URL|_ORIGIN|_TEMPLATE|_REGISTRY|_API_KEY|_BASE_URL)$|^(HUB_)?PORT$|BUDGET_USD|_ASK_USD|FETCH_ALLOWED_HOSTS|BROWSER_ALLOWED_HOSTS|_SERVICES$|^AGENT_(SANDBOX|SAFETY_JUDGE|APPROVAL_TIMEOUT_MS)$/;
  /** Read once by a library that reports an invalid value itself. */
  const connections = ['DATABASE_URL', 'NATS_URL', 'SMTP_URL'];
  const faults = declared.filter(({ env = '', mustFit }) => watched.test(env) && mustFit !== true && !connections.includes(env)).map(({ env }) => env);
  expect(faults).toEqual([]);
});

test('the server starts, shows each fault at its field, and rejects a turn with an error that names the setting', async () => {
  harness = await startHarness({ environment });
  const api = await openApiCheck(harness);
  const { body } = await api.call('GET', '/api/settings');
  const shown = Object.fromEntries(body.fields.map((field: { key: string }) => [field.key, field]));
  for (const variable of Object.keys(environment)) {
    expect(shown[variable].warning, variable).toMatch(
      new RegExp(`^${variable}: must be .*\\. (Features that need this setting do not run|The default is used)\\.$`),
    );
    const isKept = variable === 'AGENT_MAX_ROUNDS';
    expect(shown[variable], variable).toMatchObject(isKept ? { source: 'default', value: 128 } : { source: 'environment', value: null });
  }
  const paths = [
    ...['/api/config', '/api/provider', '/api/models', '/api/status', '/api/usage', '/api/plugins', '/api/chats', '/api/views', '/api/views/usage'],
    ...['/api/audio/engines', '/api/hub/account', '/api/hub/inference-status'],
  ];
  const replies = await Promise.all(paths.map(async (path) => [path, (await api.call('GET', path)).status]));
  expect(replies.filter(([, status]) => status !== 200)).toEqual([]);
  expect((await harness.call('GET', '/api/status', undefined, { origin: 'https://other.example' })).status).toBe(403);
  expect((await harness.call('GET', '/api/hub/connect/begin')).body.error.message).toContain('AGENT_HUB_SITE_URL cannot be used');
  const { events } = await runTurn(harness, 'hello');
  expect(JSON.stringify(events)).toContain('AGENT_API_BASE_URL cannot be used: its value must be an http or https address');
});

test('a setting corrected at run time applies immediately', async () => {
  harness = await startHarness();
  const save = (env: object) => harness.call('PUT', '/api/settings', { harness: { env } });
  expect(await save({ AGENT_BUDGET_USD_PER_DAY: '2,50' })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('such as 2.50') } },
  });
  expect(await save({ AGENT_BUDGET_USD_PER_DAY: '-5' })).toMatchObject({ status: 400 });
  expect(await save({ AGENT_API_BASE_URL: 'ftp://x' })).toMatchObject({ status: 400 });
  expect(await save({ AGENT_API_BASE_URL: ' localhost:1/v1/chat/completions?x ' })).toMatchObject({ status: 200 });
  expect((await harness.call('GET', '/api/provider')).body.baseURL).toBe('http://localhost:1/v1');
});

test.each(['abc', '99999', '-1'])('PORT=%s: the server does not listen', async (PORT) => {
  harness = await startHarness({ environment: { PORT }, listen: false });
  await expect(harness.kernel.resolve('http').listen()).rejects.toMatchObject({
    code: 'KRN_ERR_SETTING_UNUSABLE',
    message: expect.stringContaining('PORT cannot be used'),
  });
});
