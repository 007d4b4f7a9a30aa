// Registers the agent: accepts messages, and runs one turn at a time in each chat, with many chats in parallel.
import type { Emitter, Registry } from 'agent-harness/kernel';
import { createConversations } from './conversations.ts';
import { declareHooks } from './hooks.ts';
import { effortCommand } from './effort-command.ts';
import { modelCommand } from './model-command.ts';
import { recoverTurns, repairMarkers } from './recovery.ts';
import { createAttachments } from './attachments.ts';
import { attachmentRoute } from './attachment-route.ts';
import { createRoutes } from './routes.ts';
import { createTurns } from './turns.ts';
import { listWireEvents } from './wire-events.ts';
import type { manifest } from './manifest.ts';

export { manifest } from './manifest.ts';

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  declareHooks(emitter);
  for (const event of listWireEvents(() => registry.services.tools)) registry.add('wire_event', event);

  const conversations = createConversations(registry.services, (chatId) => turns.isBusy(chatId));
  const turns = createTurns(registry, emitter, conversations);
  const attachments = createAttachments(registry.services);
  registry.provide('turns', () => turns);
  registry.add('slash_command', modelCommand(registry.services));
  registry.add('slash_command', effortCommand({ chats: registry.services.chats, usual: () => registry.config.effort }));
  registry.provide('attachments', () => attachments);
  registry.defer(() => turns.close(), 'running turns');
  for (const route of createRoutes(registry, turns)) registry.add('route', route);
  registry.add(
    'route',
    attachmentRoute({ chats: registry.services.chats, attachments }, (id) => registry.error('NOT_FOUND', { id })),
  );

  emitter.tap('app.start', () => recoverTurns(registry, emitter, turns));
  emitter.tap('server.idle', async () => {
    const { chats, tools } = registry.services;
    await turns.warmUp();
    if (chats.activeId === undefined) return;
    await conversations.open(chats.activeId);
    tools.visible(chats.activeId);
  });
  emitter.tap('app.stop', () => turns.close(), { order: 'pre' });
  emitter.tap('chat.rebuild', async (repairs) => [...repairs, ...(await repairMarkers(registry, turns))]);
  emitter.tap('chat.close', (chatId) => turns.forget(chatId));
  emitter.tap('tool.before', (call) => turns.guard(call));
  emitter.tap('settings.guard', () => (turns.isBusy() ? registry.error('TURN_IN_PROGRESS') : undefined));
}
