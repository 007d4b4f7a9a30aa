// Why: which message, file, page, note, hook and plugin made something so, told on request from the journal and what was written down beside it.
import { createSerialQueues, lazy } from 'agent-harness/lib/async';
import { messageOf } from 'agent-harness/lib/errors';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/memory';
import type {} from 'agent-harness/builtins/turn/compression';
import type {} from 'agent-harness/builtins/turn/origins';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import type {} from 'agent-harness/plugins/views';
import type {} from './contract.ts';
import { createKeepers } from './kept-texts.ts';
import type { Leftover } from './take-out.ts';
import { createTakenOut } from './taken-out.ts';
import { watchProvenance, type TurnProvenance } from './turn-provenance.ts';
import { takenOutRoute, whyRoute } from './why-route.ts';
import { parameters } from './why-parameters.ts';

export const manifest = {
  name: 'why',
  requires: ['chats', 'eventLog', 'journals', 'origins', 'storage', 'tools'],
  optional: ['notes', 'summaries'],
  provides: ['why'],
  errors: {
    NOT_FOUND: { message: 'This chat has none of that: {what}. /why tells of its last turn, with the way to everything in it.', status: 404 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { log } = registry;
  const { chats, eventLog, journals, notes, origins, storage, summaries, tools } = registry.services;
  const takenOut = createTakenOut(chats, storage);
  const keepers = createKeepers();
  registry.point('kept_texts', keepers.point);
  const running = new Map<string, TurnProvenance>();
  const writing = createSerialQueues<string>();
  const open = lazy(() =>
    import('./open-why.ts').then(({ openWhy }) =>
      openWhy({
        ...{ chats, eventLog, journals, notes, origins, storage, summaries, takenOut, tools, keepers },
        onFault: (fault) => log.warn(`What made turns cannot be kept: ${messageOf(fault)}`),
        folder: registry.plugin.dataDir,
        async tell(taken) {
          const left: Leftover[] = [];
          await emitter.call('conversation.taken_out', [taken], { onFault: ({ plugin, cause }) => left.push({ plugin, why: messageOf(cause) }) });
          return left;
        },
        marked: (entry) => emitter.call('entry.marked', [entry]),
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
    takenOut: (chatId) => takenOut.of(chatId),
    kept(text) {
      const write = async (): Promise<void> => (await open()).textKept(text);
      beside(text.chatId, `Where the text ${text.id} comes from is not kept`, write());
    },
  }));

  registry.add('turn_ports', {
    name: 'why',
    attend(turn, ports) {
      const { provenance, ports: watched } = watchProvenance(turn, ports);
      running.set(turn.turnId, provenance);
      return watched;
    },
  });
  emitter.on('turn_end', ({ chatId, turnId }) => {
    const provenance = running.get(turnId);
    if (!provenance) return;
    const write = async (): Promise<void> => (await open()).keep(chatId, turnId, provenance);
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
    await takenOut.copy(from, to);
  });
  // First of all, so that nobody makes anything of what was taken out.
  emitter.tap('prompt.build', (prompt, turn) => takenOut.apply(prompt, turn), { order: 'pre' });
  emitter.tap('tool.before', async ({ args, turn: { chatId } }) =>
    (await takenOut.isAskedFor(chatId, args))
      ? { deny: 'A person took what this would read out of the conversation.', hint: 'Go on without it, or ask the person for it.' }
      : undefined,
  );
  emitter.tap('conversation.read', (messages, { chatId }) => takenOut.applyTo(messages, chatId));
  emitter.tap(
    'chat.close',
    (chatId) => {
      takenOut.forget(chatId);
      // What is under way would make the folder anew, which goes to the trash now.
      return writing.idle(chatId);
    },
    { order: 'post' },
  );
  registry.add('entry_mark', { name: 'taken-out', label: /* t */ 'Taken out of the conversation', of: (chatId) => takenOut.of(chatId) });
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
    summary: 'Says why: the last turn, or a sentence, a call, a message, a note.',
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
  registry.add(
    'route',
    takenOutRoute(async (id) => takenOut.of((await chats.peek(id)).chatId)),
  );
}
