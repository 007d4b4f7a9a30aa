// Connects a turn to its dependencies: the real services and the real time.
import type { Emitter, Registry } from 'agent-harness/kernel';
import { messageOf, stackOf } from '#lib/errors';
import { keepImages } from './attachments.ts';
import type { manifest } from './manifest.ts';
import type { LoopDeps } from './turn-loop.ts';

export function createLoopDeps(registry: Registry<typeof manifest>, emitter: Emitter): LoopDeps {
  const { chats, eventLog, storage, models, tools, gate, artifacts, product } = registry.services;
  return {
    ...{ emitter, eventLog, storage, models, tools, gate, artifacts, title: product.title },
    config: registry.config,
    clock: { now: Date.now, elapsed: () => performance.now() },
    chatOf: (chatId) => chats.get(chatId),
    keepImages: (chatId, images) => keepImages(chats.folder(chatId), images, storage, registry.log),
    unexpected(turnId, fault) {
      registry.log.error(`turn ${turnId} failed`, { stack: stackOf(fault) });
      return registry.error('UNEXPECTED', { why: messageOf(fault) }, fault);
    },
  };
}
