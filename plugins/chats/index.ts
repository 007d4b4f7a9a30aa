// Registers chats: their folders, their workspaces, and the journal of all wire events.
import type { Emitter, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/exact-files';
import type {} from 'agent-harness/plugins/storage';
import { activeChatSection } from './active-chat-section.ts';
import { createEntryMarks } from './entry-marks.ts';
import { createParts, type Parts } from './parts.ts';
import { createFoldersRoute } from './folders-route.ts';
import { listRoutes } from './routes.ts';
import { tapServer } from './server-hooks.ts';
import { wireEvents } from './wire-events.ts';
import { createWirePoint, type WirePoint } from './wire-point.ts';
import type { manifest } from './manifest.ts';

export { manifest } from './manifest.ts';

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const point: WirePoint = createWirePoint(emitter, () => parts());
  const parts: Parts = createParts(registry, emitter, point);

  emitter.hook('chat.open', 'series');
  emitter.hook('chat.close', 'series');
  emitter.hook('chat.erase', 'series', { onError: 'throw' });
  emitter.hook('chat.fork', 'series', { onError: 'throw' });
  emitter.hook('chat.rebuild', 'waterfall', { onError: 'throw' });
  emitter.hook('entry.marked', 'series');
  const marks = createEntryMarks({
    onFault: (name, fault) => registry.log.warn(`the entries of the annotation '${name}' could not be read: ${messageOf(fault)}`),
    notify: (entry) => emitter.emit('entry_marked', entry),
    onOther: () => emitter.emit('entry_marks_changed', {}),
  });
  registry.point('entry_mark', marks.point);
  emitter.tap('entry.marked', (entry) => marks.changed(entry), { order: 'post' });
  registry.point('wire_event', point);
  registry.provide('eventLog', () => parts().log);
  registry.provide('chats', () => parts().chats);
  registry.defer(() => parts.close(), 'journals');

  tapServer(registry, emitter, parts);
  registry.add(
    'reply_section',
    activeChatSection(() => parts().chats),
  );
  for (const event of wireEvents) registry.add('wire_event', event);
  for (const route of listRoutes(() => parts().chats, marks.of)) registry.add('route', route);
  registry.add(
    'route',
    createFoldersRoute((why) => registry.error('INVALID_REQUEST', { why })),
  );
}
