// Registers text origins: records the texts that a chat reads, and finds them in outgoing calls.
import { lazy } from '#lib/async';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/memory';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/tools';
import type { OpenOrigins } from './create-origins.ts';
import { originOf } from './origin-of.ts';
import { originOfAnnouncement, originOfMessage } from './origin-of-message.ts';
import { createWaitingTexts } from './waiting-texts.ts';

export const manifest = {
  name: 'origins',
  requires: ['eventLog', 'tools'],
  optional: ['notes'],
  provides: ['origins'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const waiting = createWaitingTexts();
  let open: OpenOrigins | undefined;
  const load = lazy(() =>
    import('./create-origins.ts').then(({ createOpenOrigins }) => {
      const { eventLog, tools, notes } = services;
      return (open = createOpenOrigins({ eventLog, tools, waiting, notes }));
    }),
  );
  const forget = (chatId: string): void => {
    waiting.forget(chatId);
    open?.forget(chatId);
  };

  registry.provide('origins', () => ({
    note: waiting.note,
    find: async (place, texts, options) => (await load()).find(place, texts, options),
    trace: async (place, texts, options) => (await load()).trace(place, texts, options),
  }));
  emitter.on('message_accepted', (message) => waiting.note(message.chatId, message.text, originOfMessage(message)));
  emitter.on('ask_user_answered', ({ chatId, askId, answer }) => waiting.note(chatId, answer, { kind: 'user', ref: askId }));
  emitter.on('announcement', (message) => (message.isForModel ? waiting.note(message.chatId, message.text, originOfAnnouncement(message)) : undefined));
  // Runs after the taps that mark outcomes as untrusted. Calls of tasks are not in the journal.
  emitter.tap(
    'tool.after',
    (outcome, { tool, args, turn: { chatId, turnId }, callId, hasRun }) => {
      const isOutside = outcome.isUntrusted === true;
      const text = outcome.ok ? outcome.output : outcome.error;
      if (hasRun) waiting.note(chatId, text, originOf({ tool, name: tool.name, args, isOutside, turnId, callId }));
      return undefined;
    },
    { order: 'post' },
  );
  emitter.tap('session.reset', ({ chatId }) => forget(chatId));
  emitter.tap('chat.close', (chatId) => forget(chatId));
}
