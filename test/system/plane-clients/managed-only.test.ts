// Tests that managed mode without access ends the turn with the reason instead of using an own key or the demo model.
import { expect, onTestFinished, test } from 'vitest';
import { runTurn } from '../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { createSigner, daySeconds, nowSeconds } from '../../unit/plugins/licensing/license-kit.ts';

const signer = createSigner();

async function start(environment: Record<string, string> = {}): Promise<Harness> {
  const harness = await startHarness({
    environment: { AGENT_LICENSE_PUBLIC_KEY: signer.pem, AGENT_CONTROL_PLANE_URL: 'http://127.0.0.1:9', ...environment },
  });
  onTestFinished(async () => void (await harness.close()));
  expect((await harness.call('PUT', '/api/settings', { provider: { inferenceMode: 'managed' } })).status).toBe(200);
  return harness;
}

async function refusal(harness: Harness): Promise<string> {
  const { end, stream } = await runTurn(harness, 'Hello!');
  expect([end['reason'], stream.text()]).toEqual(['error', '']);
  expect(end['error']).toMatchObject({ code: 'not_managed' });
  stream.close();
  return (end['error'] as { message: string }).message;
}
const provider = async (harness: Harness): Promise<any> => (await harness.call('GET', '/api/settings')).body.provider;

test('does not use an own key in managed mode, and uses it again in byok mode', async () => {
  const own = await startScriptedModel([{ text: 'From the own key.', always: true }]);
  onTestFinished(() => own.close());
  const harness = await start({ ...own.environment });
  expect(await refusal(harness)).toMatch(/^Only managed inference is allowed, but it is not available: no account is signed in\. .*'auto' or 'byok'/);
  expect(own.requests).toHaveLength(0);
  expect(await provider(harness)).toMatchObject({ inferenceMode: 'managed', route: 'none', apiKeyConfigured: true });
  await harness.call('PUT', '/api/settings', { provider: { inferenceMode: 'byok' } });
  const { end, stream } = await runTurn(harness, 'Hello!');
  expect([end['reason'], stream.text()]).toEqual(['done', 'From the own key.']);
  expect(await provider(harness)).toMatchObject({ route: 'chat-completions' });
});

test('does not fall back to the demo model', async () => {
  expect(await refusal(await start())).toMatch(/no account is signed in/);
});

test('reports an expired and an invalid license', async () => {
  expect(await refusal(await start({ AGENT_LICENSE_KEY: signer.token({ exp: nowSeconds() - 15 * daySeconds }) }))).toMatch(/The license expired on \d{4}-/);
  expect(await refusal(await start({ AGENT_LICENSE_KEY: createSigner().token() }))).toMatch(/License token is not valid/);
});

test('reports a tier without managed inference and a disabled plugin', async () => {
  expect(await refusal(await start({ AGENT_LICENSE_KEY: signer.token({ tier: 'community' }) }))).toMatch(/the tier community does not include it/);
  const harness = await start({ AGENT_LICENSE_KEY: signer.token({ tier: 'pro' }) });
  await harness.kernel.resolve('license').ready();
  await harness.kernel.control.setDisabled(['managed-inference']);
  expect(await refusal(harness)).toMatch(/the plugin managed-inference is switched off/);
});

test('waits for the plugins of a license that is still being read', async () => {
  const harness = await start({ AGENT_LICENSE_KEY: signer.token({ tier: 'pro' }) });
  await harness.kernel.resolve('license').clear();
  const { end } = await runTurn(harness, 'Hello!');
  expect(end['error']).toMatchObject({ code: 'unreachable' });
});
