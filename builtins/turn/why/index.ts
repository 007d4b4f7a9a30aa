// Registers explanations, which use the journal and records to find the messages, files, pages, notes, hooks and plugins that caused something.
import { createSerialQueues, lazy } from '#lib/async';
import { messageOf } from '#lib/errors';
import { yieldToEventLoop } from '#lib/event-loop';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/memory';
import type {} from 'agent-harness/builtins/turn/origins';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import type {} from 'agent-harness/plugins/views';
import type { Why } from './contract.ts';
import type { OpenedWhy } from './open-why.ts';
import { createStoredTexts } from './stored-texts.ts';
import { createProvenance, type OpenProvenance } from './turn-provenance.ts';
import { whyRoute } from './why-route.ts';
import { parameters } from './why-parameters.ts';

export const manifest = {
  name: 'why',
  requires: ['chats', 'eventLog', 'journals', 'origins', 'storage', 'tools', 'turns'],
  optional: ['notes'],
  provides: ['why'],
  errors: {
    NOT_FOUND: { message: 'This chat does not contain the subject: {what}. /why explains its last turn and links to everything in it.', status: 404 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { log, services } = registry;
  const keepers = createStoredTexts();
  registry.point('kept_texts', keepers.point);
  const running = new Map<string, OpenProvenance>();
  const writing = createSerialQueues<string>();
  const open = lazy(() =>
    import('./open-why.ts').then(({ openWhy }) =>
      openWhy({
        ...{ services, keepers, folder: registry.plugin.dataDir },
        onFault: (fault) => log.warn(`The provenance of turns cannot be stored: ${messageOf(fault)}`),
        openProvenance: () => new Map(running),
        notFound: (what) => registry.error('NOT_FOUND', { what }),
      }),
    ),
  );
  const view = lazy(() => import('./why-view.ts'));
  /** Runs work in the background; only closing the chat or the server waits for it. */
  const record = (chatId: string, what: string, work: (why: OpenedWhy) => Promise<unknown>): void => {
    const done = open()
      .then(work)
      .catch((fault: unknown) => log.warn(`${what}: ${messageOf(fault)}`));
    void writing.run(chatId, () => done);
  };
  registry.defer(() => writing.idle(), 'provenance of turns and notes');
  const why: Why = {
    explain: async (question) => (await open()).explain(question),
    kept: (text) => record(text.chatId, `The sources of the text ${text.id} could not be stored`, (one) => one.textKept(text)),
  };
  registry.provide('why', () => why);

  emitter.tap('turn.observe', (observers, turn) => {
    const provenance = createProvenance(turn);
    running.set(turn.turnId, provenance);
    return [...observers, provenance.take];
  });
  emitter.on('turn_end', ({ chatId, turnId }) => {
    const provenance = running.get(turnId);
    if (!provenance) return;
    record(chatId, `The provenance of turn ${turnId} could not be stored`, async ({ store }) => {
      // Clients receive the end of the turn first.
      await yieldToEventLoop();
      await store.write(chatId, turnId, provenance).finally(() => running.delete(turnId));
    });
  });
  emitter.on('memory_changed', ({ chatId, noteId, scope, change }) => {
    const note = { noteId, scope };
    const isKept = change === 'remembered' || change === 'pending';
    if (change === 'forgotten') record(chatId ?? '', `The words of the deleted note ${noteId} could not be removed`, (one) => one.noteForgotten(note));
    else if (change === 'restored') record(chatId ?? '', `The sources of the restored note ${noteId} could not be stored`, (one) => one.noteRestored(note));
    if (chatId !== undefined && isKept) record(chatId, `The sources of the note ${noteId} could not be stored`, (one) => one.noteKept({ chatId, ...note }));
  });
  emitter.tap('server.idle', async () => void (await import('./open-why.ts')));
  emitter.tap('chat.fork', async ({ from, to, turns }) => (await open()).store.copy(from, to, turns));
  // A pending write would recreate the folder that is being moved to the trash.
  emitter.tap('chat.close', (chatId) => writing.idle(chatId), { order: 'post' });
  registry.add('entry_mark', {
    name: 'removed',
    label: /* t */ 'Removed from the conversation',
    of: async (chatId) => new Set((await services.eventLog.removed(chatId)).keys()),
  });
  for (const change of ['entry_removed', 'entry_restored'] as const)
    emitter.on(change, ({ chatId, entryId }) => void emitter.call('entry.marked', [{ chatId, entryId }]).catch(() => undefined));
  if (services.notes) emitter.tap('notes.forget', async ({ chatId, turnIds }) => (await open()).derived.forget(chatId, turnIds));

  registry.add('view', {
    name: 'why',
    title: /* t */ 'Why',
    description: /* t */ 'Explains which messages, files, pages, notes, hooks and plugins caused a turn, a call, a sentence or a note.',
    icon: 'list',
    parameters,
    changesOn: ['turn_end', 'approval_decision', 'memory_changed'],
    read: async (context) => (await view()).readView(await open(), context),
    act: async (call, context) => (await view()).actInView(await open(), call, context),
  });
  registry.add('slash_command', {
    name: 'why',
    summary: 'Explains the last turn, or a sentence, a call, a message or a note.',
    usage: '[sentence | call <id> | message <id> | note <key> | source <path>]',
    places: [{ label: 'sentence', isWhole: true }],
    isImmediate: true,
    run: async (context) => (await view()).answerCommand(await open(), context),
  });
  registry.add('route', whyRoute(why));
}
