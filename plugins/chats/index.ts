// Chats: their folders and workspaces, and the journal that every wire event goes through.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/storage';
import { createParts } from './parts.ts';
import { listRoutes } from './routes.ts';
import { tapServer } from './server-hooks.ts';
import { wireEvents } from './wire-events.ts';
import { createWirePoint } from './wire-point.ts';

export const manifest = {
  name: 'chats',
  requires: ['kernel', 'product', 'storage', 'exactFiles'],
  provides: ['chats', 'eventLog'],
  events: ['chat_switched', 'chat_updated'],
  config: Type.Object({
    workspaceRoot: Type.Optional(
      Type.String({
        env: 'AGENT_WORKSPACE_ROOT',
        title: 'Workspace of the first chat',
        description: 'Absolute path of the folder that a chat works in when it names none; the folder the server was started in when unset.',
        apply: 'restart',
      }),
    ),
    keepsFullOutput: Type.Boolean({
      default: true,
      env: 'AGENT_SESSION_JSONL',
      tab: 'session_ui',
      title: 'Keep full tool output',
      description: 'Keeps the whole output of tools in the journal of a chat; when off, only what replay and recovery need.',
      apply: 'live',
    }),
  }),
  errors: {
    NOT_FOUND: { message: "There is no {what} '{id}'.", status: 404 },
    INVALID_REQUEST: { message: '{why}', status: 400 },
    HOME_IN_USE: { message: "Another server uses the home folder '{home}'. Stop it, or give this one a folder of its own.", status: 503 },
    JOURNAL_CUT: { message: "The end of the journal of {chatId} ({bytes} bytes) cannot be read; it was moved to '{aside}'." },
    JOURNAL_BROKEN: { message: 'A line of the journal of {chatId} cannot be read (at byte {start}); it is skipped.' },
    JOURNAL_UNWRITABLE: { message: 'The journal of {chatId} cannot be written: {why}. Free space on the disk or check its rights.', status: 503 },
    EVENT_ID_BROKEN: { message: 'The file of event ids could not be read and was moved to {movedTo}; ids go on after those in the journals.' },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const parts = createParts(registry, emitter);

  emitter.hook('chat.open', 'series');
  emitter.hook('chat.close', 'series');
  emitter.hook('chat.fork', 'series', { onError: 'throw' });
  emitter.hook('chat.rebuild', 'waterfall', { onError: 'throw' });
  registry.point('wire_event', createWirePoint(emitter, parts));
  registry.provide('eventLog', () => parts().log);
  registry.provide('chats', () => parts().chats);
  registry.defer(() => parts.close(), 'journals');

  tapServer(registry, emitter, parts);
  for (const event of wireEvents) registry.add('wire_event', event);
  for (const route of listRoutes(() => parts().chats)) registry.add('route', route);
}
