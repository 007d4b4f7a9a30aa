// Registers checkpoints, which store the changes that turns make to files and plugin state, and undo them on request.
import { dirname, join } from 'node:path';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/exact-files';
import type {} from 'agent-harness/plugins/settings';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/views';
import type {} from './contract.ts';
import { changesView } from './changes-view.ts';
import { createWorkspaceComparer } from './compare-workspace.ts';
import { createCheckpoints } from './checkpoint-service.ts';
import { describeUndo, showUndo } from './describe-undo.ts';
import { changesRoute, redoRoute, restoredFields, undoRoute } from './routes.ts';
import { savedSettings } from './saved-settings.ts';
import { trackTurns } from './track-turns.ts';
import { createUndoNote } from './undo-note.ts';
import { createUndoables } from './undoables.ts';
import { openLogs } from './checkpoint-log.ts';

export const manifest = {
  name: 'checkpoints',
  requires: ['chats', 'eventLog', 'storage', 'exactFiles', 'turns', 'product'],
  optional: ['settings'],
  provides: ['checkpoints'],
  events: ['checkpoint_restored'],
  errors: {
    TURN_IN_PROGRESS: { message: 'A turn is running in this chat. Stop the turn or wait until it ends, then try again.', status: 409 },
    NOT_FOUND: { message: 'Nothing can be undone or redone: {why}.', status: 404 },
    ALREADY_RESOLVED: { message: "Turn '{turnId}' is already undone.", status: 409 },
    CHANGED_SINCE: { message: "'{path}' was changed after its changes were shown, so nothing was undone. Reload the changes and try again.", status: 409 },
    NEEDS_ONE_FILE: { message: "'hunks' needs exactly one file in 'paths'.", status: 400 },
    TOO_LARGE: {
      message: '{path} is {bytes} bytes long, which is more than a checkpoint can store, so the file was not changed. Change large files with a command.',
      status: 413,
    },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const logs = openLogs((chatId) => services.chats.folder(chatId), services.storage);
  const undoables = createUndoables(services.exactFiles, (plugin) => join(dirname(registry.plugin.dataDir), plugin));
  registry.point('undoable', undoables.point);
  const comparer = createWorkspaceComparer(join(registry.plugin.dataDir, 'compared'), services.exactFiles);
  registry.defer(() => comparer.clear(), 'copies of workspaces');
  const checkpoints = createCheckpoints({
    services,
    logs,
    undoables,
    comparer,
    running: trackTurns(emitter, (chatId) => services.turns.isBusy(chatId)),
    error: (reason, details) => registry.error(reason, details),
    announce: (payload) => emitter.emit('checkpoint_restored', payload),
    warn: (text) => registry.log.warn(text),
  });

  registry.provide('checkpoints', () => checkpoints);
  registry.add('wire_event', {
    name: 'checkpoint_restored',
    description: 'The changes of a turn were undone or redone.',
    permission: 'chats.read',
    schema: Type.Object({
      ...{ chatId: Type.String(), isRedo: Type.Optional(Type.Literal(true)) },
      isSaid: Type.Optional(Type.Literal(true, { description: "A command's reply already shows the result." })),
      ...restoredFields,
    }),
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
  registry.add('route', redoRoute(parts));
  registry.add('route', changesRoute(parts));
  registry.add('view', changesView(parts));
  registry.add('slash_command', {
    name: 'undo',
    permission: 'chats.manage',
    summary: 'Undoes the last turn or the named one: files, notes, settings and plugin state.',
    usage: '[turn]',
    // The command may itself be a turn of the chat, so a busy chat is not refused here; the service checks whether a model is working.
    run: async ({ chatId, args }) => describeUndo(await checkpoints.undo(chatId, args === '' ? undefined : args, undefined, { isSaid: true })),
  });
  registry.add('slash_command', {
    name: 'redo',
    permission: 'chats.manage',
    summary: 'Reverts the last undo.',
    run: async ({ chatId }) => describeUndo(await checkpoints.redo(chatId, { isSaid: true }), { isRedo: true }),
  });
  const { settings } = services;
  if (settings) {
    const saved = savedSettings(settings);
    registry.add('undoable', saved.undoable);
    emitter.tap('settings.before', ({ keys }) => checkpoints.within(saved.undoable.name, () => saved.withoutSecrets(keys)));
  }
  emitter.tap('tool.run', checkpoints.around);
  emitter.tap('app.start', () => checkpoints.recover(), { order: 'post' });
  emitter.tap('prompt.build', createUndoNote(logs));
  emitter.tap('chat.close', (chatId) => logs.forget(chatId));
  emitter.tap('chat.erase', ({ chatId }) => checkpoints.forget(chatId));
}
