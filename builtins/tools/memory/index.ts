// Registers the memory, which stores notes with their sources beyond the conversation, and finds them by words and by meaning.
import { lazy } from '#lib/async';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { hasCode } from '#lib/errors';
import { BoundedMap } from '#lib/values';
import type {} from 'agent-harness/builtins/turn/checkpoints';
import type { Turn } from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/policy';
import type { NotePlace } from './contract.ts';
import { memoryFamily } from './family.ts';
import { lazyNotes } from './lazy-notes.ts';
import { createMemoryRoutes } from './routes.ts';
import { memoryChanged } from './schemas.ts';
import { settingsSchema } from './settings-schema.ts';
import { trackNotes, undoableNotes } from './undoable-notes.ts';

/** Maximum number of turns that are tracked, in case turns are not removed. */
const recentTurns = 500;

export const manifest = {
  name: 'memory',
  requires: ['product', 'storage', 'chats', 'eventLog', 'models'],
  optional: ['checkpoints'],
  provides: ['notes'],
  events: ['memory_changed'],
  config: settingsSchema,
  errors: {
    NOT_FOUND: { message: "The note '{id}' does not exist here, or is in another state.", status: 404 },
    INVALID_NOTE: { message: 'The note cannot be stored: {why}.', status: 400 },
    REVISION_CONFLICT: { message: "The note '{id}' has since changed and now has revision {revision}. Read it again, then retry.", status: 409 },
    FULL: { message: 'The limit of {limit} notes in this file is reached. Delete some notes first.', status: 409 },
    UNSAFE_FILE: { message: 'The notes file cannot be used: {why}. Replace it with a regular file, or delete it.', status: 409 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config, log, signal } = registry;
  const turns = new BoundedMap<string, Turn>(recentTurns);
  const { checkpoints } = services;
  const track = checkpoints && trackNotes(checkpoints.changing);
  const memory = lazy(() =>
    import('./open-memory.ts').then(({ openMemory }) =>
      openMemory({ services, config, emitter, log, signal, error: (reason, details) => registry.error(reason, details), turnOf: (id) => turns.get(id), track }),
    ),
  );

  const activeChat = async (): Promise<NotePlace | undefined> =>
    services.chats.activeId === undefined ? undefined : services.chats.get(services.chats.activeId);

  const notes = lazyNotes(async () => (await memory()).store);
  registry.provide('notes', () => notes);
  registry.add('undoable', undoableNotes(notes));
  registry.add(
    'tool_family',
    memoryFamily(config.isGraphOn, checkpoints ? 'checkpoint' : 'none', async () => (await memory()).tools),
  );
  registry.add('approval_rule', {
    name: 'memory-note',
    decide: ({ tool }) =>
      tool.plugin === 'memory' && tool.effects?.includes('write')
        ? { verdict: 'allow', reason: 'The user sees all notes, and changes can be undone for 30 days.' }
        : undefined,
  });
  for (const route of createMemoryRoutes({ chats: services.chats, eventLog: services.eventLog, memory })) registry.add('route', route);
  registry.add('wire_event', memoryChanged);
  registry.add('slash_command', {
    name: 'memory',
    permission: 'memory.read',
    summary: 'Shows the number of notes that apply here, and the notes in the inbox.',
    run: async (context) => (await import('./describe-memory.ts')).describeMemory((await memory()).store, context),
  });
  emitter.hook('notes.forget', 'series', { onError: 'throw' });
  emitter.tap('chat.erase', async ({ chatId, read }) => {
    const workspaceRoot = (await services.chats.trash()).find((one) => one.chatId === chatId)?.workspaceRoot;
    if (workspaceRoot !== undefined) await (await memory()).forgetChat({ chatId, workspaceRoot }, read(), { isGone: true });
  });
  emitter.hook('recall.query', 'waterfall', { onError: 'skip' });
  emitter.tap('tool.prepare', ({ tool, turn }) => {
    if (tool.plugin === 'memory') turns.set(turn.turnId, turn);
  });
  // Runs after the other taps, because processing a very large number of notes takes seconds.
  emitter.tap(
    'server.idle',
    async () => {
      const { warmUp } = await memory();
      // The active chat may have been deleted in the meantime.
      const ignoreDeleted = (fault: unknown): void => {
        if (!hasCode(fault, 'CHATS_ERR_NOT_FOUND')) throw fault;
      };
      await activeChat().then(warmUp).catch(ignoreDeleted);
    },
    { order: 'post' },
  );
  emitter.tap('turn.after', async (turn, end) => {
    turns.delete(turn.turnId);
    if (!memory.made) return;
    const { fresh, noteFiles } = await memory.made;
    fresh.turnEnded(turn, end);
    await noteFiles.rest();
  });
  emitter.tap('chat.fork', async ({ from, to }) => (await memory()).noteFiles.fork(from, to));
  emitter.tap('chat.close', async (chatId) => memory.made && (await memory.made).noteFiles.drop(chatId));
  registry.defer(async () => memory.made && (await memory.made).close(), 'notes');
}
