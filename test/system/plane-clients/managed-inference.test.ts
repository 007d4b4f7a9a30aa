// Tests a service without its own key that uses managed inference of a control plane with a scripted provider, over HTTP.
import { expect, onTestFinished, test } from 'vitest';
import { runTurn } from '../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { startScriptedModel, type Script, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { startRig, type Rig } from '../control-plane/plane-inference/kit.ts';

async function start(
  script: Script,
  options: { readonly credits?: number; readonly environment?: Record<string, string>; readonly mode?: string } = {},
): Promise<{ rig: Rig; harness: Harness }> {
  const rig = await startRig(script, options.credits === undefined ? {} : { credits: options.credits });
  const harness = await startHarness({
    environment: {
      AGENT_CONTROL_PLANE_URL: rig.plane.url,
      AGENT_LICENSE_KEY: rig.member.token,
      AGENT_LICENSE_PUBLIC_KEY: await rig.plane.kernel.resolve('planeKeys').publicKey(),
      AGENT_RETRY_MAX_DELAY_MS: '1',
      ...options.environment,
    },
  });
  onTestFinished(async () => void (await harness.close()));
  await expect
    .poll(async () => (await harness.call('GET', '/api/plugins')).body.plugins.find(({ name }: any) => name === 'managed-inference').state)
    .toBe('active');
  if (options.mode) expect((await harness.call('PUT', '/api/settings', { provider: { inferenceMode: options.mode } })).status).toBe(200);
  return { rig, harness };
}

async function turn(harness: Harness, text = 'Hello!'): Promise<{ model: string; end: any; text: string }> {
  const { end, events, stream } = await runTurn(harness, text);
  return { model: events.find(({ kind, turnId }) => kind === 'turn_start' && turnId === end['turnId'])?.['model'], end, text: stream.text() };
}

test('uses the models of the control plane without an own key and charges the wallet', async () => {
  const { rig, harness } = await start([{ text: 'From the plane.', usage: { input: 100, output: 10 } }]);
  expect(await turn(harness)).toMatchObject({ text: 'From the plane.', model: 'scripted', end: { reason: 'done' } });
  const [receipt] = await rig.settled(1);
  expect(receipt).toMatchObject({ amountMicro: 120, purpose: 'chat', basis: 'usage' });
  const { body } = await harness.call('GET', '/api/hub/inference-status');
  expect(body).toMatchObject({ configured: true, entitled: true, remaining: 1 - 0.00012, cap: 1, used: 0.00012 });
  expect((await harness.call('GET', '/api/settings')).body.provider).toMatchObject({ route: 'managed', model: 'scripted', apiKeyConfigured: false });
  expect((await harness.call('GET', '/api/config')).body.demoModel).toBe(false);
});

async function startOwn(): Promise<ScriptedModel> {
  const own = await startScriptedModel([{ text: 'From the own key.', always: true }]);
  onTestFinished(() => own.close());
  return own;
}

test('prefers an own key in auto mode, and follows the managed and byok modes', async () => {
  const own = await startOwn();
  const { harness } = await start([{ text: 'From the plane.', always: true }], { environment: { ...own.environment } });
  const provider = async (): Promise<any> => (await harness.call('GET', '/api/settings')).body.provider;
  expect((await turn(harness)).text).toBe('From the own key.');
  expect(await provider()).toMatchObject({ inferenceMode: 'auto', route: 'chat-completions' });
  await harness.call('PUT', '/api/settings', { provider: { inferenceMode: 'managed' } });
  expect((await turn(harness)).text).toBe('From the plane.');
  expect(await provider()).toMatchObject({ inferenceMode: 'managed', route: 'managed', apiKeyConfigured: true });
  await harness.call('PUT', '/api/settings', { provider: { inferenceMode: 'byok' } });
  expect((await turn(harness)).text).toBe('From the own key.');
  expect((await harness.call('GET', '/api/hub/inference-status')).body).toMatchObject({ configured: false, entitled: true, cap: 1 });
});

test('ends a turn with budget and advice when the credit is used up', async () => {
  const { harness } = await start([], { credits: 0 });
  const { end } = await turn(harness);
  expect(end.reason).toBe('budget');
  expect(end.error.code).toBe('budget');
  expect(end.error.message).toMatch(/0 credits are left.*Ask an owner for a higher cap/);
});

test('renews an inference session that ended during a turn', async () => {
  const { rig, harness } = await start(async ({ index }) => {
    if (index > 0) return { text: 'done' };
    await rig.query('delete from inference_session');
    // The control plane caches a session for one second.
    return { toolCalls: [{ name: 'managed_inference_status' }], until: new Promise((resolve) => setTimeout(resolve, 1_050)) };
  });
  expect(await turn(harness)).toMatchObject({ text: expect.stringContaining('done'), end: { reason: 'done', rounds: 2 } });
  const second = JSON.stringify(rig.model.requests[1]?.body.messages);
  expect(second).toContain('Managed inference is used, with scripted.');
  expect(second).toMatch(/Credits: [\d.]+ of 1 left/);
  expect(await rig.query('select 1 from inference_session')).toHaveLength(1);
});

test('shares one session between concurrent requests and opens another after reconnecting', async () => {
  const { rig, harness } = await start([{ text: 'ok', always: true }]);
  const models = harness.kernel.resolve('models');
  const ask = (): Promise<unknown> =>
    models.complete({ system: '', messages: [{ role: 'user', text: 'x' }], tools: [], maxTokens: 9, purpose: 'title' }, { ms: 10_000, signals: [] });
  await Promise.all(Array.from({ length: 8 }, ask));
  expect(await rig.query('select 1 from inference_session')).toHaveLength(1);
  expect((await rig.settled(8)).map(({ purpose }) => purpose)).toEqual(Array(8).fill('title'));
  expect((await harness.call('POST', '/api/hub/reconnect', {})).status).toBe(200);
  await ask();
  expect(await rig.query('select 1 from inference_session')).toHaveLength(2);
});

test('reports an unreachable control plane and continues with settings, status and an own key', async () => {
  const { rig, harness } = await start([]);
  await rig.plane.kernel.resolve('http').close();
  const { end } = await turn(harness);
  expect(end).toMatchObject({
    reason: 'error',
    error: { code: 'unreachable', message: expect.stringMatching(/Managed inference cannot be reached.*AGENT_API_KEY/) },
  });
  expect((await harness.call('GET', '/api/settings')).status).toBe(200);
  expect((await harness.call('GET', '/api/hub/inference-status')).body).toMatchObject({ configured: true, remaining: null });
  const own = await startOwn();
  expect((await harness.call('POST', '/api/provider/key', { key: 'k', baseURL: own.url, model: 'mine' })).status).toBe(200);
  expect(await turn(harness)).toMatchObject({ text: 'From the own key.', model: 'mine' });
});

test('uses a pinned session token and requests no other session', async () => {
  const rig = await startRig([{ text: 'ok', always: true }]);
  const { body } = await rig.plane.call('POST', '/api/inference/session', { token: rig.member.token, body: {} });
  const harness = await startHarness({
    environment: {
      AGENT_CONTROL_PLANE_URL: rig.plane.url,
      AGENT_LICENSE_KEY: rig.member.token,
      AGENT_LICENSE_PUBLIC_KEY: await rig.plane.kernel.resolve('planeKeys').publicKey(),
      AGENT_INFERENCE_SESSION_TOKEN: body.token,
      AGENT_MODEL: 'scripted',
    },
  });
  onTestFinished(async () => void (await harness.close()));
  await expect.poll(async () => (await turn(harness)).text).toBe('ok');
  expect(await rig.query('select 1 from inference_session')).toHaveLength(1);
});

test('ends the turn with no_model if no model has a price', async () => {
  const { rig, harness } = await start([]);
  await rig.query(`insert into inference_price (model, valid_from, price) values ('scripted', now(), 'null')`);
  await expect.poll(async () => (await harness.call('POST', '/api/hub/reconnect', {})).status).toBe(200);
  const { end } = await turn(harness);
  expect(end).toMatchObject({ reason: 'error', error: { code: 'no_model' } });
});
