// Registers transcription, which stores recordings of chats and converts them to text, for dictation and for the agent.
import { lazy } from '#lib/async';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/voice/audio-engines';
import type {} from 'agent-harness/builtins/voice/transcription';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/builtins/tools/files';
import type {} from 'agent-harness/builtins/tools/web';
import type {} from 'agent-harness/plugins/agent';
import { createClips } from './clips.ts';
import { transcriptionConfig } from './config.ts';
import { errors, type MakeError } from './errors.ts';
import { transcriptionRoutes } from './routes.ts';
import { transcribeTool } from './tool.ts';
import { transcriptionEvent } from './wire-events.ts';

export const manifest = {
  name: 'transcription',
  requires: ['audioEngines', 'chats', 'storage'],
  optional: ['attachments', 'webFiles', 'workspaceFiles'],
  events: ['transcription'],
  config: transcriptionConfig,
  errors,
} as const satisfies PluginManifest;

const configFields = Type.Object({
  transcribeEnabled: Type.Boolean(),
  dictationWebSpeech: Type.Boolean(),
  dictationAudioCue: Type.Boolean(),
  transcribeMaxBytes: Type.Integer(),
});

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config: settings, signal } = registry;
  const makeError: MakeError = (...given) => registry.error(...given);
  const clips = createClips({ storage: services.storage, chats: services.chats, makeError });
  const transcriber = lazy(() =>
    import('./open-transcriber.ts').then(({ openTranscriber }) =>
      openTranscriber({
        clips,
        settings,
        chats: services.chats,
        engines: () => services.audioEngines,
        announce: (event) => emitter.emit('transcription', event),
        signal,
      }),
    ),
  );

  registry.add('wire_event', transcriptionEvent);
  emitter.tap('chat.fork', ({ from, to }) => clips.copy(from, to));
  if (settings.isEnabled) {
    registry.add(
      'tool',
      transcribeTool(
        () => services.workspaceFiles,
        async () => {
          const { createTranscribeAudio } = await import('./transcribe-audio.ts');
          return createTranscribeAudio({
            ...{ settings, clips, transcriber, makeError },
            files: () => services.workspaceFiles,
            web: () => services.webFiles,
            attachments: () => services.attachments,
          });
        },
      ),
    );
  }
  for (const route of transcriptionRoutes({ settings, chats: services.chats, clips, transcriber, makeError })) registry.add('route', route);
  registry.add('reply_section', {
    route: 'GET /api/config',
    name: 'transcription',
    fields: configFields,
    read: () => ({
      transcribeEnabled: settings.isEnabled,
      dictationWebSpeech: settings.hasWebSpeech,
      dictationAudioCue: settings.hasAudioCue,
      transcribeMaxBytes: settings.maxBytes,
    }),
  });
}

declare module 'agent-harness/plugins/http' {
  interface ReplyFields {
    'GET /api/config transcription': typeof configFields;
  }
}
