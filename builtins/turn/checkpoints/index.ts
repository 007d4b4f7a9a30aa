// Checkpoints: keeps what tools overwrite, and takes a turn's changes back on request.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/exact-files';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/views';
import type {} from './contract.ts';
import { changesView } from './changes-view.ts';
import { createCheckpoints } from './checkpoint-service.ts';
import { describeUndo, showUndo } from './describe-undo.ts';
import { changesRoute, restoredFields, undoRoute } from './routes.ts';
import { trackTurns } from './track-turns.ts';
import { createUndoNote } from './undo-note.ts';
import { openLogs } from './checkpoint-log.ts';

export const manifest = {
  name: 'checkpoints',
  requires: ['chats', 'storage', 'exactFiles', 'turns'],
  provides: ['checkpoints'],
  events: ['checkpoint_restored'],
  errors: {
    TURN_IN_PROGRESS: { message: 'A turn is running in this chat. Stop it or wait for its end, then undo.', status: 409 },
    NOT_FOUND: { message: 'There is nothing to undo: {why}.', status: 404 },
    ALREADY_RESOLVED: { message: "Turn '{turnId}' has been undone already.", status: 409 },
    CHANGED_SINCE: { message: "'{path}' is not what was shown any more, so nothing was undone. Look at its changes again.", status: 409 },
    NEEDS_ONE_FILE: { message: "'hunks' are of one file: name that one in 'paths', and no other.", status: 400 },
    TOO_LARGE: { message: '{path} has {bytes} bytes, which is more than a checkpoint keeps, so it is not changed.', status: 413 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const logs = openLogs((chatId) => services.chats.folder(chatId), services.storage);
  const checkpoints = createCheckpoints({
    services,
    logs,
    running: trackTurns(emitter, (chatId) => services.turns.isBusy(chatId)),
    error: (reason, details) => registry.error(reason, details),
    announce: (payload) => emitter.emit('checkpoint_restored', payload),
  });

  registry.provide('checkpoints', () => checkpoints);
  registry.add('wire_event', {
    name: 'checkpoint_restored',
    description: 'Changes that tools made in a turn were taken back.',
    permission: 'chats.read',
    schema: Type.Object({ chatId: Type.String(), ...restoredFields }),
    shows: showUndo,
  });
  const parts = {
    services,
    checkpoints,
    refuseBusy(chatId: string) {
      if (services.turns.isBusy(chatId)) throw registry.error('TURN_IN_PROGRESS', { chatId });
    },
    needsOneFile: () => registry.error('NEEDS_ONE_FILE'),
  };
  registry.add('route', undoRoute(parts));
  registry.add('route', changesRoute(parts));
  registry.add('view', changesView(parts));
  registry.add('slash_command', {
    name: 'undo',
    permission: 'chats.manage',
    summary: 'Takes back what tools changed in files in the last turn, or in the one named.',
    usage: '[turn]',
    // It may itself be a turn of the chat, so being busy is no reason to refuse here; the service knows whether a model is at work.
    run: async ({ chatId, args }) => describeUndo(await checkpoints.undo(chatId, args === '' ? undefined : args)),
  });
  emitter.tap('prompt.build', createUndoNote(logs));
  emitter.tap('chat.close', (chatId) => logs.forget(chatId));
}
