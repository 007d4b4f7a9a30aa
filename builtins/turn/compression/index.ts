// Registers compression: when the context window fills up, requests contain older rounds as short lines or as a digest.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/turn/compression';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import { createCompressor } from './compressor.ts';
import { contextRoute } from './route.ts';
import { settingsSchema } from './settings-schema.ts';
import { wireEvents } from './wire-events.ts';

export const manifest = {
  name: 'compression',
  requires: ['storage', 'chats', 'models', 'tools', 'artifacts', 'turns'],
  events: ['context_notice', 'context_compressed'],
  config: settingsSchema,
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config, signal, log } = registry;
  for (const event of wireEvents) registry.add('wire_event', event);
  const compressor = createCompressor({ services, config, signal, log, emitter });
  registry.defer(() => compressor.close(), 'digests being written');

  // Runs after all other taps, so that the measured prompt is the one that is sent.
  emitter.tap('prompt.build', (prompt, turn) => compressor.build(prompt, turn), { order: 'post' });
  emitter.tap('model.request', (request, turn) => compressor.limitReply(request, turn), { order: 'post' });
  emitter.tap('context.overflow', (turn, overflow) => compressor.learn(turn, overflow));
  emitter.hook('context.shorten', 'waterfall');
  emitter.on('usage', (usage) => compressor.noteUsage(usage));
  emitter.on('subtask_end', ({ taskId }) => compressor.endTask(taskId));
  emitter.tap('session.reset', ({ chatId }) => compressor.reset(chatId));
  emitter.tap('entry.removed', ({ chatId }) => compressor.reset(chatId));
  emitter.tap('entry.restored', ({ chatId }) => compressor.reset(chatId));
  emitter.tap('chat.fork', ({ from, to }) => compressor.fork(from, to));
  emitter.tap('chat.close', (chatId) => compressor.forget(chatId));
  registry.add('slash_command', {
    name: 'compact',
    permission: 'chats.write',
    summary: 'Shortens the older part of this chat now, or before the next request if a turn is running.',
    run: async ({ chatId }) => compressor.compact(await services.chats.peek(chatId)),
  });
  registry.add('route', contextRoute({ chats: services.chats, view: (chat) => compressor.view(chat) }));
}
