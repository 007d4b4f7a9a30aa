// Tests the default configuration fields of features that are not installed, and their override by a plugin with the feature.
import * as Type from 'typebox';
import { expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

let harness: Harness;

test('the configuration and the reset reply contain default values for missing features', async () => {
  harness = await startHarness({ builtins: ['absent-features', 'model-demo'] });
  expect((await harness.call('GET', '/api/config')).body).toMatchObject({
    ...{ personaBootstrapEnabled: false, personaBootstrapPending: false, personaBootstrapAllowSkip: true, personaUiTheme: null, personaDisplayLabel: '' },
    ...{ heartbeatEnabled: false, heartbeatUiStrip: false, dictationWebSpeech: false, dictationAudioCue: false },
    ...{ transcribeEnabled: false, ttsEnabled: false, ttsVoice: 'af_sky' },
  });
  const { body } = await harness.call('POST', '/api/session/reset', { mode: 'soft' });
  expect(body).toEqual({ ok: true, mode: 'soft', personaBootstrapPending: false });
});

test('a plugin with the feature overrides the default values', async () => {
  const fields = Type.Object({ ttsEnabled: Type.Boolean(), ttsVoice: Type.String() });
  const voice = {
    register: (registry: any) =>
      registry.add('reply_section', { route: 'GET /api/config', name: 'voice', fields, read: () => ({ ttsEnabled: true, ttsVoice: 'own' }) }),
  };
  harness = await startHarness({ builtins: ['absent-features', 'model-demo'], modules: { voice } });
  expect((await harness.call('GET', '/api/config')).body).toMatchObject({ ttsEnabled: true, ttsVoice: 'own', transcribeEnabled: false });
});

test('without the plugin, the configuration contains none of these fields', async () => {
  harness = await startHarness({ builtins: ['model-demo'] });
  expect(JSON.stringify((await harness.call('GET', '/api/config')).body)).not.toMatch(/persona|heartbeat|dictation|tts/);
});
