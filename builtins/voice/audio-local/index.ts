// Registers local audio: transcription and speech with installed programs. Text and audio never leave this machine.
import { join } from 'node:path';
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/voice/audio-engines';
import type {} from 'agent-harness/plugins/processes';
import type {} from 'agent-harness/plugins/storage';
import { folderOpener } from './listening/folder-opener.ts';
import { listeners } from './listening/listeners.ts';
import { createPrograms } from './find-speech-programs.ts';
import { speechEngines } from './speech/engines.ts';

export const manifest = {
  name: 'audio-local',
  requires: ['audioEngines', 'processes', 'product'],
  config: Type.Object({
    isEnabled: Type.Boolean({
      default: true,
      env: 'AGENT_SPEECH_LOCAL',
      tab: 'harness',
      title: 'Programs for speech',
      description: 'Uses installed programs for speech if no provider offers it.',
      apply: 'live',
    }),
    whisperModel: Type.String({
      default: '',
      env: 'AGENT_WHISPER_MODEL',
      tab: 'harness',
      title: 'Model of whisper.cpp',
      description: 'Path of the model file (ggml-….bin) for whisper-cli. Empty: the first file in the models folder of the home folder.',
      apply: 'live',
    }),
  }),
  errors: {
    PROGRAM_FAILED: { message: '{program} failed: {why}. Try it in a terminal, or choose another engine.', status: 502 },
    LANGUAGE: { message: "{program} supports only English, not '{language}'. Set a key of a provider, or install whisper.cpp.", status: 422 },
    NEEDS_FFMPEG: { message: '{program} reads WAV files only, and this is {mimeType}. Install ffmpeg, which converts it.', status: 422 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services, config: settings } = registry;
  const programs = createPrograms({ isEnabled: () => settings.isEnabled });
  const parts = { programs, processes: () => services.processes, makeError: registry.error };
  for (const engine of speechEngines(parts)) registry.add('audio_engine', engine);
  const { home } = services.product;
  const ears = { ...parts, settings, openFolder: folderOpener(join(home, 'audio_tmp')), models: join(home, 'models'), refuse: registry.error };
  for (const engine of listeners(ears)) registry.add('audio_engine', engine);
}
