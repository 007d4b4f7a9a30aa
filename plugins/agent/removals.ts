// Removes entries from conversations and restores them, including in the requests of running turns and tasks.
import type { Emitter, Services } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import { oneLine } from '#lib/text';
import { BoundedMap } from '#lib/values';
import type { Denial, RemovalLeftover, ToolCall, Turns } from 'agent-harness/plugins/agent';
import { untitled, type Conversation } from 'agent-harness/transcript';
import type { Conversations } from './conversations.ts';
import type { Lanes } from './lanes.ts';
import { createSay } from './live-turn.ts';

export interface RemovalParts {
  readonly services: Pick<Services, 'chats' | 'eventLog'>;
  readonly conversations: Pick<Conversations, 'open'>;
  readonly lanes: Pick<Lanes, 'find'>;
  readonly emitter: Emitter;
}

export interface ConversationRemovals extends Pick<Turns, 'remove' | 'restore' | 'removalSignal'> {
  /** Refuses a call that would read data of a removed entry: an attachment, or the full text of a long output. */
  guard(call: Pick<ToolCall, 'args' | 'turn'>): Promise<Denial | undefined>;
}

/** Maximum number of removal signals in memory, one per turn; the oldest are dropped. */
const maxSignals = 1_000;

export function createRemovals({ services, conversations, lanes, emitter }: RemovalParts): ConversationRemovals {
  const { chats, eventLog } = services;
  const signals = new BoundedMap<string, AbortController>(maxSignals);

  function change(
    conversation: Conversation,
    kind: 'entry_removed' | 'entry_restored',
    event: { readonly chatId: string; readonly entryId: string; readonly left?: readonly string[] },
  ): Promise<void> {
    const { chatId, entryId } = event;
    const words = conversation.textOf(entryId);
    createSay(conversation, emitter)(kind, event as never);
    for (const task of lanes.find(chatId)?.running?.turn.tasks ?? []) task.take(kind, event, words === undefined ? {} : { words });
    return eventLog.flushed(chatId);
  }

  const abort = (controller: AbortController): void => controller.abort(new Error('The user removed a part of this turn.'));

  return {
    async remove(chatId, entryId) {
      const { title } = await chats.get(chatId);
      const conversation = await conversations.open(chatId);
      const { turnId, text = '' } = conversation.sources.get(entryId) ?? {};
      const removed = change(conversation, 'entry_removed', { chatId, entryId });
      const signal = turnId === undefined ? undefined : signals.get(turnId);
      if (signal) abort(signal);
      await removed;
      const left: RemovalLeftover[] = [];
      // The title of an untitled chat is the beginning of its first message.
      if (isBeginning(title, text))
        await chats.change(chatId, { title: untitled }).catch((fault: unknown) => left.push({ plugin: 'chats', why: messageOf(fault) }));
      const entry = { chatId, entryId, ...(turnId === undefined ? {} : { turnId }) };
      await emitter.call('entry.removed', [entry], { onFault: ({ plugin, cause }) => left.push({ plugin, why: messageOf(cause) }) });
      const plugins = [...new Set(left.map(({ plugin }) => plugin))];
      const before = conversation.removals.get(entryId) ?? [];
      if (plugins.join() !== before.join()) await change(conversation, 'entry_removed', { chatId, entryId, left: plugins });
      return left;
    },
    async restore(chatId, entryId) {
      await change(await conversations.open(chatId), 'entry_restored', { chatId, entryId });
      await emitter.call('entry.restored', [{ chatId, entryId }]);
    },
    async removalSignal(chatId, turnId) {
      const { removals, sources } = await conversations.open(chatId);
      const controller = signals.get(turnId) ?? new AbortController();
      signals.set(turnId, controller);
      if ([...removals.keys()].some((id) => sources.get(id)?.turnId === turnId)) abort(controller);
      return controller.signal;
    },
    async guard({ args, turn: { chatId } }) {
      const { removals, sources } = await conversations.open(chatId);
      if (removals.size === 0) return undefined;
      const files = [...removals.keys()].flatMap((id) => sources.get(id)?.files ?? []);
      const asked = JSON.stringify(args);
      return files.some((file) => asked.includes(file))
        ? { deny: 'The user removed this content from the conversation.', hint: 'Continue without it, or ask the user for it.' }
        : undefined;
    },
  };
}

function isBeginning(title: string, text: string): boolean {
  const beginning = oneLine(title).replace(/…$/, '');
  return beginning !== '' && oneLine(text).startsWith(beginning);
}
