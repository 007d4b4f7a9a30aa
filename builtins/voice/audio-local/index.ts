// Local audio: speech by programs that are installed here. No text and no sound leaves this machine.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/voice/audio-engines';
import type {} from 'agent-harness/plugins/processes';
import { createPrograms } from './programs.ts';
import { speechEngines } from './speech/engines.ts';

export const manifest = {
  name: 'audio-local',
  requires: ['audioEngines', 'processes'],
  config: Type.Object({
    isEnabled: Type.Boolean({
      default: true,
      env: 'AGENT_SPEECH_LOCAL',
      tab: 'harness',
      title: 'Programs for speech',
      description: 'Uses programs of this machine that speak and listen, where no provider does.',
      apply: 'live',
    }),
  }),
  errors: {
    PROGRAM_FAILED: { message: '{program} could not do it: {why}. Try it in a terminal, or choose another engine.', status: 502 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services, config: settings } = registry;
  const programs = createPrograms({ isEnabled: () => settings.isEnabled });
  const parts = { programs, processes: () => services.processes, makeError: registry.error };
  for (const engine of speechEngines(parts)) registry.add('audio_engine', engine);
}
