// Registers hosted audio: transcription and speech through the audio routes of the configured provider or of a separate address.
import { join } from 'node:path';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/voice/audio-engines';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/storage';
import { hostedConfig } from './config.ts';
import { errors } from './errors.ts';
import { createHostedEndpoint } from './hosted-endpoint.ts';

export const manifest = {
  name: 'audio-hosted',
  requires: ['audioEngines', 'models', 'product', 'storage'],
  config: hostedConfig,
  errors,
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services, config: settings } = registry;
  const models = (): typeof services.models => services.models;

  const ears = createHostedEndpoint(settings, models, () => settings.transcribeKey);
  registry.add('audio_engine', {
    ...{ kind: 'transcription', name: 'provider', title: 'The provider', place: 'provider', rank: 10 },
    state: ears.state,
    goesTo: ears.host,
    variant: () => settings.transcribeModel,
    async load() {
      const [{ createHostedTranscription }, { createWireMemory }] = await Promise.all([
        import('./transcription/hosted-transcription.ts'),
        import('./transcription/wire-memory.ts'),
      ]);
      const wires = createWireMemory(join(services.product.home, 'audio_wires.json'), services.storage, (message) => registry.log.warn(message));
      return createHostedTranscription({ settings, place: ears, wires, models, makeError: (...given) => registry.error(...given) });
    },
  });

  const mouth = createHostedEndpoint(settings, models);
  registry.add('audio_engine', {
    ...{ kind: 'speech', name: 'provider', title: 'The provider', place: 'provider', rank: 10 },
    state: mouth.state,
    goesTo: mouth.host,
    variant: () => `${settings.speechModel} ${settings.speechFormat}`,
    async load() {
      const { createHostedSpeech } = await import('./speech/hosted-speech.ts');
      return createHostedSpeech({ settings, place: mouth, models, makeError: (...given) => registry.error(...given) });
    },
  });
}
