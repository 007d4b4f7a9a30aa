// Registers audio engines: selects one engine for transcription and one for speech.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/voice/audio-engines';
import type {} from 'agent-harness/plugins/http';
import { createEngines } from './engines.ts';
import { createEnginesRoute } from './engines-route.ts';

const engineName = (env: string, title: string, does: string): Type.TString =>
  Type.String({
    default: 'auto',
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    env,
    tab: 'harness',
    title,
    description: `The engine that ${does}. auto: the provider if there is a key, otherwise an installed program. GET /api/audio/engines lists the names.`,
    apply: 'live',
  });

export const manifest = {
  name: 'audio-engines',
  provides: ['audioEngines'],
  config: Type.Object({
    transcription: engineName('AGENT_TRANSCRIBE_ENGINE', 'Engine for transcription', 'transcribes speech'),
    speech: engineName('AGENT_TTS_ENGINE', 'Engine for speech', 'speaks'),
  }),
  errors: { NO_ENGINE: { message: 'No engine on this server can {task} now. {why}', status: 503 } },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { service, point } = createEngines({
    chosen: (kind) => registry.config[kind],
    makeError: (reason, details) => registry.error(reason, details),
  });
  registry.provide('audioEngines', () => service);
  registry.point('audio_engine', point);
  registry.add('route', createEnginesRoute(service));
}
