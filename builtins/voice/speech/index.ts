// Registers speech: texts as audio, replies that are read aloud while they are written, and the tool `speak`.
import { lazy } from '#lib/async';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/voice/audio-engines';
import type {} from 'agent-harness/builtins/voice/speech';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/schedule';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/stream';
import type {} from 'agent-harness/plugins/tools';
import { createSpeakTool } from './calls/speak-tool.ts';
import { speakerRoutes } from './calls/speaker-routes.ts';
import { ttsRoute } from './calls/tts-route.ts';
import { clipRoute } from './clips/clip-route.ts';
import { speechConfig } from './config.ts';
import { errors, type MakeError } from './errors.ts';
import type { SpeechCode } from './open-speech.ts';
import { speechEvents } from './wire-events.ts';

export const manifest = {
  name: 'speech',
  requires: ['audioEngines', 'chats', 'storage', 'turns'],
  optional: ['stream'],
  events: ['speak', 'speak_failed', 'speaker'],
  config: speechConfig,
  errors,
} as const satisfies PluginManifest;

const configFields = Type.Object({ ttsEnabled: Type.Boolean(), ttsVoice: Type.String() });

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config: settings, signal } = registry;
  const { chats, storage } = services;
  const makeError: MakeError = (...given) => registry.error(...given);
  const isRead = (chatId: string): boolean => services.stream?.isRead(chatId) ?? true;
  const warn = (message: string): void => registry.log.warn(message);
  const engines = (): typeof services.audioEngines => services.audioEngines;
  let opened: SpeechCode | undefined;
  const open = async (): Promise<SpeechCode> =>
    (opened = (await import('./open-speech.ts')).openSpeech({ settings, engines, chats, storage, emitter, makeError, isRead, warn }));
  const code = lazy(() => open());
  registry.defer(() => opened?.replies.close(), 'replies that are read aloud');

  for (const event of speechEvents) registry.add('wire_event', event);
  const parts = { settings, chats, storage, code, makeError, signal, turns: () => services.turns };
  registry.add('route', ttsRoute(parts));
  registry.add('route', clipRoute(parts));
  for (const route of speakerRoutes(parts)) registry.add('route', route);
  if (settings.isEnabled) registry.add('tool', createSpeakTool(code, makeError));
  registry.add('reply_section', {
    route: 'GET /api/config',
    name: 'speech',
    fields: configFields,
    read: () => ({ ttsEnabled: settings.isEnabled, ttsVoice: settings.voice }),
  });

  registry.add('job', {
    name: 'sweep-speech',
    when: { cron: '23 4 * * *' },
    async run({ signal: ending }) {
      const { sweepClips } = await import('./clips/sweep-clips.ts');
      await sweepClips({ storage, chats, onGone: (chatId, file) => opened?.store.gone(chatId, file) }, ending);
    },
  });
  emitter.tap('turn.before', (turn) => {
    if (turn.isRoot) opened?.replies.turnBegins(turn);
  });
  emitter.tap('prompt.build', (prompt, turn) => opened?.replies.tell(prompt, turn));
  emitter.tap('session.reset', ({ chatId }) => opened?.replies.forget(chatId));
  emitter.tap('chat.close', async (chatId) => {
    if (!opened) return;
    opened.replies.end(chatId);
    opened.maker.end(chatId);
    await opened.store.idle();
    opened.store.forget(chatId);
  });
}

declare module 'agent-harness/plugins/http' {
  interface ReplyFields {
    'GET /api/config speech': typeof configFields;
  }
}
