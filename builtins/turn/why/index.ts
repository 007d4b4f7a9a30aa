// Registers explanations: finds the messages, files, pages, notes, hooks and plugins behind something, on request, from the journal and records.
import { createSerialQueues, lazy } from 'agent-harness/lib/async';
import { messageOf } from 'agent-harness/lib/errors';
import { yieldToEventLoop } from 'agent-harness/lib/event-loop';
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
import type {} from './contract.ts';
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
    NOT_FOUND: { message: 'This chat has none of that: {what}. /why tells of its last turn, with the way to everything in it.', status: 404 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { log } = registry;
  const { chats, eventLog, journals, notes, origins, storage, tools, turns } = registry.services;
  const keepers = createStoredTexts();
  registry.point('kept_texts', keepers.point);
  const running = new Map<string, OpenProvenance>();
  const writing = createSerialQueues<string>();
  const open = lazy(() =>
    import('./open-why.ts').then(({ openWhy }) =>
      openWhy({
        ...{ chats, eventLog, journals, notes, origins, storage, tools, turns, keepers },
        onFault: (fault) => log.warn(`What made turns cannot be kept: ${messageOf(fault)}`),
        folder: registry.plugin.dataDir,
        openProvenance: () => new Map(running),
        notFound: (what) => registry.error('NOT_FOUND', { what }),
      }),
    ),
  );
  const beside = (chatId: string, what: string, work: Promise<unknown>): void => {
    const told = work.catch((fault: unknown) => log.warn(`${what}: ${messageOf(fault)}`));
    void writing.run(chatId, () => told);
  };
  registry.defer(() => writing.idle(), 'what made turns and notes');
  registry.provide('why', () => ({
    explain: async (question) => (await open()).why.explain(question),
    kept(text) {
      const write = async (): Promise<void> => (await open()).textKept(text);
      beside(text.chatId, `Where the text ${text.id} comes from is not kept`, write());
    },
  }));

  emitter.tap('turn.observe', (observers, turn) => {
    const provenance = createProvenance(turn);
    running.set(turn.turnId, provenance);
    return [...observers, provenance.take];
  });
  emitter.on('turn_end', ({ chatId, turnId }) => {
    const provenance = running.get(turnId);
    if (!provenance) return;
    const write = async (): Promise<void> => {
      // Clients get the end of the turn first.
      await yieldToEventLoop();
      await (await open()).keep(chatId, turnId, provenance);
    };
    beside(
      chatId,
      `What made the turn ${turnId} is not kept`,
      write().finally(() => running.delete(turnId)),
    );
  });
  emitter.on('memory_changed', ({ chatId, noteId, scope, change }) => {
    if (change === 'forgotten') {
      const forget = async (): Promise<void> => (await open()).noteForgotten({ noteId, scope });
      beside(chatId ?? '', `The words of the forgotten note ${noteId} are still kept`, forget());
    }
    if (change === 'restored') {
      const write = async (): Promise<void> => (await open()).noteRestored({ noteId, scope });
      beside(chatId ?? '', `Where the restored note ${noteId} comes from is not kept`, write());
    }
    if (chatId === undefined || (change !== 'remembered' && change !== 'pending')) return;
    const write = async (): Promise<void> => (await open()).noteKept({ chatId, noteId, scope });
    beside(chatId, `Where the note ${noteId} comes from is not kept`, write());
  });
  emitter.tap('server.idle', async () => void (await import('./open-why.ts')));
  emitter.tap('chat.fork', async ({ from, to, turns }) => {
    await (await open()).copy(from, to, turns);
  });
  // Otherwise a pending write would recreate the folder that is moved to the trash now.
  emitter.tap('chat.close', (chatId) => writing.idle(chatId), { order: 'post' });
  registry.add('entry_mark', {
    name: 'removed',
    label: /* t */ 'Taken out of the conversation',
    of: async (chatId) => new Set((await eventLog.removed(chatId)).keys()),
  });
  for (const change of ['entry_removed', 'entry_restored'] as const)
    emitter.on(change, ({ chatId, entryId }) => void emitter.call('entry.marked', [{ chatId, entryId }]).catch(() => undefined));
  if (notes) emitter.tap('notes.forget', async ({ chatId, turnIds }) => (await open()).derived.forget(chatId, turnIds));

  registry.add('view', {
    name: 'why',
    title: /* t */ 'Why',
    description: /* t */ 'Which message, file, page, note, hook and plugin made something so: a turn, a call, a sentence, a note.',
    icon: 'list',
    parameters,
    changesOn: ['turn_end', 'approval_decision', 'memory_changed'],
    read: async (context) => (await open()).read(context),
    act: async (call, context) => (await open()).act(call, context),
  });
  registry.add('slash_command', {
    name: 'why',
    summary: 'Explains the last turn, or a sentence, a call, a message or a note.',
    usage: '[sentence | call <id> | message <id> | note <key> | source <path>]',
    places: [{ label: 'sentence', isWhole: true }],
    isImmediate: true,
    run: async (context) => (await open()).command(context),
  });
  registry.add(
    'route',
    whyRoute(
      async () => (await open()).why,
      async (given) => (await chats.peek(given)).chatId,
    ),
  );
}
